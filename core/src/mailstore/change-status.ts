import { type InferAttributes, QueryTypes } from 'sequelize';
import { notFound } from '../errors.ts';
import { causeOf, enqueueAll } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { type EntryFlags, folderOf, totalsDelta } from './folders.ts';
import { changeTotals } from './totals.ts';

/** The flags that a person may set (D23); those left out stay as they are. */
export type StatusChange = Partial<Omit<EntryFlags, 'sendStatus'>>;

type LockedEntry = EntryFlags & Pick<InferAttributes<MailboxEntry>, 'id' | 'companyId' | 'userId' | 'messageId'>;

/**
 * Sets flags on entries of one person, on all or on none; answers how many entries were named. A deleted entry is hidden
 * for good, and its message is removed by a job once nobody has it.
 * @throws AppError notFound when one of the ids isn't an entry of theirs, or is gone
 */
export async function changeStatus(
  ctx: Ctx,
  { userId, entryIds, flags }: { userId: string; entryIds: readonly string[]; flags: StatusChange },
): Promise<{ changed: number }> {
  const ids = [...new Set(entryIds)];
  if (ids.length === 0) return { changed: 0 };
  return await inTransaction(ctx, async (tx) => {
    const entries = await lockEntries(tx, userId, ids);
    if (entries.length < ids.length) throw notFound('message');
    await writeFlags(tx, entries, flags);
    return { changed: entries.length };
  });
}

/** Takes the rows in the order of their ids, whoever changes them: two changes then wait for each other. */
async function lockEntries(ctx: TxCtx, userId: string, ids: string[]): Promise<LockedEntry[]> {
  const rows = await ctx.app.db.query<Record<keyof LockedEntry, string | number>>(
    `SELECT id, company_id AS companyId, user_id AS userId, message_id AS messageId, read_status AS readStatus,
       star_status AS starStatus, archive_status AS archiveStatus, trash_status AS trashStatus,
       delete_status AS deleteStatus, send_status AS sendStatus
     FROM mailbox_entries FORCE INDEX (PRIMARY)
     WHERE id IN (:ids) AND user_id = :userId AND delete_status = 0 ORDER BY id FOR UPDATE`,
    { replacements: { ids, userId }, type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  return rows.map((row) => ({
    id: String(row.id),
    companyId: String(row.companyId),
    userId: String(row.userId),
    messageId: String(row.messageId),
    readStatus: Boolean(row.readStatus),
    starStatus: Boolean(row.starStatus),
    archiveStatus: Boolean(row.archiveStatus),
    trashStatus: Boolean(row.trashStatus),
    deleteStatus: Boolean(row.deleteStatus),
    sendStatus: Boolean(row.sendStatus),
  }));
}

async function writeFlags(ctx: TxCtx, entries: readonly LockedEntry[], flags: StatusChange): Promise<void> {
  const set = settable(flags);
  const byFolder = Map.groupBy(entries, (entry) => folderOf({ ...entry, ...set }));
  for (const [folder, members] of byFolder) {
    const where = { id: members.map(({ id }) => id) };
    await MailboxEntry.update({ ...set, folder }, { where, transaction: ctx.tx });
  }
  if (set.deleteStatus) {
    const causeId = causeOf(ctx);
    const messageIds = [...new Set(entries.map((entry) => entry.messageId))];
    const removals = messageIds.map((messageId) => ({ payload: { messageId }, causeId }));
    await enqueueAll(ctx, removeMessage, removals);
  }
  await changeTotals(
    ctx,
    entries.flatMap((entry) => totalsDelta(entry, entry, { ...entry, ...set })),
  );
}

/** Only the flags that people own, whatever else the caller's object carries. */
function settable({ readStatus, starStatus, archiveStatus, trashStatus, deleteStatus }: StatusChange): StatusChange {
  const named = { readStatus, starStatus, archiveStatus, trashStatus, deleteStatus };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
