import { recordAccountAudit } from '../access/audit.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { lockUser } from '../directory/lock-user.ts';
import { dropLinks } from '../directory/one-time-links.ts';
import { findAddressId, hasLeft, resolveRecipient } from '../directory/resolve-recipient.ts';
import type { User } from '../models/user.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Ends the forwarding of a person, and invalidates the link that was mailed to an address which has
 * not agreed.
 */
export async function endForwarding(tx: TxCtx, user: User, { isByOwner }: { isByOwner: boolean }): Promise<void> {
  const details = { to: user.forwardTo };
  await user.update({ forwardTo: null, forwardConfirmedAt: null }, { transaction: tx.tx });
  await dropLinks(tx, String(user.id), 'confirm_forwarding');
  await recordAccountAudit(tx, user, 'forwarding:stopped', { details, isByOwner });
}

/**
 * Whether the address that a person forwards to still has the owner who was asked. An address of
 * this host may have been given to another person, alias or group. Its domain may have left this
 * host, and then its owner is not known.
 */
export async function hasSameOwner(
  ctx: Ctx,
  { forwardTo, forwardAddressId }: Pick<User, 'forwardTo' | 'forwardAddressId'>,
): Promise<boolean> {
  if (forwardTo === null) return false;
  const asked = forwardAddressId && String(forwardAddressId);
  if ((await findAddressId(ctx, forwardTo)) !== asked) return false;
  return asked === null || !hasLeft(await resolveRecipient(ctx, forwardTo));
}

/** Ends the forwarding of a person whose address has another owner by now, and tells the person. */
export async function endForwardingToOther(ctx: Ctx, userId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const { forwardTo } = user;
    if (forwardTo === null || (await hasSameOwner(tx, user))) return;
    await endForwarding(tx, user, { isByOwner: false });
    const text = [
      `Hello ${user.fname},`,
      '',
      'It is no longer certain that the mailbox that agreed to get copies of your mail still has the address',
      `${forwardTo}. So your mail is no longer forwarded to it. Your mailbox has all of your mail.`,
      '',
      'To forward your mail to this address again, set it up in the account settings. The present owner of the address',
      'has to agree first.',
      '',
      ctx.app.config.url,
      '',
    ].join('\n');
    const companyId = String(user.companyId);
    await sendNotice(tx, { companyId, to: user.email, subject: 'Your mail is no longer forwarded', text });
  });
}
