import { dayMs } from '../utc-day.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import type { AuditAction } from './audit.ts';

/** How often logging in was refused, and where from. */
export interface RefusedLogins {
  refused: number;
  /** Only the latest events of a flood were read, so there were more. */
  isMore: boolean;
  addresses: { address: string; count: number }[];
}

/**
 * One action for each refusal. A passkey that seems to be a copy leaves a second event,
 * `passkey:copied`, which is not counted.
 */
const actions: AuditAction[] = [
  'session:refused',
  'two-factor:refused',
  'passkey:refused',
  'recovery-otp:refused',
  'mail-login:refused',
];
/** An attacker can be refused often, so no more events of one action than this are read. */
const mostOfAction = 5_000;

/**
 * Logins to the web app and of mail programs that were refused in the last 24 hours, from the audit
 * trail. Refusals for addresses that do not exist belong to no company, so only people of the
 * provider see them.
 */
export async function readRefusedLogins(
  ctx: Ctx,
  scope: Scope,
  most: number,
  mostEvents = mostOfAction,
): Promise<RefusedLogins> {
  const latest = latestOf(scope, mostEvents + 1);
  const [counted, addresses] = await Promise.all([count(ctx, latest), findAddresses(ctx, latest, most)]);
  const isMore = counted.some(({ events }) => events > mostEvents);
  const refused = counted.reduce((sum, { times }) => sum + times, 0);
  // One event beyond the limit was read only to learn that there are more, so it is not counted
  return { refused: isMore ? refused - 1 : refused, isMore, addresses };
}

/** A subquery for the latest events of one action, which an index alone can answer. */
interface Latest {
  sql: string;
  /** The values of the subquery, one list for each action. */
  values: SqlValue[][];
}

function latestOf(scope: Scope, limit: number): Latest {
  const since = new Date(Date.now() - dayMs);
  const isHost = scope.kind === 'host';
  const [index, own] = isHost ? ['audit_action', ''] : ['audit_company_action', 'company_id = ? AND'];
  return {
    sql: `(SELECT address, times FROM audit_events FORCE INDEX (${index})
            WHERE ${own} action = ? AND created_at >= ? ORDER BY created_at DESC LIMIT ${limit})`,
    values: actions.map((action) => [...(isHost ? [] : [scope.companyId]), action, since]),
  };
}

async function count(ctx: Ctx, { sql, values }: Latest): Promise<{ events: number; times: number }[]> {
  const rows = await readRows<{ events: number; times: string | null }>(
    ctx,
    values.map(() => `SELECT COUNT(*) AS events, SUM(times) AS times FROM ${sql} refused`).join(' UNION ALL '),
    values.flat(),
  );
  return rows.map(({ events, times }) => ({ events: Number(events), times: Number(times ?? 0) }));
}

/** The peers that most refusals came from. Refusals without an address are left out. */
async function findAddresses(ctx: Ctx, { sql, values }: Latest, most: number): Promise<RefusedLogins['addresses']> {
  // Each action by itself: all events together would not fit into a table in memory
  const part = `SELECT address, SUM(times) AS times FROM ${sql} refused WHERE address <> '' GROUP BY address`;
  const rows = await readRows<{ address: string; count: string }>(
    ctx,
    `SELECT address, SUM(times) AS count FROM (${values.map(() => part).join(' UNION ALL ')}) refused
      GROUP BY address ORDER BY count DESC, address LIMIT ?`,
    [...values.flat(), most],
  );
  return rows.map(({ address, count: times }) => ({ address, count: Number(times) }));
}
