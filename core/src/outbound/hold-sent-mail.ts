import { findUsableAccount } from '../access/usable-account.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { User } from '../models/user.ts';
import { changeQueue } from './change-queue.ts';
import { inUndoTime, queued } from './deliveries.ts';
import { isMailboxInUse } from './submission-checks.ts';

/**
 * Holds the mail that waits of a person who may not use their account (any more): one who was
 * switched off, deleted or barred from logging in, or whose role was switched off. Mail in its undo
 * time is held as well: an account that sent spam must not go on sending it from the queue. An
 * administrator releases it or gives it up; it is not released when the person is switched on again
 * or restored. A mailbox that still takes mail, as of one who only may not log in, goes on
 * forwarding it.
 * @returns whether mail is left that could not be held now, as it is being sent at this moment. It
 *   may be held later
 */
export async function holdMailOf(ctx: Ctx, userId: string): Promise<boolean> {
  const user = await User.findByPk(userId);
  if (!user) return false;
  const withoutCopies = await isMailboxInUse(ctx, user);
  if (withoutCopies && (await findUsableAccount(ctx, user)) !== null) return false;
  const senders = await addressesOf(ctx, userId);
  if (senders.length === 0) return false;
  const wanted = {
    scope: { kind: 'company', companyId: String(user.companyId) },
    target: { senders, areSwitchedOff: true, withoutCopies },
  } as const;
  let hasMore = true;
  while (hasMore) ({ hasMore } = await changeQueue(ctx, 'hold', { ...wanted, before: new Date() }));
  return await isAnyLeft(ctx, senders, withoutCopies);
}

/** All addresses of a person, in the form in which the ledger compares senders. */
async function addressesOf(ctx: Ctx, userId: string): Promise<string[]> {
  const rows = await readRows<{ address: string }>(ctx, 'SELECT address FROM addresses WHERE user_id = ?', [userId]);
  return rows.map(({ address }) => address.toLowerCase());
}

async function isAnyLeft(ctx: Ctx, senders: readonly string[], withoutCopies: boolean): Promise<boolean> {
  const rows = await readRows(
    ctx,
    `SELECT id FROM deliveries FORCE INDEX (deliveries_sender)
      WHERE sender_key IN (?)${withoutCopies ? ' AND forwarded_for IS NULL' : ''}
        AND ((${queued}) OR (${inUndoTime}))
      LIMIT 1`,
    [senders],
  );
  return rows.length > 0;
}
