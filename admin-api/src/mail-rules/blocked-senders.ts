import { recordAccountAudit } from '@selvage/core/access/audit';
import type { BlockedSenderDto } from '@selvage/core/contracts/mail-rules';
import { inTransaction } from '@selvage/core/context/context';
import { lockUser } from '@selvage/core/directory/lock-user';
import { invalid, notFound } from '@selvage/core/errors';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { noteRules } from '@selvage/core/mailstore/note-rules';
import { BlockedSender } from '@selvage/core/models/blocked-sender';
import { countOwnChange } from '../account/count-own-change.ts';
import type { SignedIn } from '../http/request-context.ts';

/** How many senders one person may block. */
const mostBlocked = 1000;

const present = ({ id, address, createdAt }: BlockedSender): BlockedSenderDto => ({
  _id: String(id),
  address,
  createdAt: createdAt.toISOString(),
});

/** The senders that the caller has blocked, by address. */
export async function listOwnBlocked(ctx: SignedIn): Promise<BlockedSenderDto[]> {
  const rows = await BlockedSender.findAll({ where: { userId: ctx.actor.userId }, order: [['address', 'ASC']] });
  return rows.map(present);
}

/**
 * Blocks a sender, whose mail goes to Junk from now on.
 * @throws 422
 */
export async function block(ctx: SignedIn, typed: string): Promise<BlockedSenderDto> {
  const { userId } = ctx.actor;
  await countOwnChange(ctx);
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const address = blockable(typed, user.email);
    const transaction = tx.tx;
    const known = await BlockedSender.findOne({ where: { userId, address }, transaction });
    if (known) return present(known);
    const count = await BlockedSender.count({ where: { userId }, transaction });
    if (count >= mostBlocked) throw refuse(`You have blocked ${mostBlocked} senders. Unblock some first.`);
    const row = await BlockedSender.create({ companyId: String(user.companyId), userId, address }, { transaction });
    await noteRules(tx, userId);
    await recordAccountAudit(tx, user, 'blocked-sender:added');
    return present(row);
  });
}

/** @throws 404 */
export async function unblock(ctx: SignedIn, id: string): Promise<void> {
  const { userId } = ctx.actor;
  await countOwnChange(ctx);
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const removed = await BlockedSender.destroy({ where: { id, userId }, transaction: tx.tx });
    if (removed === 0) throw notFound('sender');
    await noteRules(tx, userId);
    await recordAccountAudit(tx, user, 'blocked-sender:removed');
  });
}

/** The address or domain to block for what a person typed. */
function blockable(typed: string, own: string): string {
  if (typed.includes('@') && !typed.startsWith('@')) {
    // Any address that mail can come from, even one to which a person can't write
    const address = normaliseAddress(typed);
    if (address === null || !domainOf(address).includes('.'))
      throw refuse('Please enter a valid email address, or a domain.');
    if (address === own) throw refuse('You cannot block yourself.');
    return address;
  }
  const domain = companyDomain(typed.replace(/^@/, ''));
  if (domain === null) throw refuse('Please enter a valid email address, or a domain.');
  const ownDomain = domainOf(own);
  if (ownDomain === domain || ownDomain.endsWith(`.${domain}`)) throw refuse('You cannot block your own domain.');
  return domain;
}

function refuse(text: string) {
  return invalid({ address: text }, text);
}
