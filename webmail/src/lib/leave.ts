import { logOut } from './log-out.ts';

/** Asks the person what they wish before they sign out. False when they would rather stay. */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/** Has something asked before a person signs out, until the returned function is called. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  return () => questions.delete(question);
}

/** Signs out because the person wishes it, once all that has to be asked first is answered. */
export async function leave(): Promise<void> {
  for (const question of questions) if (!(await question())) return;
  await logOut();
}
