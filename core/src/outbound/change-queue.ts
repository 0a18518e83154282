import { type AuditAction, recordAudits } from '../access/audit.ts';
import type { Scope } from '../context/actor.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';
import { holdsAlarms } from '../environment/host-state.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import {
  heldByAdministrator,
  heldReason,
  inGroup,
  queuedFor,
  type WaitingCondition,
} from '../ledger/waiting-groups.ts';
import type { DeliveryTls } from '../models/delivery.ts';
import { type ClaimedDelivery, inUndoTime, newClaimId, queued, transferKey } from './deliveries.ts';
import { recordWithin } from './record-attempt.ts';
import { lockSenderCopies, rollUp } from './settle-deliveries.ts';

/*
 * What an administrator can do with mail that waits:
 *
 *   queued -- retry ----> queued, due at once; the attempt is not counted in the schedule
 *   queued -- hold -----> held, without a time: no worker looks at it; so is mail in its undo time
 *                         whose sender was switched off
 *   held ---- release --> queued, due at once; on a restored host whose outgoing mail is held back,
 *                         without a time
 *   either -- give up --> bounced, and the sender is told, as after the last attempt
 *
 * A row that a worker has claimed is left alone: its transfer may be succeeding at this moment. A
 * row that a restore holds back is queued without a time, and only the operator gives it one
 * (backup/settle-restored.ts). An administrator can only give it up. If its sender is switched off,
 * it is held like other mail, so that it doesn't leave when the operator releases what the restore
 * holds back.
 *
 * The rows of an action, the reports to senders and the audit event are one transaction. So if a
 * process dies, a slice is either given up and reported, or nothing of it has happened.
 */

export type QueueAction = 'retry' | 'hold' | 'release' | 'give_up';

/** The rows to change: one row, or those of a domain or of senders, of one reason or of any. */
export type QueueTarget = { id: string } | (Party & { reason?: string | undefined });
/**
 * Sender addresses have to be in lower case. A sender who was switched off can take nothing back,
 * so `hold` then also applies to rows in their undo time, and to rows that a restore holds back.
 * Copies that a mailbox forwards have its address as their sender, and `withoutCopies` leaves them
 * out.
 */
type Party = { domain: string } | { senders: readonly string[]; areSwitchedOff?: boolean; withoutCopies?: boolean };

/**
 * The most rows that one call changes; the caller repeats it for more. `give_up` also writes a
 * report for each message.
 */
const slice: Record<QueueAction, number> = { retry: 500, hold: 500, release: 500, give_up: 50 };

const actions: Record<QueueAction, AuditAction> = {
  retry: 'delivery:retried',
  hold: 'delivery:held',
  release: 'delivery:released',
  give_up: 'delivery:given-up',
};

/** A condition for the rows that an action applies to: waiting rows that no worker has claimed. */
interface Waiting extends WaitingCondition {
  isHeld: boolean;
}

/**
 * A retry of a domain or of senders skips rows that are due already. A row that the caller names is
 * retried even when it is due, unless a worker has claimed it or a restore holds it back.
 */
function waiting(action: QueueAction, target: QueueTarget, now: Date): Waiting[] {
  const free = '(lease_until IS NULL OR lease_until < ?)';
  const ofQueued = { sql: `${queued} AND ${free}`, values: [now], isHeld: false };
  const ofTimed = { ...ofQueued, sql: `${ofQueued.sql} AND next_attempt_at IS NOT NULL` };
  const ofHeld = { sql: `${heldByAdministrator} AND ${free}`, values: [now], isHeld: true };
  switch (action) {
    case 'retry':
      return 'id' in target
        ? [ofTimed]
        : [{ ...ofQueued, sql: `${ofQueued.sql} AND next_attempt_at > ?`, values: [now, now] }];
    case 'hold':
      return 'senders' in target && target.areSwitchedOff
        ? [ofQueued, { sql: inUndoTime, values: [], isHeld: true }]
        : [ofTimed];
    case 'release':
      return [ofHeld];
    case 'give_up':
      return [ofQueued, ofHeld];
  }
}

/**
 * Performs an action on waiting mail of the scope, on one slice at most. Of a domain or of senders,
 * rows that were changed after `before` are left alone, so that a caller that repeats the call
 * comes to an end. A row that the target names is changed whenever it was last changed.
 * @returns how many rows were changed, and whether there may be more
 */
