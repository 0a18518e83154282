import type { DeliveryState } from '../models/delivery.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';
import { enqueueAll } from '../jobs/enqueue.ts';
import { removeMessage } from '../jobs/remove-message.ts';
import type { EntryFolder } from '../models/mailbox-entry.ts';
import { type ClaimedDelivery, nextAttemptOf, openStates, type Settlement } from './deliveries.ts';
import { announceDeliveries } from './delivery-feed.ts';
import type { Reason } from '../ledger/reasons.ts';

/** What a claimed delivery becomes: it ends, or it is queued again. */
export interface Settled extends Settlement {
  delivery: ClaimedDelivery;
  state: 'stored' | 'relayed' | 'bounced' | 'queued' | 'cancelled';
  /** Set when the sender has just been told of the delay. */
  delayReportedAt?: Date;
}

/** The worst state first: a sent message shows the worst state among its recipients. */
const worstFirst: DeliveryState[] = ['bounced', 'queued', 'held', 'relayed', 'stored', 'cancelled'];

/**
 * Settles any number of deliveries with one statement for each table, and updates the senders'
 * copies. Any worker may report that a message arrived. Only the worker that holds the claim may
 * report a failure or a postponement, so that a worker that lost the claim can't disturb the
 * present holder. A result that is reported twice counts once. After the last delivery of a message
 * that its sender has deleted, the removal of the message is enqueued again.
 * @returns the ids of the deliveries that were settled. The others had been settled before, no
 *   longer exist, or are under another claim by now
 */
export async function settleDeliveries(ctx: TxCtx, settled: readonly Settled[]): Promise<Set<string>> {
  const entryIds = [...new Set(settled.flatMap(({ delivery }) => delivery.entryId ?? []).map(String))];
  // The entries' rows are locked first: two deliveries that end at the same time would each
  // overlook the other
  const entries = await lockSenderCopies(ctx, entryIds);
  const found = await lockRows(ctx, settled);
  const changes = settled.filter((one) => mayChange(one, found.get(String(one.delivery.id))));
  if (changes.length > 0) await writeRows(ctx, changes);
  await keepAttempts(
    ctx,
    changes.filter(({ state }) => state === 'queued'),
  );
  const states = await rollUp(ctx, entries);
  await askForRemovals(ctx, changes, { entries, states });
  return new Set(changes.map(({ delivery }) => String(delivery.id)));
}

interface Found {
  id: string;
  state: DeliveryState;
  claimId: string | null;
  leaseUntil: Date | null;
}

function mayChange({ delivery, state }: Settled, found: Found | undefined): boolean {
  if (!found || !openStates.includes(found.state)) return false;
  if (state === 'relayed' || state === 'stored') return true;
  if (found.claimId !== delivery.claimId) return false;
  // A worker that gets no answer to its commit reports the result again. A postponed delivery is
  // still open then, but its lease has ended
  return state !== 'queued' || found.leaseUntil !== null;
}

interface Entry {
  id: string;
  userId: string;
  state: DeliveryState | null;
  folder: EntryFolder;
}

/** A state that at least one delivery of an entry has. */
interface EntryState {
  entryId: string;
  state: DeliveryState;
}

/** Locks the senders' copies, in the order of their ids. */
export async function lockSenderCopies(ctx: TxCtx, ids: readonly string[]): Promise<Entry[]> {
  if (ids.length === 0) return [];
  const statement =
    'SELECT id, user_id AS userId, delivery_state AS state, folder FROM mailbox_entries WHERE id IN (?) ORDER BY id FOR UPDATE';
  return await readRows<Entry>(ctx, statement, [ids]);
}

async function lockRows(ctx: TxCtx, settled: readonly Settled[]): Promise<Map<string, Found>> {
  const rows = await readRows<Found>(
    ctx,
    'SELECT id, state, claim_id AS claimId, lease_until AS leaseUntil FROM deliveries WHERE id IN (?) ORDER BY id FOR UPDATE',
    [settled.map(({ delivery }) => String(delivery.id))],
  );
  return new Map(rows.map((row) => [String(row.id), row]));
}

