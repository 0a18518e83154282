import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';

/** What waits for one domain for one reason. */
export interface QueueGroup {
  domain: string;
  state: 'queued' | 'held';
  reason: string;
  count: number;
  /** How many of them a worker is busy with. */
  sending: number;
  nextAttemptAt: Date | null;
  oldest: Date;
  /** What a server has said last about one of them. */
  lastReply: string | null;
}

/** Rows that one look counts: more than wait on any host that is well. */
const mostCounted = 100_000;
const mostGroups = 1000;

/** Mail that an administrator holds. What its own sender holds or has scheduled is the sender's. */
export const heldByAdministrator = `direction = 'out' AND state = 'held' AND reason = 'held_by_administrator'`;

/**
 * The outgoing mail that waits, by domain and reason, the largest group first. A company sees that
 * of its own senders.
 */
export async function findQueueGroups(ctx: Ctx, scope: Scope, domain: string | undefined): Promise<QueueGroup[]> {
  const conditions: [string, SqlValue][] = [
    ...(scope.kind === 'company' ? [['company_id = ?', scope.companyId] as [string, SqlValue]] : []),
    ...(domain === undefined ? [] : [['recipient_domain = ?', domain] as [string, SqlValue]]),
  ];
  const narrowed = conditions.map(([sql]) => ` AND ${sql}`).join('');
  const part = (state: string) =>
    `(SELECT recipient_domain, state, reason, next_attempt_at, lease_until, last_reply,
             COALESCE(released_at, created_at) AS since
        FROM deliveries FORCE INDEX (deliveries_domain) WHERE ${state}${narrowed} LIMIT ${mostCounted})`;
  const values = conditions.map(([, value]) => value);
  const rows = await readRows<QueueGroup>(
    ctx,
    `SELECT recipient_domain AS domain, state, COALESCE(reason, '') AS reason, COUNT(*) AS count,
            SUM(COALESCE(lease_until > ?, 0)) AS sending, MIN(next_attempt_at) AS nextAttemptAt,
            MIN(since) AS oldest, MAX(last_reply) AS lastReply
       FROM (${part(`direction = 'out' AND state = 'queued'`)} UNION ALL ${part(heldByAdministrator)}) q
      GROUP BY recipient_domain, state, COALESCE(reason, '')
      ORDER BY count DESC, recipient_domain, state, reason LIMIT ${mostGroups}`,
    [new Date(), ...values, ...values],
  );
  return rows.map((row) => ({ ...row, count: Number(row.count), sending: Number(row.sending) }));
}
