import { logOut } from './log-out.ts';

/** Asks the person something before they log out. False when they choose to stay. */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/**
 * Registers a question to be asked before a person logs out, until the returned function is called.
 */
export function askBeforeLogout(question: Question): () => void {
  questions.add(question);
  return () => questions.delete(question);
}

/** Asks all registered questions. False when the person chooses to stay. */
export async function mayLogOut(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false;
  return true;
}

/** Logs out at the wish of the person, after all registered questions. */
export async function requestLogout(): Promise<void> {
  if (await mayLogOut()) await logOut();
}
