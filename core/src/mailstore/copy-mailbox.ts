import { setTimeout as wait } from 'node:timers/promises';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { MailCopy } from '../models/mail-copy.ts';
import { restAfter } from '../sweeps/rest.ts';
import type { Run } from '../sweeps/run.ts';
import { emptyCopy } from './empty-copy.ts';

/*
 * A copy is filled in slices, one transaction each (D54):
 *
 *   lock the row of the copy -> next entries of a folder after its cursor -> lock their messages
 *     -> insert what is not there yet -> move the cursor -> commit
 *
 * An entry that moves gets a new UID, which is after the cursor of its new folder, so none is
 * missed. Its id shows whether the copy already has it. When a run was killed, the next one
 * continues at the cursors. So does a run that updates a copy which was complete before. No folder
 * is locked, so mail can come and go meanwhile.
 */

/** Entries of one transaction. */
const sliceEntries = 1000;
/** A long run logs its progress each time it has done this many slices. */
const loggedSlices = 50;

/**
 * The folders whose mail a copy has, besides those that the person made. Drafts and scheduled
 * messages are left out. A message that a mail program has put there, neither sent nor received,
 * counts as received.
 */
export const copiedFolders = ['inbox', 'snoozed', 'sent', 'archive', 'junk', 'trash'] as const;

/**
 * A run rests after each slice for this many times the length of the slice, since writing a
 * thousand rows slows down the mail of others.
 */
const restsPerSlice = 3;

/** How long a run waits before it looks again whether a message can still be taken back. */
const heldMs = 1000;

interface Slice {
  folderId: string;
  upTo: number;
  entryIds: string[];
}

/**
 * Continues a copy: fills it, or empties one that is removed. Concurrent runs take turns, slice by
 * slice. A message that its sender can still take back is waited for, a minute at most.
 * @returns whether there is more to do
 */
export async function workOnCopy(ctx: Ctx, copyId: string, run: Run = {}): Promise<'more' | 'done'> {
  const deadline = performance.now() + (run.longestMs ?? Infinity);
  for (let slices = 1; ; slices += 1) {
    const startedAt = performance.now();
    const outcome = await inTransaction(ctx, (tx) => copySlice(tx, copyId));
    if (outcome === 'removed') return await emptyCopy(ctx, copyId, run);
    if (outcome === 'done') return 'done';
    if (slices % loggedSlices === 0) log.info('a copy of a mailbox goes on', { copyId, slices });
    if (performance.now() > deadline) return 'more';
    if (outcome === 'held') await wait(heldMs, undefined, run.signal ? { signal: run.signal } : {});
    else await restAfter(startedAt, run.signal, restsPerSlice);
  }
}

/** Finishes the copies of a person's mail before the mail is erased, so that each is complete. */
export async function finishCopiesOf(ctx: Ctx, ownerId: string, signal?: AbortSignal): Promise<void> {
  const copies = await MailCopy.findAll({ where: { ownerId, state: 'copying' }, attributes: ['id'] });
  for (const { id } of copies) await workOnCopy(ctx, String(id), { signal });
}

type Outcome = 'more' | 'held' | 'done' | 'removed';

