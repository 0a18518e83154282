/** What one screen outside the console tells the next. */
interface PageState {
  /** Said on top of the login form. */
  notice: string | null;
  email: string;
}

export function stateOf({ state }: { state: unknown }): PageState {
  const given: Record<string, unknown> = typeof state === 'object' && state !== null ? { ...state } : {};
  const { notice, email } = given;
  return { notice: typeof notice === 'string' ? notice : null, email: typeof email === 'string' ? email : '' };
}
