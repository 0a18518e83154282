import { type Ctx, inTransaction } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { KnownServers } from '../domain-check/look-at-server.ts';
import { log } from '../log.ts';
import { Domain } from '../models/domain.ts';
import { guardDomain } from './guard-domain.ts';

const domainsOfStep = 50;
/** How many looks run at once. Each of them mostly waits for name servers. */
const looksAtOnce = 8;
/** The lease of a look. If the process that looks dies, the domain is due again after this time. */
const leaseMs = 5 * 60_000;
/**
 * No look is planned further ahead than this, so a later one was planned by a clock that was ahead,
 * and is due at once.
 */
const furthestMs = 48 * 3_600_000;
/** Mail servers are probed again after this time, even within one pass. */
const serversKnownMs = 10 * 60_000;

/**
 * Looks at all domains that are due, and ends when none is left or the signal aborts. Any number of
 * processes may do so at once.
 * @returns how many were looked at
 */
export async function guardDueDomains(ctx: Ctx, signal: AbortSignal, now = () => new Date()): Promise<number> {
  let [looked, servers, knownSince] = [0, new KnownServers(), now().getTime()];
  for (;;) {
    const due = await findDue(ctx, now());
    if (due.length === 0 || signal.aborted) return looked;
    if (now().getTime() - knownSince > serversKnownMs) [servers, knownSince] = [new KnownServers(), now().getTime()];
    const queue = due.values();
    const work = async (): Promise<void> => {
      for (const domain of queue) {
        if (signal.aborted) return;
        if (!(await take(ctx, domain, now()))) continue;
        const one = await guard(ctx, domain, { servers, now: now() });
        // The sum is read after the wait, since the other loops add to it meanwhile
        looked += one;
      }
    };
    await Promise.all(Array.from({ length: looksAtOnce }, work));
  }
}

async function findDue(ctx: Ctx, now: Date): Promise<Domain[]> {
  for (;;) {
    const rows = await readRows<{ id: string; isGone: number }>(
      ctx,
      `SELECT d.id, c.deleted_at IS NOT NULL AS isGone FROM domains d JOIN companies c ON c.id = d.company_id
        WHERE ${isDue('d.due_at')} ORDER BY d.due_at LIMIT ${domainsOfStep}`,
      dueAt(now),
    );
    const gone = rows.filter(({ isGone }) => isGone).map(({ id }) => id);
    if (gone.length > 0) await putOff(ctx, gone, now);
    const due = rows.filter(({ isGone }) => !isGone).map(({ id }) => id);
    if (due.length > 0) return await Domain.findAll({ where: { id: due } });
    if (rows.length === 0) return [];
  }
}

const isDue = (column: string): string => `(${column} <= ? OR ${column} > ?)`;

/** The values for the place holders of `isDue`. */
function dueAt(now: Date): [Date, Date] {
  return [now, new Date(now.getTime() + furthestMs)];
}

/**
 * Postpones the domains of deleted companies, so that they don't crowd out those that are due. The
 * company may be restored, so they stay in the list.
 */
async function putOff(ctx: Ctx, ids: readonly string[], now: Date): Promise<void> {
  const tomorrow = new Date(now.getTime() + 24 * 3_600_000);
  // Another process may do the same; a transaction is repeated where the two meet
  await inTransaction(ctx, (tx) =>
    changeRows(tx, 'UPDATE domains SET next_check_at = ? WHERE id IN (?)', [tomorrow, ids]),
  );
}

/** Claims a due domain with a lease; false when another process has claimed it. */
async function take(ctx: Ctx, { id }: Domain, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + leaseMs);
  const sql = `UPDATE domains SET next_check_at = ? WHERE id = ? AND ${isDue('due_at')}`;
  return (await inTransaction(ctx, (tx) => changeRows(tx, sql, [until, String(id), ...dueAt(now)]))) === 1;
}

async function guard(ctx: Ctx, domain: Domain, looking: { servers: KnownServers; now: Date }): Promise<number> {
  try {
    await guardDomain(ctx, domain, looking);
    return 1;
  } catch (error) {
    // The domain is looked at again when its lease ends. The others must not wait for it
    log.warn('a domain could not be looked at', { domain: domain.domainName, error });
    return 0;
  }
}
