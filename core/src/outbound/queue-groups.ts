import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { inGroupsOf, waitingIn } from '../ledger/waiting-groups.ts';

/*
 * The index `deliveries_waiting` covers all columns that are counted here. So a million rows are
 * counted from the index alone, and only one delivery row is read for each group that is shown.
 * What a worker has claimed is found by the transfers under way. That join names its order, since
 * MariaDB 11.8 would walk all deliveries instead.
 */

/** The deliveries that wait for one domain for one reason. */
export interface QueueGroup {
  domain: string;
  state: 'queued' | 'held';
  reason: string;
  count: number;
  /** How many of them a worker has claimed. */
  sending: number;
  nextAttemptAt: Date | null;
  oldest: Date;
  /** The last reply of a server about the oldest delivery. */
  lastReply: string | null;
}

const mostGroups = 1000;

/**
 * The outgoing mail that waits, by domain and reason, the largest group first. A company sees the
 * mail of its own senders only.
 */
export async function findQueueGroups(ctx: Ctx, scope: Scope, domain: string | undefined): Promise<QueueGroup[]> {
  const company = waitingIn(scope);
  const named = domain === undefined ? null : inGroupsOf(domain);
  const where = named === null ? company.sql : `${company.sql} AND ${named.sql}`;
  const values = [...company.values, ...(named?.values ?? [])];
  const now = new Date();
  const rows = await readRows<QueueGroup>(
    ctx,
    `SELECT d.recipient_domain AS domain, d.state, COALESCE(d.reason, '') AS reason, g.count,
            COALESCE(s.count, 0) AS sending, g.nextAttemptAt, g.oldest, d.last_reply AS lastReply
       FROM (SELECT name, SUM(count) AS count, MIN(nextAttemptAt) AS nextAttemptAt, MIN(oldest) AS oldest,
                    MIN(firstId) AS firstId
               FROM (SELECT waiting_group AS name, COUNT(*) AS count, MIN(next_attempt_at) AS nextAttemptAt,
                            MIN(waiting_since) AS oldest, MIN(id) AS firstId
                       FROM deliveries FORCE INDEX (deliveries_waiting) WHERE ${where}
                      GROUP BY waiting_company, waiting_group) c
              GROUP BY name ORDER BY count DESC, name LIMIT ${mostGroups}) g
       JOIN deliveries d ON d.id = g.firstId
       LEFT JOIN (SELECT waiting_group AS name, COUNT(*) AS count
                    FROM (SELECT DISTINCT message_id FROM outbound_transfers WHERE lease_until > ?) t
                    STRAIGHT_JOIN deliveries FORCE INDEX (deliveries_message)
                      ON deliveries.message_id = t.message_id AND state = 'queued'
                   WHERE lease_until > ? AND ${where} GROUP BY waiting_group) s ON s.name = g.name
      ORDER BY g.count DESC, g.name`,
    [...values, now, now, ...values],
  );
  return rows.map((row) => ({ ...row, count: Number(row.count), sending: Number(row.sending) }));
}
