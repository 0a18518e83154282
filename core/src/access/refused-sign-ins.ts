import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { AuditAction } from './audit.ts';

/** How often signing in was refused, and where from. */
export interface RefusedSignIns {
  refused: number;
  /** Only the latest of a flood were counted. */
  isMore: boolean;
  addresses: { address: string; count: number }[];
}

const actions: AuditAction[] = ['session:refused', 'two-factor:refused', 'passkey:refused', 'passkey:copied'];
const dayMs = 86_400_000;
/** An attacker can be refused often. More than these are not counted. */
const mostOfAction = 50_000;

/**
 * Sign-ins to the web app that were refused in the last 24 hours, from the audit trail. Those to
 * addresses that do not exist belong to no company, and only people of the provider see them.
 */
export async function readRefusedSignIns(ctx: Ctx, scope: Scope, most: number): Promise<RefusedSignIns> {
  const since = new Date(Date.now() - dayMs);
  const isHost = scope.kind === 'host';
  const part = `(SELECT address FROM audit_events FORCE INDEX (audit_action)
    WHERE action = ? AND created_at >= ?${isHost ? '' : ' AND company_id = ?'}
    ORDER BY created_at DESC LIMIT ${mostOfAction})`;
  const rows = await readRows<{ address: string; count: number }>(
    ctx,
    `SELECT address, COUNT(*) AS count FROM (${actions.map(() => part).join(' UNION ALL ')}) refused
      GROUP BY address ORDER BY count DESC, address`,
    actions.flatMap((action) => [action, since, ...(isHost ? [] : [scope.companyId])]),
  );
  const refused = rows.reduce((sum, { count }) => sum + Number(count), 0);
  const addresses = rows.filter(({ address }) => address !== '').slice(0, most);
  return {
    refused,
    isMore: refused >= mostOfAction,
    addresses: addresses.map(({ address, count }) => ({ address, count: Number(count) })),
  };
}