/**
 * From this number of rows on, rows with the same outcome are written by a statement of their own.
 */
const manyRows = 10;

/**
 * The rows of one transfer mostly have the same outcome, so one statement names it once for all of
 * them. For the rows of many small transfers, the statement joins a table of values.
 */
async function writeRows(ctx: TxCtx, changes: readonly Settled[]): Promise<void> {
  const now = new Date();
  const written = changes.map((one) => ({ id: String(one.delivery.id), outcome: outcomeOf(ctx, one, now) }));
  const each: Written[] = [];
  for (const rows of Map.groupBy(written, ({ outcome }) => JSON.stringify(outcome)).values()) {
    const [first] = rows;
    if (first === undefined || rows.length < manyRows) each.push(...rows);
    else await writeOutcome(ctx, { outcome: first.outcome, ids: rows.map(({ id }) => id), now });
  }
  if (each.length > 0) await writeEach(ctx, each, now);
}

/** A row and what is written to it. */
interface Written {
  id: string;
  outcome: SqlValue[];
}

async function writeOutcome(
  ctx: TxCtx,
  { outcome, ids, now }: { outcome: SqlValue[]; ids: string[]; now: Date },
): Promise<void> {
  await changeRows(
    ctx,
    `UPDATE deliveries
        SET state = ?, reason = ?, last_reply = ?, remote_host = ?, tls = ?, tls_protocol = ?,
            next_attempt_at = ?, lease_until = NULL,
            delay_reported_at = COALESCE(delay_reported_at, ?), updated_at = ?
      WHERE id IN (?)`,
    [...outcome, now, ids],
  );
}

async function writeEach(ctx: TxCtx, rows: readonly Written[], now: Date): Promise<void> {
  const row =
    'SELECT CAST(? AS UNSIGNED) AS id, ? AS state, ? AS reason, ? AS reply, ? AS host, ? AS tls, ? AS protocol, CAST(? AS DATETIME(3)) AS at, CAST(? AS DATETIME(3)) AS told';
  await changeRows(
    ctx,
    `UPDATE deliveries d JOIN (${rows.map(() => row).join(' UNION ALL ')}) s ON s.id = d.id
        SET d.state = s.state, d.reason = s.reason, d.last_reply = s.reply, d.remote_host = s.host,
            d.tls = s.tls, d.tls_protocol = s.protocol,
            d.next_attempt_at = s.at, d.lease_until = NULL,
            d.delay_reported_at = COALESCE(d.delay_reported_at, s.told), d.updated_at = ?`,
    [...rows.flatMap(({ id, outcome }) => [id, ...outcome]), now],
  );
}

function outcomeOf(
  ctx: Ctx,
  { delivery, state, reason, lastReply, remoteHost, tls, delayReportedAt }: Settled,
  now: Date,
): SqlValue[] {
  const at = state === 'queued' ? nextAttemptOf(ctx, delivery, now) : null;
  const [reached, protocol] = [tls?.state ?? null, tls?.protocol ?? null];
  return [state, reason, lastReply, remoteHost, reached, protocol, at, delayReportedAt ?? null];
}

/**
 * The row of a delivery holds the outcome of its last attempt. The outcomes of earlier attempts are
 * kept in a table beside it, so that the ledger can show all of them (D58).
 */
