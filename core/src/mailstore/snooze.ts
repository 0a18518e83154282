import { escape } from 'mysql2';
import { requireOnEntries } from '../access/mail-permissions.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { sqlMoment } from '../database/insert-rows.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { conflict } from '../errors.ts';
import { log } from '../log.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeEntries } from './change-entries.ts';
import { lockEntries, lockNamed, type NamedEntries } from './change-status.ts';
import { batchesOf, entriesOfThreads } from './change-thread-status.ts';
import { flagsOf, folderOf } from './folders.ts';
import { readSnoozes } from './snoozes-and-reminders.ts';

/*
 * A snoozed message (D61):
 *
 *   inbox -- snooze --> snoozed -- its time comes --> inbox: unread, at the top
 *     ^                    |
 *     '---- taken back ----'-- archived, trashed, reported as junk --> there, and it stays there
 */

/** Entries that are woken for one person before the next person's turn. */
const wakeBatch = 500;
/** How long entries that could not be woken wait for the next attempt. */
const retryMs = 60_000;

/** A changed entry, and until when it was snoozed before; null when it was not snoozed. */
export interface Touched {
  id: string;
  before: Date | null;
}

interface Snooze extends NamedEntries {
  /** Null wakes them: they go back to where they were. */
  until: Date | null;
}

/**
 * Snoozes messages of the inbox until a time, or puts them back. It changes all of them or none.
 * @throws AppError notFound when one of the ids is not an entry of this person, or is deleted; 403
 *   when the actor may not change what is in its folder; 409 when one is in another folder
 */
export async function snooze(ctx: Ctx, { until, ...named }: Snooze): Promise<Touched[]> {
  return await inTransaction(ctx, async (tx) => {
    const entries = await lockNamed(tx, named);
    const places = entries.map((entry) => ({ folder: folderOf(flagsOf(entry)), starStatus: entry.starStatus }));
    requireOnEntries(tx, places, 'edit');
    const changed = until === null ? entries.filter(({ snoozedStatus }) => snoozedStatus) : entries;
    if (until !== null && places.some(({ folder }) => folder !== 'inbox' && folder !== 'snoozed')) {
      throw conflict('Only messages of the inbox can be snoozed.', 'not_in_inbox');
    }
    const before = await readSnoozes(tx, changed);
    await writeSnoozes(tx, { userId: named.userId, entries: changed, until });
    return changed.map(({ id }) => ({ id: String(id), before: before.get(String(id)) ?? null }));
  });
}

/**
 * As `snooze`, for whole conversations: each id names the conversation of that entry in its folder,
 * up to this entry.
 * @returns `isLeft` when there are more entries than one call changes
 */
export async function snoozeThreads(
  ctx: Ctx,
  { userId, entryIds, until }: Omit<Snooze, 'isMeant'>,
): Promise<{ touched: Touched[]; isLeft: boolean }> {
  const condition =
    until === null
      ? 'snoozed_status = 1'
      : `id NOT IN (SELECT entry_id FROM snoozes WHERE user_id = ${escape(userId)} AND until_at = ${escape(sqlMoment(until))})`;
  const { found, isMeant, isLeft } = await entriesOfThreads(ctx, { userId, entryIds, condition });
  const touched: Touched[] = [];
  for (const ids of batchesOf(found)) {
    touched.push(...(await snooze(ctx, { userId, entryIds: ids, isMeant, until })));
  }
  return { touched, isLeft };
}

async function writeSnoozes(
  tx: TxCtx,
  { userId, entries, until }: { userId: string; entries: readonly MailboxEntry[]; until: Date | null },
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const ids = entries.map(({ id }) => String(id));
  if (until === null) await changeRows(tx, 'DELETE FROM snoozes WHERE entry_id IN (?)', [ids]);
  else {
    const rows = ids.map((id) => `(${[id, userId, sqlMoment(until)].map((value) => escape(value)).join(', ')})`);
    await changeRows(
      tx,
      `INSERT INTO snoozes (entry_id, user_id, until_at) VALUES ${rows.join(', ')}
       ON DUPLICATE KEY UPDATE until_at = VALUES(until_at)`,
      [],
    );
  }
  await changeEntries(tx, { companyId: first.companyId, userId, entries }, { snoozedStatus: until !== null });
}

