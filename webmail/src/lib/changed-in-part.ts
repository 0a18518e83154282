/** Thrown when a change of many records fails after some of them were changed. */
export class ChangedInPart extends Error {
  override readonly name = 'ChangedInPart';
  /** What the server answered until then, as the call would have returned it. */
  readonly answer: unknown;

  constructor(answer: unknown, cause: unknown) {
    super('Some records were changed before a failure', { cause });
    this.answer = answer;
  }
}

/**
 * Calls until nothing is left. `done` grows with each call.
 * @throws ChangedInPart with `answer` when a call fails after an earlier one has changed something
 */
export async function untilNoneIsLeft<A>(
  answer: A,
  done: readonly unknown[],
  call: () => Promise<{ isLeft: boolean | undefined }>,
): Promise<A> {
  try {
    while ((await call()).isLeft);
  } catch (error) {
    throw done.length > 0 ? new ChangedInPart(answer, error) : error;
  }
  return answer;
}
