import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/** A domain with due deliveries that no worker tries. */
export interface UntriedDomain {
  domain: string;
  /** Since when the first of its deliveries is due. */
  dueAt: Date;
}

const queuedByDomain = `deliveries FORCE INDEX (deliveries_domain) WHERE direction = 'out' AND state = 'queued'`;

/**
 * The domains with queued deliveries that were due before a moment, and of which workers try none
 * now and have tried none since another moment. A domain that is down gets one transfer at a time.
 * So most of its deliveries may be due for hours, although workers try the domain all the time.
 */
export async function findUntriedDomains(
  ctx: Pick<Ctx, 'app'>,
  { now, dueBefore, triedSince }: { now: Date; dueBefore: Date; triedSince: Date },
): Promise<UntriedDomain[]> {
  const due = await readRows<UntriedDomain>(
    ctx,
    // The index gives the first delivery of each domain, without the others
    `SELECT f.domain, f.dueAt
       FROM (SELECT recipient_domain AS domain, MIN(next_attempt_at) AS dueAt FROM ${queuedByDomain}
              GROUP BY direction, state, recipient_domain) f
      WHERE f.dueAt < ?`,
    [dueBefore],
  );
  if (due.length === 0) return [];
  const names = due.map(({ domain }) => domain);
  const rows = await readRows<{ domain: string }>(
    ctx,
    // A claim counts the attempt, and moves the next one beyond the time of the claim
    `SELECT DISTINCT recipient_domain AS domain FROM ${queuedByDomain}
        AND recipient_domain IN (?) AND next_attempt_at >= ? AND attempts > 0 AND updated_at >= ?
      UNION
     SELECT domain FROM outbound_transfers FORCE INDEX (outbound_transfers_lease) WHERE lease_until > ?`,
    [names, triedSince, triedSince, now],
  );
  const tried = new Set(rows.map(({ domain }) => domain));
  return due.filter(({ domain }) => !tried.has(domain));
}
