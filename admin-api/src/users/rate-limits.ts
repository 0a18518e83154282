import { normaliseAddress } from '@selvage/core/mail/addresses';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Limits of the calls about other people (D12). */
const rules = {
  /** Mails of one administrator to recovery addresses that they entered for other people. */
  confirmationMail: { name: 'admin-confirmation-mail', limit: 200, windowSeconds: 3600 },
  /**
   * Mails to one such address, counted over all administrators. One mailbox may stand for the
   * people of a whole department, but its owner has not agreed to any of them.
   */
  confirmationTarget: { name: 'admin-confirmation-target', limit: 30, windowSeconds: 86_400 },
} as const satisfies Record<string, Rule>;

/**
 * Counts the mail that a recovery address gets which an administrator enters.
 * @throws 429
 */
export async function countConfirmationMail({ app, actor }: SignedIn, typed: string): Promise<void> {
  await countAttempt(app, rules.confirmationMail, actor.userId);
  await countAttempt(app, rules.confirmationTarget, normaliseAddress(typed) ?? typed);
}
