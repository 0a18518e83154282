import { normaliseAddress } from '@selvage/core/mail/addresses';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Limits of the calls about other people (D12). */
const rules = {
  /**
   * Mails that one administrator causes to recovery addresses which they entered for other people.
   */
  confirmationMail: { name: 'admin-confirmation-mail', limit: 200, windowSeconds: 3600 },
  /**
   * Such mails to one address, counted over all administrators. One mailbox may be the recovery
   * address of a whole department, but its owner has agreed to none of these mails.
   */
  confirmationTarget: { name: 'admin-confirmation-target', limit: 30, windowSeconds: 86_400 },
} as const satisfies Record<string, Rule>;

/**
 * Counts a confirmation mail to a recovery address that an administrator enters.
 * @throws 429
 */
export async function countConfirmationMail({ app, actor }: SignedIn, typed: string): Promise<void> {
  await countAttempt(app, rules.confirmationMail, actor.userId);
  await countAttempt(app, rules.confirmationTarget, normaliseAddress(typed) ?? typed);
}