export async function changeQueue(
  ctx: Ctx,
  action: QueueAction,
  { scope, target, before }: { scope: Scope; target: QueueTarget; before: Date },
): Promise<{ changed: number; hasMore: boolean }> {
  const now = new Date();
  const rows = await findWaiting(ctx, action, { scope, target, before, now });
  // Rows that are due already only wait for a worker to look for them
  if (action === 'retry' && rows.length === 0) ctx.app.relay.wake(deliverMessage);
  if (rows.length === 0) return { changed: 0, hasMore: false };
  const ids = rows.map(({ id }) => String(id));
  const changed = await inTransaction(ctx, async (tx) => {
    const entryIds = rows.flatMap(({ entryId }) => (entryId === null ? [] : [String(entryId)]));
    // The entries are locked before their deliveries, in the same order as when workers settle
    const entries = await lockSenderCopies(tx, [...new Set(entryIds)]);
    const wanted = { ids, target, now };
    const owners = action === 'give_up' ? await giveUp(tx, wanted) : await change(tx, action, wanted);
    if (action === 'hold' || action === 'release') await rollUp(tx, entries);
    if (owners.length > 0) await audit(tx, { action, target }, owners);
    tx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
    return owners.length;
  });
  return { changed, hasMore: rows.length === slice[action] };
}

interface Wanted {
  scope: Scope;
  target: QueueTarget;
  before: Date;
  now: Date;
}

/** The company of a row that was changed; null where it has none. */
type Owner = string | null;

interface WaitingRow {
  id: string;
  entryId: string | null;
}

async function findWaiting(ctx: Ctx, action: QueueAction, wanted: Wanted): Promise<WaitingRow[]> {
  const parts = waiting(action, wanted.target, wanted.now).map((one) => partOf(one, wanted, slice[action]));
  return await readRows<WaitingRow>(
    ctx,
    `${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')} LIMIT ${slice[action]}`,
    parts.flatMap(({ values }) => values),
  );
}

