import { recordAccountAudit } from '@selvage/core/access/audit';
import type { setRecoveryEmail } from '@selvage/core/contracts/account';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import { createLink, dropLinks, invalidLink, redeemLink } from '@selvage/core/directory/one-time-links';
import { lockUser } from '@selvage/core/directory/lock-user';
import { findRecoveryAddress, judgeRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { type Resolution, resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { conflict, invalid } from '@selvage/core/errors';
import { isValidAddress, normaliseAddress } from '@selvage/core/mail/addresses';
import type { OneTimeLink } from '@selvage/core/models/one-time-link';
import { User } from '@selvage/core/models/user';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import type { Context } from 'koa';
import { requireCode } from '../auth/require-code.ts';
import { requirePassword } from '../auth/require-password.ts';
import { type Count, countAttempt, refuseAnyOverLimit } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { rules } from './rate-limits.ts';

/** The recovery address of a person: as it was entered, and the one that is used. */
export type RecoveryState = InferAnswer<typeof setRecoveryEmail>;

/**
 * Sets or removes the caller's recovery address. A new address is used only after its owner has
 * opened the link that is mailed to it. Until then the confirmed one stays in use, so that a
 * mistyped address does not lock the person out.
 * @throws 422, 429
 */
export async function changeRecoveryEmail(
  ctx: SignedIn,
  koa: Context,
  given: InferBody<typeof setRecoveryEmail>,
): Promise<RecoveryState> {
  const known = await requirePassword(ctx, given.password);
  if (given.recovery_email !== '') await countAttempt(ctx.app, rules.recoveryAddress, ctx.actor.userId);
  const address = given.recovery_email === '' ? null : await checkRecoveryAddress(ctx, known, given.recovery_email);
  const needsMail = address !== null && ![known.recoveryEmail, await findRecoveryAddress(ctx, known)].includes(address);
  const counts: Count[] = needsMail
    ? [
        [rules.confirmationMail, ctx.actor.userId],
        [rules.confirmationTarget, address],
      ]
    : [];
  // Refused before the code, which would be used up for nothing
  await refuseAnyOverLimit(ctx.app, counts);
  // Requires a code, since a code that is mailed to the address can turn two-factor off
  await requireCode(ctx, koa, known, given);
  for (const [rule, subject] of counts) await countAttempt(ctx.app, rule, subject);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    if (user.recoveryEmail !== address) await writeAddress(tx, user, address, { isByOwner: true });
    return await presentRecovery(tx, user);
  });
}

/**
 * A recovery address in the form in which it is stored. A caller of a company is not told what an
 * address of another one is, so one that can't be used is accepted there like one of another host
 * (D13). It never counts, since it is judged again when it is confirmed and each time it is used.
 * @param ctx the caller's: people of the host are told all reasons
 * @throws 422 at `recovery_email` when it is no address, the person's own mailbox, or an address of
 *   the company that can't be a recovery address of the person
 */
export async function checkRecoveryAddress(ctx: Ctx, user: User, typed: string): Promise<string> {
  const address = isValidAddress(typed) ? normaliseAddress(typed) : null;
  const refuse = (text: string) => invalid({ recovery_email: text }, text);
  if (!address) throw refuse('Please enter a valid email address.');
  // This also finds the mailbox's other addresses: with a tag, or postmaster of the person's
  // domain. A mailbox that needs the lost login can't be used to recover it
  const resolved = await resolveRecipient(ctx, address);
  const isOwn = address === user.email || leadsOnlyTo(resolved, String(user.id));
  if (isOwn) throw refuse('The recovery email must be another mailbox than the one it recovers.');
  const isTold = ctx.scope.kind === 'host' || companyOf(resolved) === String(user.companyId);
  if (!isTold) return address;
  const mailbox = await judgeRecoveryAddress(ctx, user, resolved);
  // The owner of an address without a mailbox can't open the link that is mailed to it
  if ('refused' in mailbox && mailbox.refused !== 'no_mailbox') throw refuse(refusals[mailbox.refused]);
  return address;
}

