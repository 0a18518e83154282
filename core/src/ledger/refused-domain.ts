import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { type ReadCode, reasonsToldAs } from './refusal-code.ts';

/**
 * The domain that a refused message was for. Null when there were several, and when the ledger has
 * no row for it: refusals of a flood are counted in one row.
 */
export async function refusedDomain(ctx: Ctx, { mailId, reason }: ReadCode): Promise<string | null> {
  const [first, ...others] = await readRows<{ name: string }>(
    ctx,
    `SELECT DISTINCT recipient_domain AS name FROM deliveries
      WHERE mail_id = ? AND direction = 'in' AND state = 'refused' AND reason IN (?) AND recipient_domain <> ''
      LIMIT 2`,
    [mailId, reasonsToldAs(reason)],
  );
  return first && others.length === 0 ? first.name : null;
}
