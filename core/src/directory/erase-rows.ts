import { IndexHints } from 'sequelize';
import { changeRows, readRows } from '../database/run-sql.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { finishCopiesOf } from '../mailstore/copy-mailbox.ts';
import { removeCopies } from '../mailstore/empty-copy.ts';
import { forgetSomeOf } from '../mailstore/forget-removed.ts';
import { removableDraft, removeDraft } from '../mailstore/remove-draft.ts';
import { Draft } from '../models/draft.ts';
import { User } from '../models/user.ts';
import { inSlices } from '../sweeps/in-slices.ts';
import { removeAvatarIfUnused } from './avatars.ts';
import { eraseCorrespondents } from './correspondents.ts';

/*
 * `erased_at` marks a record for permanent deletion, and from then on no call finds it. A job
 * removes its rows in small transactions, so that a mailbox of a million messages does not hold up
 * other mail. A job that runs again continues where it stopped.
 */

const pageRows = 200;
const cancelled = "state = 'cancelled', reason = 'sender_not_in_use', next_attempt_at = NULL, updated_at = ?";

/**
 * Removes the rows of a permanently deleted person, and enqueues the removal of mail that no other
 * person has. The ledger and the audit trail stay.
 * @returns false when there is no such person, or the person is not permanently deleted
 */
export async function eraseUserRows(ctx: Ctx, userId: string, signal?: AbortSignal): Promise<boolean> {
  const user = await User.findByPk(userId, { attributes: ['id', 'avatar', 'erasedAt'] });
  if (!user?.erasedAt) return false;
  await removeCopies(ctx, { viewerId: userId }, signal);
  // An unfinished copy of their mail is completed first, since copies outlive the person
  await finishCopiesOf(ctx, userId, signal);
  await inSlices(() => inTransaction(ctx, (tx) => cancelHeldCopies(tx, userId)), { signal });
  await inSlices(() => inTransaction(ctx, (tx) => eraseDrafts(tx, userId)), { signal });
  await inSlices(() => inTransaction(ctx, (tx) => eraseEntries(tx, userId)), { signal });
  await inSlices(() => inTransaction(ctx, (tx) => eraseOfFolders(tx, userId)), { signal });
  await inSlices(() => eraseCorrespondents(ctx, userId), { signal });
  await User.destroy({ where: { id: userId } });
  await changeRows(ctx, "DELETE FROM mail_copies WHERE owner_id IS NULL AND state = 'removed'", []);
  await removeAvatarIfUnused(ctx, user.avatar ?? null);
  return true;
}

/**
 * Ends mail of a person that is held and is no entry of the mailbox: copies that were forwarded,
 * and messages whose own copy was deleted. Otherwise it would keep their bytes for ever.
 */
async function cancelHeldCopies(ctx: TxCtx, userId: string): Promise<boolean> {
  const owned = await readRows<{ address: string; companyId: string }>(
    ctx,
    'SELECT address, company_id AS companyId FROM addresses WHERE user_id = ?',
    [userId],
  );
  const [first] = owned;
  if (first === undefined) return false;
  const rows = await readRows<{ id: string; messageId: string | null }>(
    ctx,
    `SELECT id, message_id AS messageId FROM deliveries FORCE INDEX (deliveries_sender)
      WHERE sender_key IN (?) AND company_id = ? AND direction = 'out' AND state = 'held'
        AND reason = 'held_by_administrator' AND entry_id IS NULL
      LIMIT ${pageRows} FOR UPDATE`,
    [owned.map(({ address }) => address.toLowerCase()), first.companyId],
  );
  if (rows.length === 0) return false;
  await changeRows(ctx, `UPDATE deliveries SET ${cancelled} WHERE id IN (?)`, [
    new Date(),
    rows.map(({ id }) => String(id)),
  ]);
  await askForRemovals(
    ctx,
    rows.flatMap(({ messageId }) => messageId ?? []),
  );
  return true;
}

/** Has a job remove each of these messages that nothing needs any more. */
async function askForRemovals(ctx: TxCtx, messageIds: readonly string[]): Promise<void> {
  const causeId = causeOf(ctx);
  const removals = [...new Set(messageIds.map(String))].map((messageId) => ({ payload: { messageId }, causeId }));
  await enqueueAll(ctx, removeMessage, removals);
}

async function eraseDrafts(ctx: TxCtx, userId: string): Promise<boolean> {
  const options = { limit: pageRows, lock: true, transaction: ctx.tx };
  // In no order, and by this index: otherwise the database may lock the drafts of others too, as
  // for entries
  const indexHints = [{ type: IndexHints.FORCE, values: ['drafts_user'] }];
  const drafts = await Draft.findAll({ attributes: [...removableDraft], where: { userId }, indexHints, ...options });
  for (const draft of drafts) await removeDraft(ctx, draft);
  return drafts.length > 0;
}

