/** What a Field is given to say that its value is not right. */
export function fieldProblem(message: string | undefined) {
  return message ? ({ validationState: 'error', validationMessage: message } as const) : {};
}
