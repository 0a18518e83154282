import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { heldReason, inGroupsOf, waitingIn } from '../ledger/waiting-groups.ts';

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
  /**
   * How many groups the domain has, and how many of its deliveries are queued and how many an
   * administrator holds.
   */
  ofDomain: { rows: number; queued: number; held: number };
}

/** The part of the queue to read. */
export interface QueuePart {
  /** Only what waits for this domain. */
  domain?: string | undefined;
  /** In place of the largest group first. */
  isSmallestFirst?: boolean;
  limit: number;
  offset: number;
}

/** The columns that MariaDB computes over all groups before it takes the part that is asked for. */
interface Sums {
  total: number;
  domainRows: number;
  domainCount: number;
  domainHeld: number;
}

/**
 * A part of the outgoing mail that waits, by domain and reason, and the number of all groups. A
 * company sees the mail of its own senders only.
 */
export async function findQueueGroups(
  ctx: Ctx,
  scope: Scope,
  part: QueuePart,
): Promise<{ groups: QueueGroup[]; total: number }> {
  const { domain, isSmallestFirst = false, limit, offset } = part;
  const [bySize, byName] = isSmallestFirst ? ['ASC', 'DESC'] : ['DESC', 'ASC'];
  const company = waitingIn(scope);
  const named = domain === undefined ? null : inGroupsOf(domain);
  const where = named === null ? company.sql : `${company.sql} AND ${named.sql}`;
  const values = [...company.values, ...(named?.values ?? [])];
  const now = new Date();
  const rows = await readRows<Omit<QueueGroup, 'ofDomain'> & Sums>(
    ctx,
    `SELECT d.recipient_domain AS domain, d.state, COALESCE(d.reason, '') AS reason, g.count,
            COALESCE(s.count, 0) AS sending, g.nextAttemptAt, g.oldest, d.last_reply AS lastReply,
            g.total, g.domainRows, g.domainCount, g.domainHeld
       FROM (SELECT a.*, COUNT(*) OVER () AS total, COUNT(*) OVER of_domain AS domainRows,
                    SUM(a.count) OVER of_domain AS domainCount,
                    SUM(IF(a.name LIKE '% ${heldReason}', a.count, 0)) OVER of_domain AS domainHeld
               FROM (SELECT name, SUM(count) AS count, MIN(nextAttemptAt) AS nextAttemptAt, MIN(oldest) AS oldest,
                            MIN(firstId) AS firstId
                       FROM (SELECT waiting_group AS name, COUNT(*) AS count, MIN(next_attempt_at) AS nextAttemptAt,
                                    MIN(waiting_since) AS oldest, MIN(id) AS firstId
                               FROM deliveries FORCE INDEX (deliveries_waiting) WHERE ${where}
                              GROUP BY waiting_company, waiting_group) c
                      GROUP BY name) a
             WINDOW of_domain AS (PARTITION BY SUBSTRING_INDEX(a.name, ' ', 1))
              ORDER BY a.count ${bySize}, a.name ${byName} LIMIT ? OFFSET ?) g
       JOIN deliveries d ON d.id = g.firstId
       LEFT JOIN (SELECT waiting_group AS name, COUNT(*) AS count
                    FROM (SELECT DISTINCT message_id FROM outbound_transfers WHERE lease_until > ?) t
                    STRAIGHT_JOIN deliveries FORCE INDEX (deliveries_message)
                      ON deliveries.message_id = t.message_id AND state = 'queued'
                   WHERE lease_until > ? AND ${where} GROUP BY waiting_group) s ON s.name = g.name
      ORDER BY g.count ${bySize}, g.name ${byName}`,
    [...values, limit, offset, now, now, ...values],
  );
  if (rows.length === 0 && offset > 0) {
    // Only rows tell the number of groups, and a part beyond the last group has none
    const { total } = await findQueueGroups(ctx, scope, { domain, limit: 1, offset: 0 });
    return { groups: [], total };
  }
  return { groups: rows.map(groupOf), total: Number(rows[0]?.total ?? 0) };
}

function groupOf(row: Omit<QueueGroup, 'ofDomain'> & Sums): QueueGroup {
  const { total: _total, domainRows, domainCount, domainHeld, ...group } = row;
  const held = Number(domainHeld);
  return {
    ...group,
    count: Number(group.count),
    sending: Number(group.sending),
    ofDomain: { rows: Number(domainRows), queued: Number(domainCount) - held, held },
  };
}
