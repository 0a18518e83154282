import { recordAccountAudit } from '@selvage/core/access/audit';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { createLink, invalidLink, redeemLink } from '@selvage/core/directory/one-time-links';
import { lockUser } from '@selvage/core/directory/lock-user';
import { findAddressId, resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { conflict, invalid } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { isValidAddress, normaliseAddress } from '@selvage/core/mail/addresses';
import { User } from '@selvage/core/models/user';
import { endForwarding, hasSameOwner } from '@selvage/core/outbound/end-forwarding';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { requireProof } from '../auth/confirmed-session.ts';
import { countAttempt } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { leadsOnlyTo } from './recovery-email.ts';
import { rules } from './rate-limits.ts';

/** Forwarding as its owner and their administrators see it. */
interface ForwardingState {
  forward_to: string | null;
  forward_confirmed: boolean;
  forward_filtered: boolean;
}

export function presentForwarding({ forwardTo, forwardConfirmedAt, forwardsFiltered }: User): ForwardingState {
  return {
    forward_to: forwardTo,
    forward_confirmed: forwardTo !== null && forwardConfirmedAt !== null,
    forward_filtered: forwardsFiltered,
  };
}

/**
 * Forwards the caller's mail to another address. Forwarding begins when the owner of the address
 * opens the link that is mailed to it (D35). Forwarding to the previous address ends at once.
 * @throws 403 `confirm_first`, 422, 429
 */
export async function changeForwarding(
  ctx: SignedIn,
  given: { forward_to: string; password: string },
): Promise<ForwardingState> {
  const known = await requireProof(ctx, given.password);
  const address = await checkTarget(ctx, known, given.forward_to);
  if (known.forwardTo !== address) await countLink(ctx, address);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    if (user.forwardTo !== address) await writeTarget(tx, user, address);
    return presentForwarding(user);
  });
}

/**
 * Forwards all of the caller's mail, or only what their filters choose. The caller gets a notice
 * when all of it is forwarded.
 * @throws 429
 */
export async function changeForwardingScope(ctx: SignedIn, isFiltered: boolean): Promise<ForwardingState> {
  await countAttempt(ctx.app, rules.toldChange, ctx.actor.userId);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    if (user.forwardsFiltered !== isFiltered) await writeScope(tx, user, isFiltered);
    return presentForwarding(user);
  });
}

async function writeScope(tx: TxCtx, user: User, isFiltered: boolean): Promise<void> {
  await user.update({ forwardsFiltered: isFiltered }, { transaction: tx.tx });
  const to = user.forwardConfirmedAt === null ? null : user.forwardTo;
  const details = { scope: isFiltered ? 'filtered' : 'all', ...(to === null ? {} : { to }) };
  await recordAccountAudit(tx, user, 'forwarding:scope-changed', { details });
  if (isFiltered || to === null) return;
  const happened = `From now on, copies of all your mail are forwarded to ${to}, not only of what your filters say.`;
  await tellOwner(tx, user, 'All your mail is forwarded', happened);
}

async function checkTarget(ctx: Ctx, user: User, typed: string): Promise<string> {
  const address = isValidAddress(typed) ? normaliseAddress(typed) : null;
  const refuse = (text: string) => invalid({ forward_to: text }, text);
  if (!address) throw refuse('Please enter a valid email address.');
  const isOwn = address === user.email || leadsOnlyTo(await resolveRecipient(ctx, address), String(user.id));
  if (isOwn) throw refuse('Mail cannot be forwarded to the mailbox that it comes from.');
  return address;
}

async function writeTarget(tx: TxCtx, user: User, address: string): Promise<void> {
  await user.update({ forwardTo: address, forwardConfirmedAt: null }, { transaction: tx.tx });
  await recordAccountAudit(tx, user, 'forwarding:asked', { details: { to: address } });
  const happened = `Your mail will be forwarded to ${address} once the owner of that address has agreed.`;
  await tellOwner(tx, user, 'Forwarding of your mail was asked for', happened);
  await mailLink(tx, user, address);
}

