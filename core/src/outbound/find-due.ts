import type { Ctx } from '../context/context.ts';
import { changeRows, readRows, type SqlValue } from '../database/run-sql.ts';
import { type Claims, inUndoTime, mostRecipients, queued } from './deliveries.ts';
import { announceDeliveries } from './delivery-feed.ts';

/*
 * Due deliveries are found in three ways. `queueAndFindDue` reads the longest due rows with one
 * statement. If it gives fewer rows than its limit, it has found everything. Otherwise a domain
 * with many due rows may hide all others. Then `findDueHere` looks at the domains that are hosted
 * here, and `findDueByDomain` goes from domain to domain, by an index that has the domain before
 * the time. It reads the index page by page, and each page begins after the last domain of the page
 * before. So a domain with a million rows costs no more than one page.
 *
 * Where automatic messages to other hosts have to wait, the first and the last of these leave them
 * out. They would fill the limits and hide all other mail.
 */

/** A due delivery: the part of its row that a claim needs. */
export interface DueDelivery {
  id: string;
  messageId: string | null;
  forwardedFor: string | null;
  recipientDomain: string;
  attempts: number;
  /** Its domain is hosted here, so no other host gets it. */
  isHosted: boolean;
  /**
   * An answer of a person who is away, or a notice: a message of this host with the null sender.
   * Reports are stored at once and never queued.
   */
  isAutomatic: boolean;
}

/** The result of one search of the queue. */
export interface DueDeliveries {
  due: DueDelivery[];
  /** True when there may be more due deliveries. */
  isCutOff: boolean;
  /** When the next delivery will be due that is not due yet; null if nothing waits. */
  nextAt: Date | null;
}

/** The most due rows that one search reads. What they hide is found by the other searches. */
const dueLimit = 200;
/** Entries of the index that one step of `findDueByDomain` reads. */
const pageLimit = 500;
/** Domains that such a step looks at, at least, where it leaves out automatic messages. */
const fewestDomains = 100;

/**
 * Neither a domain nor its company is deleted. Mail to a deleted one leaves this host (D7). The
 * company is read by a query of its own: in a join, `state` would also be a column of companies.
 */
const isKept = '(h.deleted_at IS NULL AND (SELECT c.deleted_at IS NULL FROM companies c WHERE c.id = h.company_id))';
/** The domain of a row is hosted here: its company has proved it. */
const isHosted = `EXISTS (SELECT 1 FROM domains h
  WHERE h.owned_name = CONVERT(recipient_domain USING ascii) AND ${isKept})`;
const isAutomatic = `(envelope_from = '' AND forwarded_for IS NULL)`;
const columns = `deliveries.id, message_id AS messageId, forwarded_for AS forwardedFor, recipient_domain AS recipientDomain,
  attempts, ${isAutomatic} AS isAutomatic`;

/**
 * A row as the database gives it. In a union with NULL a number is a BIGINT, which comes as text.
 */
type FoundRow = Omit<DueDelivery, 'attempts' | 'isHosted' | 'isAutomatic'> &
  Record<'attempts' | 'isHosted' | 'isAutomatic', number | string>;

/** The host's own name counts as hosted here, since it has a postmaster. */
function dueOf(ctx: Ctx, row: FoundRow): DueDelivery {
  const { id, messageId, forwardedFor, recipientDomain } = row;
  return {
    id,
    messageId,
    forwardedFor,
    recipientDomain,
    attempts: Number(row.attempts),
    isHosted: Number(row.isHosted) === 1 || recipientDomain === ctx.app.config.hostname,
    isAutomatic: Number(row.isAutomatic) === 1,
  };
}

/**
 * The index is forced, because the optimiser misjudges this table: nearly all of its rows are not
 * in the queue.
 */
const byTime = 'deliveries FORCE INDEX (deliveries_due)';
const byDomain = 'deliveries FORCE INDEX (deliveries_domain)';
const held = `direction = 'out' AND state = 'held'`;

