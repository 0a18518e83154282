import { queryClient } from './query-client.ts';
import { currentSubject, hasLeftOnPurpose, subscribeToSession } from './session.ts';

const forgetters = new Set<() => void>();

/**
 * Registers something that this tab keeps of a person in memory. It is forgotten when the person signs out here, and when another
 * person signs in. A session that merely ended leaves it, for the same person to go on with.
 */
export function forgetWithPerson(forget: () => void): void {
  forgetters.add(forget);
}

/** Nothing that one person loaded may be shown to the next one, in whichever tab they signed in or out. */
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