/** Mails the link with which the owner of an address agrees to get a person's mail. */
async function mailLink(tx: TxCtx, user: User, address: string): Promise<void> {
  await user.update({ forwardAddressId: await findAddressId(tx, address) }, { transaction: tx.tx });
  const link = await createLink(tx, user, 'confirm_forwarding', address);
  const text = [
    'Hello,',
    '',
    `${user.email} wants to forward mail to this address. With this link you agree, once and within 24 hours:`,
    '',
    link,
    '',
    'If you do not want that, there is nothing to do: without the link nothing is forwarded.',
    `To end it later, write to ${user.email} or to postmaster@${domainOf(user.email)}.`,
    '',
  ].join('\n');
  const companyId = String(user.companyId);
  await sendNotice(tx, { companyId, to: address, subject: 'Confirm that mail is forwarded to you', text });
}

/**
 * Mails the link again.
 * @throws 409 when no address is waiting for it, 429
 */
export async function mailForwardingLinkAgain(ctx: SignedIn): Promise<void> {
  const known = waitingTarget(await User.findByPk(ctx.actor.userId));
  await countLink(ctx, known);
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    await mailLink(tx, user, waitingTarget(user));
  });
}

function waitingTarget(user: User | null): string {
  if (user && user.forwardTo !== null && user.forwardConfirmedAt === null) return user.forwardTo;
  throw conflict('No address is waiting to be confirmed.', 'nothing_to_confirm');
}

/**
 * Limits the links that one person mails, and those to one address: many people together must not
 * fill a stranger's mailbox with links.
 */
async function countLink(ctx: SignedIn, address: string): Promise<void> {
  await countAttempt(ctx.app, rules.confirmationMail, ctx.actor.userId);
  await countAttempt(ctx.app, rules.confirmationTarget, address);
}

/**
 * Begins forwarding, when the owner of the address opens the mailed link.
 * @throws 400 when the link is no longer valid, another address was chosen since, or the address
 * has another owner by now
 */
export async function agreeToForwarding(ctx: Ctx, token: string): Promise<{ forward_to: string; email: string }> {
  return await inTransaction(ctx, async (tx) => {
    const { link, user } = await redeemLink(tx, token, 'confirm_forwarding');
    if (user.forwardTo !== link.address || !(await hasSameOwner(tx, user))) throw invalidLink();
    await user.update({ forwardConfirmedAt: new Date() }, { transaction: tx.tx });
    // The link was opened by the owner of the address
    await recordAccountAudit(tx, user, 'forwarding:confirmed', { details: { to: link.address }, isByOwner: false });
    const happened = `From now on, copies of your mail are forwarded to ${link.address}.`;
    await tellOwner(tx, user, 'Your mail is forwarded', happened);
    return { forward_to: link.address, email: user.email };
  });
}

/** Ends the caller's forwarding. Does nothing when there is none. */
export async function endOwnForwarding(ctx: SignedIn): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    if (user.forwardTo === null) return;
    await endForwarding(tx, user, { isByOwner: true });
    await tellOwner(tx, user, 'Your mail is no longer forwarded', 'The forwarding of your mail was ended.');
  });
}

/**
 * Ends the forwarding of a person who gets a new password because they may have lost the account:
 * an attacker may have set it up.
 * @returns a sentence for the owner; empty when nothing was forwarded
 */
export async function endForeignForwarding(tx: TxCtx, user: User, options: { isByOwner: boolean }): Promise<string> {
  const { forwardTo } = user;
  if (forwardTo === null) return '';
  await endForwarding(tx, user, options);
  return ` The forwarding of your mail to ${forwardTo} was ended.`;
}

/** A sentence for a notice that says where a person's mail is forwarded; empty when nothing is. */
export function sayForwarding({ forwardTo, forwardConfirmedAt }: User): string {
  return forwardTo !== null && forwardConfirmedAt !== null ? ` Copies of your mail still go to ${forwardTo}.` : '';
}