async function copySlice(ctx: TxCtx, copyId: string): Promise<Outcome> {
  const copy = await MailCopy.findByPk(copyId, { transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  if (copy === null || copy.state === 'ready' || copy.state === 'removed') return 'done';
  if (copy.state === 'removing') return 'removed';
  const slice = copy.ownerId === null ? null : await nextSlice(ctx, copy.ownerId, copy.cursors);
  if (slice === null) {
    await copy.update({ state: 'ready', finishedAt: new Date() }, { transaction: ctx.tx });
    return 'done';
  }
  if (slice !== 'held') await addSlice(ctx, copy, slice);
  // `updatedAt` must change even if the slice changes nothing else: it tells the sweep that a run
  // is at work
  copy.changed('updatedAt', true);
  await copy.save({ transaction: ctx.tx });
  return slice === 'held' ? 'held' : 'more';
}

async function addSlice(ctx: TxCtx, copy: MailCopy, { folderId, upTo, entryIds }: Slice): Promise<void> {
  const added = await addEntries(ctx, String(copy.id), entryIds);
  await copy.update(
    {
      cursors: { ...copy.cursors, [folderId]: upTo },
      copied: copy.copied + entryIds.length,
      receivedCount: copy.receivedCount + added.received,
      sentCount: copy.sentCount + added.sent,
      bytes: String(BigInt(copy.bytes) + added.bytes),
    },
    { transaction: ctx.tx },
  );
}

/**
 * The next entries of the first folder that has some; null when all are copied, and `held` when the
 * others come after a message that its sender can still take back.
 */
async function nextSlice(ctx: TxCtx, ownerId: string, cursors: Record<string, number>): Promise<Slice | 'held' | null> {
  const folders = await readRows<{ id: string }>(
    ctx,
    'SELECT id FROM folders WHERE user_id = ? AND (role IS NULL OR role IN (?)) ORDER BY id',
    [ownerId, copiedFolders],
  );
  let isHeldBack = false;
  for (const folder of folders) {
    const folderId = String(folder.id);
    const rows = await readRows<{ id: string; uid: number; isCopied: number; isHeld: number }>(
      ctx,
      `SELECT id, uid, (NOT draft_status AND NOT scheduled_status) AS isCopied,
              (send_status AND delivery_state <=> 'held' AND undo_until IS NOT NULL AND undo_until > ?) AS isHeld
         FROM mailbox_entries FORCE INDEX (entries_uid)
        WHERE folder_id = ? AND uid > ? ORDER BY uid LIMIT ${sliceEntries}`,
      [new Date(), folderId, cursors[folderId] ?? 0],
    );
    // A message that its sender can still take back does not count as sent. A later slice copies
    // it, and those after it: the cursor must not pass it
    const held = rows.findIndex(({ isHeld }) => Number(isHeld) === 1);
    if (held >= 0) isHeldBack = true;
    const taken = held < 0 ? rows : rows.slice(0, held);
    const last = taken.at(-1);
    if (last === undefined) continue;
    const entryIds = taken.filter(({ isCopied }) => Number(isCopied) === 1).map(({ id }) => String(id));
    return { folderId, upTo: last.uid, entryIds };
  }
  return isHeldBack ? 'held' : null;
}

/** Adds the entries that the copy does not have yet, and whose message still exists. */
async function addEntries(
  ctx: TxCtx,
  copyId: string,
  entryIds: readonly string[],
): Promise<{ received: number; sent: number; bytes: bigint }> {
  if (entryIds.length === 0) return { received: 0, sent: 0, bytes: 0n };
  const messages = await readRows<{ id: string }>(
    ctx,
    'SELECT DISTINCT message_id AS id FROM mailbox_entries WHERE id IN (?)',
    [entryIds],
  );
  if (messages.length === 0) return { received: 0, sent: 0, bytes: 0n };
  // The removal of a message waits for this lock, or has committed before
  const ids = messages.map(({ id }) => String(id));
  await readRows(ctx, 'SELECT id FROM messages WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE', [ids]);
  // This run holds the lock on the row of the copy, so no other run adds entries meanwhile
  const known = await readRows<{ entryId: string }>(
    ctx,
    'SELECT entry_id AS entryId FROM copied_entries WHERE copy_id = ? AND entry_id IN (?)',
    [copyId, entryIds],
  );
  const there = new Set(known.map(({ entryId }) => String(entryId)));
  const wanted = entryIds.filter((id) => !there.has(id));
  if (wanted.length === 0) return { received: 0, sent: 0, bytes: 0n };
  await changeRows(
    ctx,
    `INSERT INTO copied_entries (copy_id, entry_id, message_id, is_sent, read_status, junk_status, bcc_list, arrived_at)
     SELECT ?, e.id, e.message_id, e.send_status, e.read_status, e.junk_status, IF(e.send_status, e.bcc_list, NULL),
            COALESCE(e.first_arrived_at, e.arrived_at)
       FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
      WHERE e.id IN (?) AND e.folder <> 'gone'`,
    [copyId, wanted],
  );
  const [added] = await readRows<{ received: string | null; sent: string | null; bytes: string | null }>(
    ctx,
    `SELECT SUM(NOT c.is_sent) AS received, SUM(c.is_sent) AS sent, SUM(m.size) AS bytes
       FROM copied_entries c FORCE INDEX (copied_entries_once) JOIN messages m ON m.id = c.message_id
      WHERE c.copy_id = ? AND c.entry_id IN (?)`,
    [copyId, wanted],
  );
  return { received: Number(added?.received ?? 0), sent: Number(added?.sent ?? 0), bytes: BigInt(added?.bytes ?? 0) };
}
