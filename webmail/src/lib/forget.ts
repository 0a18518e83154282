import { queryClient } from './query-client.ts';
import { currentSubject, hasLeftOnPurpose, subscribeToSession } from './session.ts';

const forgetters = new Set<() => void>();

/**
 * Registers something that this tab keeps in memory for a person. It is forgotten when the person
 * logs out here, and when another person logs in. When the session merely ended it stays, so that
 * the same person can go on.
 */
export function forgetWithPerson(forget: () => void): void {
  forgetters.add(forget);
}

/**
 * Forgets what one person loaded before another one is shown anything, in whichever tab they log in
 * or out.
 */
export function watchPerson(): void {
  let now = currentSubject();
  let owner = now;
  subscribeToSession(() => {
    const next = currentSubject();
    if (next === now) return;
    now = next;
    void queryClient.cancelQueries();
    queryClient.clear();
    const isStranger = next !== null && owner !== null && next !== owner;
    if (isStranger || (next === null && hasLeftOnPurpose())) for (const forget of forgetters) forget();
    owner = next ?? owner;
  });
}