function partOf({ isHeld, ...state }: Waiting, { scope, target, before }: Wanted, most: number): WaitingCondition {
  const { table, ...which } = placeOf({ scope, target, isHeld });
  const conditions: WaitingCondition[] = [state, which];
  if (scope.kind === 'company') conditions.push({ sql: 'company_id = ?', values: [scope.companyId] });
  if (!('id' in target)) {
    conditions.push({ sql: 'updated_at < ?', values: [before] });
    if (target.reason !== undefined) conditions.push({ sql: 'reason = ?', values: [target.reason] });
  }
  return {
    sql: `SELECT id, entry_id AS entryId FROM ${table}
           WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} LIMIT ${most}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/**
 * A company's rows have an index of their own, which skips other companies' rows for the domain.
 */
function placeOf({ scope, target, isHeld }: Pick<Wanted, 'scope' | 'target'> & { isHeld: boolean }) {
  if ('id' in target) return { table: 'deliveries', sql: 'id = ?', values: [target.id] };
  if ('senders' in target) {
    return {
      table: 'deliveries FORCE INDEX (deliveries_sender)',
      sql: target.withoutCopies ? 'sender_key IN (?) AND forwarded_for IS NULL' : 'sender_key IN (?)',
      values: [[...target.senders]],
    };
  }
  if (scope.kind !== 'company') {
    return {
      table: 'deliveries FORCE INDEX (deliveries_domain)',
      sql: 'recipient_domain = ?',
      values: [target.domain],
    };
  }
  const { sql, values } = groupsOf(target, isHeld);
  return {
    table: 'deliveries FORCE INDEX (deliveries_waiting)',
    sql: `waiting_company = ? AND ${sql}`,
    values: [scope.companyId, ...values],
  };
}

function groupsOf({ domain, reason }: { domain: string; reason?: string | undefined }, isHeld: boolean) {
  if (isHeld) return inGroup(domain, heldReason);
  return reason === undefined ? queuedFor(domain) : inGroup(domain, reason);
}

interface Change {
  ids: string[];
  target: QueueTarget;
  now: Date;
}

/**
 * Repeats the condition: workers may have changed the rows meanwhile.
 * @returns the owner of each row that was changed
 */
async function change(
  ctx: TxCtx,
  action: Exclude<QueueAction, 'give_up'>,
  { ids, target, now }: Change,
): Promise<Owner[]> {
  // Locked, so that the operator, who ends the holding back, also gives this row its time
  const isHeldBack = action === 'release' && (await holdsAlarms(ctx, { isLocked: true }));
  const sets: Record<typeof action, [string, SqlValue[]]> = {
    // MariaDB sets from left to right, and attempts are unsigned
    retry: [
      `attempts = IF(attempts > 0 AND next_attempt_at > ?, attempts - 1, attempts),
       next_attempt_at = LEAST(next_attempt_at, ?)`,
      [now, now],
    ],
    // claim_id is cleared, so a worker whose lease has run out can no longer queue the row again
    hold: [`state = 'held', reason = 'held_by_administrator', next_attempt_at = NULL, claim_id = NULL`, []],
    release: [`state = 'queued', reason = 'accepted', next_attempt_at = ?`, [isHeldBack ? null : now]],
  };
  const [set, setValues] = sets[action];
  const changed: Owner[] = [];
  for (const { sql, values } of waiting(action, target, now)) {
    const rows = await readRows<{ companyId: Owner }>(
      ctx,
      `SELECT company_id AS companyId FROM deliveries FORCE INDEX (PRIMARY) WHERE id IN (?) AND ${sql} FOR UPDATE`,
      [ids, ...values],
    );
    const statement = `UPDATE deliveries SET lease_until = NULL, ${set}, updated_at = ? WHERE id IN (?) AND ${sql}`;
    await changeRows(ctx, statement, [...setValues, now, ids, ...values]);
    changed.push(...rows.map(({ companyId }) => companyId));
  }
  return changed;
}

/** One event for each company, so that each finds in its own trail what was done with its mail. */
async function audit(
  ctx: TxCtx,
  { action, target }: { action: QueueAction; target: QueueTarget },
  owners: readonly Owner[],
): Promise<void> {
  const whatOf = (messages: number) =>
    'id' in target
      ? { entity: 'delivery', entityId: target.id }
      : { details: { ...partyOf(target), ...(target.reason ? { reason: target.reason } : {}), messages } };
  const events = [...Map.groupBy(owners, (owner) => (owner === null ? null : String(owner)))].map(
    ([companyId, { length }]) => ({ action: actions[action], companyId, ...whatOf(length) }),
  );
  await recordAudits(ctx, events);
}

function partyOf(party: Party): Record<string, string> {
  return 'domain' in party ? { domain: party.domain } : { sender: party.senders.join(', ') };
}

interface GivenUp extends ClaimedDelivery {
  companyId: Owner;
  lastReply: string | null;
  remoteHost: string | null;
  tls: DeliveryTls | null;
  tlsProtocol: string | null;
}

/**
 * Ends rows, and sends one report for each message to its sender. The rows are claimed first, as a
 * worker would. A worker that still works on them then finds that it has lost its claim.
 * @returns the owner of each row that was ended
 */
async function giveUp(ctx: TxCtx, { ids, target, now }: Change): Promise<Owner[]> {
  const claimId = newClaimId();
  for (const { sql, values } of waiting('give_up', target, now)) {
    const statement = `UPDATE deliveries SET claim_id = ?, updated_at = ? WHERE id IN (?) AND ${sql}`;
    await changeRows(ctx, statement, [claimId, now, ids, ...values]);
  }
  const rows = await readRows<GivenUp>(
    ctx,
    `SELECT id, company_id AS companyId, message_id AS messageId, mail_id AS mailId, recipient,
            recipient_domain AS recipientDomain, envelope_from AS envelopeFrom, attempts,
            next_attempt_at AS nextAttemptAt, delay_reported_at AS delayReportedAt, entry_id AS entryId,
            forwarded_for AS forwardedFor, created_at AS createdAt, released_at AS releasedAt,
            claim_id AS claimId, last_reply AS lastReply, remote_host AS remoteHost, tls, tls_protocol AS tlsProtocol
       FROM deliveries WHERE id IN (?) AND claim_id = ? ORDER BY id`,
    [ids, claimId],
  );
  const transfers = [...Map.groupBy(rows, transferKey).values()];
  await recordWithin(
    ctx,
    transfers.map((group) => group.map((delivery) => ({ delivery, result: resultOf(delivery) }))),
  );
  return rows.map(({ companyId }) => companyId);
}

function resultOf({ lastReply, remoteHost, tls, tlsProtocol: protocol }: GivenUp) {
  const reached = tls === null ? {} : { tls: { state: tls, protocol } };
  return { kind: 'refused', reason: 'given_up', lastReply, remoteHost, ...reached } as const;
}
