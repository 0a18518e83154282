import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { AuditAction } from './audit.ts';

/** How often signing in was refused, and where from. */
export interface RefusedSignIns {
  refused: number;
  /** Only the latest events of a flood were read, so there were more. */
  isMore: boolean;
  addresses: { address: string; count: number }[];
}

const actions: AuditAction[] = [
  'session:refused',
  'two-factor:refused',
  'passkey:refused',
  'passkey:copied',
  'mail-login:refused',
];
const dayMs = 86_400_000;
/** An attacker can be refused often. More events of one action than these are not read. */
const mostOfAction = 20_000;

interface Row {
  action: AuditAction;
  address: string;
  events: number;
  count: string;
}

/**
 * Logins to the web app and of mail programs that were refused in the last 24 hours, from the audit
 * trail. Those to addresses that do not exist belong to no company, and only people of the provider
 * see them.
 */
export async function readRefusedSignIns(
  ctx: Ctx,
  scope: Scope,
  most: number,
  mostEvents = mostOfAction,
): Promise<RefusedSignIns> {
  const since = new Date(Date.now() - dayMs);
  const [index, own, ids] =
    scope.kind === 'host'
      ? ['audit_action', '', []]
      : ['audit_company_action', 'company_id = ? AND', [scope.companyId]];
  const part = `(SELECT action, address, times FROM audit_events FORCE INDEX (${index})
    WHERE ${own} action = ? AND created_at >= ? ORDER BY created_at DESC LIMIT ${mostEvents + 1})`;
  const rows = await readRows<Row>(
    ctx,
    `SELECT action, address, COUNT(*) AS events, SUM(times) AS count
       FROM (${actions.map(() => part).join(' UNION ALL ')}) refused GROUP BY action, address`,
    actions.flatMap((action) => [...ids, action, since]),
  );
  const isMore = actions.some((action) => eventsOf(rows, action) > mostEvents);
  const refused = rows.reduce((sum, { count }) => sum + Number(count), 0);
  return {
    // One event beyond the limit was read, so there are more than without it
    refused: isMore ? refused - 1 : refused,
    isMore,
    addresses: mostFrequent(rows, most),
  };
}

function eventsOf(rows: readonly Row[], action: AuditAction): number {
  return rows.filter((row) => row.action === action).reduce((sum, { events }) => sum + Number(events), 0);
}

/** Where most of them came from. Of some it is not known. */
function mostFrequent(rows: readonly Row[], most: number): RefusedSignIns['addresses'] {
  const counts = new Map<string, number>();
  for (const { address, count } of rows) {
    if (address !== '') counts.set(address, (counts.get(address) ?? 0) + Number(count));
  }
  return [...counts]
    .map(([address, count]) => ({ address, count }))
    .toSorted((one, other) => other.count - one.count || (one.address < other.address ? -1 : 1))
    .slice(0, most);
}