const refusals = {
  shared: 'Choose the address of a mailbox. Others can change who gets the mail of a group or an alias.',
  outranked:
    'Choose an address outside this host, or the mailbox of a person whose permissions include all of this account. Others can open that mailbox.',
};

/** The company of the people that mail to an address reaches; null for one of another host. */
function companyOf(resolved: Resolution): string | null {
  if (resolved.kind === 'group') return resolved.members[0]?.companyId ?? null;
  return resolved.kind === 'relay' ? null : resolved.companyId;
}

/** Whether mail to an address reaches only this person. */
export function leadsOnlyTo(resolved: Resolution, userId: string): boolean {
  if (resolved.kind === 'group') return resolved.members.every((member) => member.userId === userId);
  return resolved.kind === 'deliver' && resolved.userId === userId;
}

/**
 * Writes the address and raises the version of the record, so that an administrator who opened the
 * form earlier can't restore the old address.
 */
async function writeAddress(
  tx: TxCtx,
  user: User,
  address: string | null,
  { isByOwner }: { isByOwner: boolean },
): Promise<void> {
  await tellOfRecoveryChange(tx, user, address);
  const version = user.version + 1;
  await user.update({ ...recoveryValues(address), version }, { transaction: tx.tx });
  await finishRecoveryChange(tx, user, address, { isByOwner, details: { fields: ['recovery_email'], version } });
}

/**
 * The columns to write for a new recovery address. Removing the address also removes the confirmed
 * one.
 */
export function recoveryValues(
  address: string | null,
): Pick<User, 'recoveryEmail'> & Partial<Pick<User, 'confirmedRecoveryEmail'>> {
  return address === null ? { recoveryEmail: null, confirmedRecoveryEmail: null } : { recoveryEmail: address };
}

/**
 * Tells a person that their recovery address changes. Call this before the change is written, so
 * that the owner of the old address is told as well.
 */
export async function tellOfRecoveryChange(tx: TxCtx, user: User, address: string | null): Promise<void> {
  await tellOwner(tx, user, 'Your recovery email was changed', await sayRecoveryChange(tx, user, address));
}

async function sayRecoveryChange(tx: TxCtx, user: User, address: string | null): Promise<string> {
  if (address === null) return 'The recovery email of your account was removed.';
  if (address === (await findRecoveryAddress(tx, user))) {
    return `Your recovery email is ${address} again: ${user.recoveryEmail} was not confirmed.`;
  }
  return 'Another recovery email was entered for your account. It is used once its owner has confirmed it.';
}

/**
 * Invalidates confirmation links that were mailed before and, when the address was removed,
 * password links. Mails a link to a new address. Call this after the change is written.
 */
export async function finishRecoveryChange(
  tx: TxCtx,
  user: User,
  address: string | null,
  options: { isByOwner?: boolean; details?: Record<string, unknown> } = {},
): Promise<void> {
  const userId = String(user.id);
  await dropLinks(tx, userId, 'confirm_recovery');
  if (address === null) await dropLinks(tx, userId, 'set_password');
  await recordAccountAudit(tx, user, address ? 'recovery-email:changed' : 'recovery-email:removed', options);
  if (address && address !== (await findRecoveryAddress(tx, user))) await mailRecoveryConfirmation(tx, user, address);
}

/**
 * Removes the recovery address of a person who sets a password with a mailed link, unless the link
 * was mailed to it. An attacker may have entered, or even confirmed, another address, and could use
 * it to take over the account again.
 */
export async function keepRecoveryAddress(
  tx: TxCtx,
  user: User,
  mailedTo: string,
  options: { isByOwner: boolean },
): Promise<void> {
  const kept = (await findRecoveryAddress(tx, user)) === mailedTo ? mailedTo : null;
  if (user.recoveryEmail !== kept) await writeAddress(tx, user, kept, options);
}