/** The condition under which a row may be claimed, with the values for its place holders. */
export function claimable(now: Date, { withRunOutLeases }: Claims): { condition: string; values: SqlValue[] } {
  const free = withRunOutLeases ? '(lease_until IS NULL OR lease_until < ?)' : 'lease_until IS NULL';
  return { condition: `${queued} AND next_attempt_at <= ? AND ${free}`, values: withRunOutLeases ? [now, now] : [now] };
}

/** The same, without automatic messages to other hosts if `withAutomatic` is false. */
function wanted(ctx: Ctx, now: Date, { claims, withAutomatic }: { claims: Claims; withAutomatic: boolean }) {
  const { condition, values } = claimable(now, claims);
  if (withAutomatic) return { condition, values };
  return {
    condition: `${condition} AND NOT (${isAutomatic} AND recipient_domain <> ? AND NOT ${isHosted})`,
    values: [...values, ctx.app.config.hostname],
  };
}

/**
 * Finds due deliveries that no worker has claimed, the longest due ones first. Before that, it
 * queues deliveries whose undo time is over.
 * @param options.withAutomatic false to leave out automatic messages to other hosts
 */
export async function queueAndFindDue(
  ctx: Ctx,
  claims: Claims,
  options: { withAutomatic?: boolean; now?: Date } = {},
): Promise<DueDeliveries> {
  const { withAutomatic = true, now = new Date() } = options;
  const { condition, values } = wanted(ctx, now, { claims, withAutomatic });
  const nothing = 'NULL, NULL, NULL, NULL, NULL, NULL, NULL';
  const later = (state: string) =>
    `(SELECT ${nothing}, next_attempt_at FROM ${byTime}
       WHERE ${state} AND next_attempt_at > ? ORDER BY next_attempt_at LIMIT 1)`;
  const rows = await readRows<FoundRow & { nextAt: Date | null }>(
    ctx,
    `(SELECT ${columns}, ${isHosted} AS isHosted, NULL AS nextAt FROM ${byTime}
       WHERE ${condition} ORDER BY next_attempt_at, id LIMIT ${dueLimit})
      UNION ALL
     (SELECT ${nothing}, next_attempt_at FROM ${byTime}
       WHERE ${inUndoTime} AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT 1)
      UNION ALL ${later(queued)} UNION ALL ${later(held)}`,
    [...values, now, now, now],
  );
  const due = rows.filter(({ id }) => id !== null).map((row) => dueOf(ctx, row));
  const times = rows.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt.getTime()]));
  if (times.some((time) => time <= now.getTime()) && (await endHolding(ctx, now)) > 0)
    return await queueAndFindDue(ctx, claims, { withAutomatic, now });
  return {
    due,
    isCutOff: due.length === dueLimit,
    nextAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}

/** One step of the way from domain to domain. */
export interface DomainStep {
  /** The last domain that an earlier step has seen; empty at the start. */
  after: string;
  /** The most domains to take rows of. */
  most: number;
  /**
   * Domains that have no room for another transfer are passed over. Of a domain that has none for
   * another automatic message, such messages are left out.
   */
  isFull(domain: string, isAutomatic: boolean): boolean;
}

/**
 * Due deliveries of the next domains. The returned `after` is empty when no further domain is left.
 */
export async function findDueByDomain(
  ctx: Ctx,
  claims: Claims,
  { after, most, isFull }: DomainStep,
  now = new Date(),
): Promise<{ due: DueDelivery[]; after: string }> {
  const entries = await readRows<{ domain: string; dueAt: Date }>(
    ctx,
    `SELECT recipient_domain AS domain, next_attempt_at AS dueAt FROM ${byDomain}
      WHERE ${queued} AND recipient_domain > ? ORDER BY recipient_domain, next_attempt_at LIMIT ${pageLimit}`,
    [after],
  );
  // The first entry of a domain is its longest due one
  const domains = new Map(entries.toReversed().map(({ domain, dueAt }) => [domain, dueAt]));
  const waiting = [...domains.keys()]
    .toReversed()
    .filter((domain) => !isFull(domain, false) && (domains.get(domain) ?? now) <= now)
    .map((domain) => ({ domain, withAutomatic: !isFull(domain, true) }));
  // A domain without its automatic messages may have nothing that is due
  const isSure = waiting.slice(0, most).every(({ withAutomatic }) => withAutomatic);
  const next = waiting.slice(0, isSure ? most : Math.max(most, fewestDomains));
  const due = next.length === 0 ? [] : await findOfDomains(ctx, next, { claims, now });
  const byName = Map.groupBy(due, ({ recipientDomain }) => recipientDomain);
  const found = next.map(({ domain }) => domain).filter((domain) => byName.has(domain));
  const taken = found.slice(0, most);
  let last = entries.length < pageLimit ? '' : entries.at(-1)?.domain;
  if (taken.length < found.length) last = taken.at(-1);
  else if (next.length < waiting.length) last = next.at(-1)?.domain;
  return { due: taken.flatMap((domain) => byName.get(domain) ?? []), after: last ?? '' };
}