async function keepAttempts(ctx: TxCtx, deferred: readonly Settled[]): Promise<void> {
  if (deferred.length === 0) return;
  const now = new Date();
  await changeRows(
    ctx,
    `INSERT INTO delivery_attempts (delivery_id, attempted_at, reason, last_reply, remote_host, tls, tls_protocol)
     VALUES ${deferred.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
    deferred.flatMap(({ delivery, reason, lastReply, remoteHost, tls }): SqlValue[] => [
      String(delivery.id),
      now,
      reason,
      lastReply?.slice(0, 1000) ?? null,
      remoteHost?.slice(0, 255) ?? null,
      tls?.state ?? null,
      tls?.protocol ?? null,
    ]),
  );
}

/**
 * Shows the worst state of the deliveries in the senders' copies. A read without a lock is enough:
 * whatever changes the state of a delivery has locked its entry. Only `endHolding` (find-due.ts)
 * has not, and it changes the entry itself afterwards. After the commit the change is announced to
 * the senders, even if the worst state is the same as before, because a window shows the state of
 * each recipient.
 */
export async function rollUp(ctx: TxCtx, entries: readonly Entry[]): Promise<EntryState[]> {
  if (entries.length === 0) return [];
  const rows = await readRows<EntryState>(
    ctx,
    `SELECT entry_id AS entryId, state FROM deliveries
      WHERE entry_id IN (?) AND direction = 'out' GROUP BY entry_id, state`,
    [entries.map(({ id }) => id)],
  );
  for (const state of worstFirst) {
    const changed = entries.filter((entry) => entry.state !== state && worstOf(entry.id, rows) === state);
    if (changed.length === 0) continue;
    await changeRows(ctx, 'UPDATE mailbox_entries SET delivery_state = ?, updated_at = ? WHERE id IN (?)', [
      state,
      new Date(),
      changed.map(({ id }) => id),
    ]);
  }
  const shown = entries.filter(({ folder }) => folder !== 'gone');
  ctx.tx.afterCommit(() => announceDeliveries(ctx.app, shown));
  return rows;
}

/**
 * Enqueues the removal of messages whose deliveries have ended. When a sender deleted their copy,
 * the removal job found that the message was still to be delivered, and no later job would come.
 * For a message without a sender's copy, such as a notice or a forwarded copy, no job was ever
 * enqueued. A message is named here only when all deliveries of its copy have ended. The job checks
 * whether a person still has the message.
 */
async function askForRemovals(
  ctx: TxCtx,
  changes: readonly Settled[],
  { entries, states }: { entries: readonly Entry[]; states: readonly EntryState[] },
): Promise<void> {
  const kept = new Set(entries.filter(({ folder }) => folder !== 'gone').map(({ id }) => String(id)));
  const open = new Set(states.filter(({ state }) => openStates.includes(state)).map(({ entryId }) => String(entryId)));
  const messageIds = changes.flatMap(({ delivery: { messageId, entryId }, state }) => {
    const isWanted = state === 'queued' || kept.has(String(entryId)) || open.has(String(entryId));
    return isWanted || messageId === null ? [] : [String(messageId)];
  });
  const requests = [...new Set(messageIds)].map((messageId) => ({ payload: { messageId }, causeId: null }));
  await enqueueAll(ctx, removeMessage, requests);
}

function worstOf(id: string, rows: readonly EntryState[]): DeliveryState | undefined {
  const states = new Set(rows.filter(({ entryId }) => entryId === id).map(({ state }) => state));
  return worstFirst.find((state) => states.has(state));
}

/**
 * Gives up claims that led to no attempt, so that the attempt does not count, and sets the time of
 * the next one. Only the first call for a claim has an effect. Without a reason, the deliveries
 * keep the reason that they had.
 */
export async function postponeDeliveries(
  ctx: Ctx,
  deliveries: readonly ClaimedDelivery[],
  { reason = null, at }: { reason?: Reason | null; at: Date },
): Promise<void> {
  const [first] = deliveries;
  if (first === undefined) return;
  await changeRows(
    ctx,
    `UPDATE deliveries SET attempts = attempts - 1, lease_until = NULL, next_attempt_at = ?,
            reason = COALESCE(?, reason), updated_at = ?
      WHERE id IN (?) AND state = 'queued' AND claim_id = ? AND lease_until IS NOT NULL`,
    [at, reason, new Date(), deliveries.map(({ id }) => String(id)), first.claimId],
  );
}