/** Mails the link with which the owner of a recovery address agrees to it. */
export async function mailRecoveryConfirmation(tx: TxCtx, user: User, address: string): Promise<void> {
  const link = await createLink(tx, user, 'confirm_recovery', address);
  const text = [
    'Hello,',
    '',
    `${user.email} wants to use this address to get back into the account if its password is lost. With this link you agree,`,
    'once and within 24 hours:',
    '',
    link,
    '',
    'If you do not know that account, you need to do nothing: this address is not used unless the link is opened.',
    '',
  ].join('\n');
  const companyId = String(user.companyId);
  await sendNotice(tx, { companyId, to: address, subject: 'Confirm your recovery email', text });
}

/**
 * Mails the link again.
 * @throws 409 when no address is waiting to be confirmed, 422 when it can't be confirmed any more,
 *   429
 */
export async function mailConfirmationAgain(ctx: SignedIn): Promise<void> {
  const known = await User.findByPk(ctx.actor.userId);
  const target = known && (await waitingAddress(ctx, known));
  if (!target) throw nothingToConfirm();
  await checkRecoveryAddress(ctx, known, target);
  await countAttempt(ctx.app, rules.confirmationMail, ctx.actor.userId);
  await countAttempt(ctx.app, rules.confirmationTarget, target);
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const address = await waitingAddress(tx, user);
    if (!address) throw nothingToConfirm();
    await mailRecoveryConfirmation(tx, user, address);
  });
}

/**
 * Confirms a recovery address by the link that was mailed to it.
 * @throws 400 when the link is no longer valid, or the address was changed since
 */
export async function confirmRecoveryAddress(ctx: Ctx, token: string): Promise<string> {
  return await inTransaction(ctx, async (tx) => {
    const { link, user } = await redeemLink(tx, token, 'confirm_recovery');
    if (user.recoveryEmail !== link.address) throw invalidLink();
    const mailbox = await judgeRecoveryAddress(tx, user, await resolveRecipient(tx, link.address));
    if ('refused' in mailbox || (await isNewerThan(tx, mailbox, link))) throw invalidLink();
    if ((await findRecoveryAddress(tx, user)) !== link.address) {
      const values = { confirmedRecoveryEmail: link.address, confirmedRecoveryUserId: mailbox.ownerId };
      await user.update(values, { transaction: tx.tx });
      // Invalidates password links that were mailed to the address confirmed before
      await dropLinks(tx, String(user.id), 'set_password');
    }
    // The link was opened by the owner of the address, which an administrator may have entered
    await recordAccountAudit(tx, user, 'recovery-email:confirmed', { isByOwner: false });
    return link.address;
  });
}

/** Whether a mailbox was made after a link was mailed, so that its owner did not get the link. */
async function isNewerThan(tx: TxCtx, { ownerId }: { ownerId: string | null }, link: OneTimeLink): Promise<boolean> {
  const owner = ownerId === null ? null : await User.findByPk(ownerId, { transaction: tx.tx });
  return owner !== null && owner.createdAt > link.createdAt;
}

async function waitingAddress(ctx: Ctx, user: User): Promise<string | null> {
  return user.recoveryEmail === (await findRecoveryAddress(ctx, user)) ? null : user.recoveryEmail;
}

export async function presentRecovery(ctx: Ctx, user: User): Promise<RecoveryState> {
  return recoveryFieldsOf(user, await findRecoveryAddress(ctx, user));
}

/** @param inForce the address that is used */
export function recoveryFieldsOf(
  { recoveryEmail, confirmedRecoveryEmail }: User,
  inForce: string | null,
): RecoveryState {
  return {
    recovery_email: recoveryEmail,
    recovery_email_confirmed: recoveryEmail !== null && recoveryEmail === inForce,
    recovery_email_in_force: inForce,
    recovery_email_lapsed: recoveryEmail !== null && recoveryEmail === confirmedRecoveryEmail && inForce === null,
  };
}

function nothingToConfirm(): Error {
  return conflict('No recovery email is waiting to be confirmed.', 'nothing_to_confirm');
}