/**
 * Puts messages whose time has come to the top of the inbox. Those that were archived, trashed or
 * reported as junk meanwhile stay where they are. People take turns, so that the messages of one
 * person hold up those of the others by one batch.
 * @returns how many woke
 */
export async function wakeSnoozed(ctx: Ctx, signal?: AbortSignal, now = new Date()): Promise<number> {
  const people = await readRows<{ userId: string }>(
    ctx,
    'SELECT user_id AS userId FROM snoozes WHERE until_at <= ? GROUP BY user_id ORDER BY MIN(until_at)',
    [now],
  );
  let woken = 0;
  let turns = people.map(({ userId }) => ({ userId: String(userId), after: '0' }));
  while (turns.length > 0) {
    const next: typeof turns = [];
    for (const { userId, after } of turns) {
      signal?.throwIfAborted();
      const ids = await readDue(ctx, { userId, after, now });
      const last = ids.at(-1);
      if (last === undefined) continue;
      woken += await wakeOrPutOff(ctx, { userId, ids, now });
      if (ids.length === wakeBatch) next.push({ userId, after: last });
    }
    turns = next;
  }
  return woken;
}

/**
 * The next due entries of a person. The order by id lets repeated calls read the index only once.
 */
async function readDue(
  ctx: Ctx,
  { userId, after, now }: { userId: string; after: string; now: Date },
): Promise<string[]> {
  const rows = await readRows<{ entryId: string }>(
    ctx,
    `SELECT entry_id AS entryId FROM snoozes FORCE INDEX (snoozes_user)
      WHERE user_id = ? AND entry_id > ? AND until_at <= ? ORDER BY entry_id LIMIT ${wakeBatch}`,
    [userId, after, now],
  );
  return rows.map(({ entryId }) => String(entryId));
}

async function wakeOrPutOff(ctx: Ctx, { userId, ids, now }: Due): Promise<number> {
  try {
    return await inTransaction(ctx, (tx) => wake(tx, { userId, ids, now }));
  } catch (error) {
    log.error('snoozed messages could not be woken, and are tried again', { userId, error });
    const later = new Date(now.getTime() + retryMs);
    await changeRows(ctx, 'UPDATE snoozes SET until_at = ? WHERE entry_id IN (?) AND until_at <= ?', [later, ids, now]);
    return 0;
  }
}

interface Due {
  userId: string;
  ids: string[];
  now: Date;
}

async function wake(tx: TxCtx, { userId, ids, now }: Due): Promise<number> {
  const locked = await lockEntries(tx, userId, ids);
  const times = await readSnoozes(tx, locked);
  // Another worker may have been sooner, or the person has chosen another time
  const due = locked.filter(({ id }) => (times.get(String(id)) ?? Infinity) <= now);
  await changeRows(tx, 'DELETE FROM snoozes WHERE entry_id IN (?) AND until_at <= ?', [ids, now]);
  const isAsleep = (entry: MailboxEntry) => folderOf(flagsOf(entry)) === 'snoozed';
  const sleeping = due.filter(isAsleep);
  const newest = new Map(sleeping.map((entry) => [entry.threadKey, entry]));
  const isNewest = (entry: MailboxEntry) => newest.get(entry.threadKey) === entry;
  if (sleeping.length > 0) {
    await changeRows(
      tx,
      'UPDATE mailbox_entries SET first_arrived_at = COALESCE(first_arrived_at, arrived_at) WHERE id IN (?)',
      [sleeping.map(({ id }) => String(id))],
    );
  }
  const change = async (entries: readonly MailboxEntry[], values: Parameters<typeof changeEntries>[2]) => {
    const [first] = entries;
    if (first) await changeEntries(tx, { companyId: first.companyId, userId, entries }, values);
  };
  const awake = { snoozedStatus: false, arrivedAt: now };
  await change(
    sleeping.filter((entry) => !isNewest(entry)),
    awake,
  );
  await change(sleeping.filter(isNewest), { ...awake, readStatus: false });
  await change(
    due.filter((entry) => !isAsleep(entry)),
    { snoozedStatus: false },
  );
  return sleeping.length;
}
