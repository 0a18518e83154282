import type { Ctx } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import type { Examined } from '../domain-check/check-domain.ts';
import type { Domain } from '../models/domain.ts';
import { DomainHealth } from '../models/domain-health.ts';
import { healthOf, statesOf } from './facts.ts';

/** A check that finds something else each time makes the guardian look no more often than this. */
const restMs = 60_000;

/**
 * Has the guardian look at a domain in its next pass where a check has found another health than
 * its last look. So the console soon shows what the person who checked has just seen.
 */
export async function lookSoonIfChanged(ctx: Ctx, { id, health }: Domain, examined: Examined): Promise<void> {
  const known = await DomainHealth.findByPk(String(id), { attributes: ['watches'], transaction: ctx.tx });
  const seen = known && healthOf(examined.check, statesOf(examined), known.watches);
  if (seen === null || seen === health) return;
  const now = new Date();
  await changeRows(ctx, 'UPDATE domains SET next_check_at = ? WHERE id = ? AND due_at > ? AND checked_at < ?', [
    now,
    String(id),
    now,
    new Date(now.getTime() - restMs),
  ]);
}