async function eraseEntries(ctx: TxCtx, userId: string): Promise<boolean> {
  // In the order of this index. In that of ids, the database would look at the entries of all other
  // people, and lock each of them for a moment
  const entries = await readRows<{ id: string; messageId: string }>(
    ctx,
    `SELECT id, message_id AS messageId FROM mailbox_entries FORCE INDEX (entries_starred)
      WHERE user_id = ? ORDER BY star_status, arrived_at, id LIMIT ${pageRows} FOR UPDATE`,
    [userId],
  );
  if (entries.length === 0) return false;
  const ids = entries.map(({ id }) => String(id));
  // A ledger row that still named the message would count as one whose copy is missing
  await changeRows(ctx, "UPDATE deliveries SET message_id = NULL WHERE entry_id IN (?) AND direction = 'in'", [ids]);
  await changeRows(
    ctx,
    `UPDATE deliveries SET ${cancelled}
      WHERE entry_id IN (?) AND direction = 'out' AND state = 'held'
        AND reason IN ('scheduled', 'held_by_administrator')`,
    [new Date(), ids],
  );
  await changeRows(ctx, 'UPDATE deliveries SET entry_id = NULL WHERE entry_id IN (?)', [ids]);
  await freeBytes(ctx, ids);
  await changeRows(ctx, 'DELETE FROM mailbox_entries WHERE id IN (?)', [ids]);
  await askForRemovals(
    ctx,
    entries.map(({ messageId }) => messageId),
  );
  return true;
}

/**
 * Erases the conversations of the person's folders, and the UIDs that left them. The folders' rows
 * would take all of them with them in one statement.
 */
async function eraseOfFolders(ctx: TxCtx, userId: string): Promise<boolean> {
  const folders = await readRows<{ id: string }>(ctx, 'SELECT id FROM folders WHERE user_id = ?', [userId]);
  for (const { id } of folders) {
    const statement = `DELETE FROM folder_threads WHERE folder_id = ? LIMIT ${5 * pageRows}`;
    if ((await changeRows(ctx, statement, [id])) > 0) return true;
    if (await forgetSomeOf(ctx, String(id))) return true;
  }
  return false;
}

/**
 * Subtracts the sizes of these entries from the byte counts of their folders. A mailbox is erased
 * in many steps, and the storage that its company uses must fall with each of them.
 */
async function freeBytes(ctx: TxCtx, entryIds: readonly string[]): Promise<void> {
  await changeRows(
    ctx,
    `UPDATE folders f
       JOIN (SELECT e.folder_id, SUM(m.size) AS bytes
               FROM mailbox_entries e FORCE INDEX (PRIMARY) JOIN messages m ON m.id = e.message_id
              WHERE e.id IN (?) AND e.folder_id IS NOT NULL GROUP BY e.folder_id) n ON n.folder_id = f.id
        SET f.bytes = GREATEST(CAST(f.bytes AS SIGNED) - n.bytes, 0)`,
    [entryIds],
  );
}

/**
 * Removes the rows of a permanently deleted company: the backups of its people's mail, the people
 * with their mail, then its domains, roles and client.
 * @returns false when there is no such company, or it is not permanently deleted
 */
export async function eraseCompanyRows(ctx: Ctx, companyId: string, signal?: AbortSignal): Promise<boolean> {
  const [company] = await readRows<{ id: string }>(
    ctx,
    'SELECT id FROM companies WHERE id = ? AND erased_at IS NOT NULL AND NOT is_provider',
    [companyId],
  );
  if (company === undefined) return false;
  // These counts left the sum of all companies when the company was deleted
  await changeRows(ctx, 'DELETE FROM growth_slots WHERE company_id = ?', [companyId]);
  await removeCopies(ctx, { companyId }, signal);
  const now = new Date();
  await User.update({ deletedAt: now, erasedAt: now }, { where: { companyId, erasedAt: null } });
  const people = await User.findAll({ where: { companyId }, attributes: ['id'] });
  for (const { id } of people) await eraseUserRows(ctx, String(id), signal);
  await inTransaction(ctx, async (tx) => {
    for (const table of [
      'company_archives',
      'company_restores',
      'address_groups',
      'domains',
      'role_permissions',
      'roles',
      'clients',
    ]) {
      await changeRows(tx, `DELETE FROM ${table} WHERE company_id = ?`, [companyId]);
    }
    await changeRows(tx, 'DELETE FROM companies WHERE id = ?', [companyId]);
  });
  return true;
}