async function findOfDomains(
  ctx: Ctx,
  domains: readonly { domain: string; withAutomatic: boolean }[],
  { claims, now }: { claims: Claims; now: Date },
): Promise<DueDelivery[]> {
  const parts = domains.map(({ domain, withAutomatic }) => {
    const { condition, values } = wanted(ctx, now, { claims, withAutomatic });
    const sql = `(SELECT ${columns}, ${isHosted} AS isHosted FROM ${byDomain}
      WHERE recipient_domain = ? AND ${condition} ORDER BY next_attempt_at, id LIMIT ${mostRecipients})`;
    return { sql, values: [domain, ...values] };
  });
  const rows = await readRows<FoundRow>(
    ctx,
    parts.map(({ sql }) => sql).join(' UNION ALL '),
    parts.flatMap(({ values }) => values),
  );
  return rows.map((row) => dueOf(ctx, row));
}

/**
 * Due deliveries to domains that are hosted here, however much is due for others: one look at the
 * index for each hosted domain. The returned `after` is empty when no further domain is left.
 * @param after the last domain that an earlier call has seen; empty at the start
 */
export async function findDueHere(
  ctx: Ctx,
  claims: Claims,
  after: string,
  now = new Date(),
): Promise<{ due: DueDelivery[]; after: string }> {
  const { condition, values } = claimable(now, claims);
  const rows = await readRows<FoundRow>(
    ctx,
    `SELECT ${columns}, 1 AS isHosted
       FROM domains h FORCE INDEX (domains_owned) STRAIGHT_JOIN ${byDomain} ON recipient_domain = owned_name
      WHERE owned_name > ? AND ${isKept} AND ${condition} LIMIT ${dueLimit}`,
    [after, ...values],
  );
  const last = rows.length < dueLimit ? '' : (rows.at(-1)?.recipientDomain ?? '');
  return { due: rows.map((row) => dueOf(ctx, row)), after: last };
}

const heldBatch = 500;

/** Queues deliveries whose undo time is over. Returns how many there were. */
async function endHolding(ctx: Ctx, now: Date): Promise<number> {
  const over = await readRows<{ id: string; entryId: string | null; userId: string | null }>(
    ctx,
    `SELECT id, entry_id AS entryId,
            (SELECT user_id FROM mailbox_entries WHERE mailbox_entries.id = deliveries.entry_id) AS userId
       FROM ${byTime}
      WHERE ${inUndoTime} AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ${heldBatch}`,
    [now],
  );
  if (over.length === 0) return 0;
  const ids = over.map(({ id }) => id);
  const ended = await changeRows(
    ctx,
    `UPDATE deliveries SET state = 'queued', reason = 'accepted', updated_at = ? WHERE id IN (?) AND ${inUndoTime}`,
    [now, ids],
  );
  const entries = over.flatMap(({ entryId, userId }) => (entryId && userId ? [{ id: entryId, userId }] : []));
  if (entries.length > 0) {
    // The time of undo is later if the clock was ahead when the message was sent
    await changeRows(
      ctx,
      `UPDATE mailbox_entries SET delivery_state = 'queued', undo_until = LEAST(undo_until, ?), updated_at = ?
        WHERE id IN (?) AND delivery_state = 'held'`,
      [now, now, entries.map(({ id }) => id)],
    );
    announceDeliveries(ctx.app, entries);
  }
  return ended;
}
