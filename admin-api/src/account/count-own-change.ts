import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Limits the changes of one's own settings, since the audit trail keeps each of them for long. */
const changing = { name: 'own-settings', limit: 600, windowSeconds: 3600 } as const satisfies Rule;

/**
 * Counts a change of the caller's own settings.
 * @throws 429
 */
export async function countOwnChange({ app, actor }: SignedIn): Promise<void> {
  await countAttempt(app, changing, actor.userId);
}
