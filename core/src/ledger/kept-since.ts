import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import type { Config } from '../process/config.ts';
import { dayMs } from '../utc-day.ts';

/**
 * The time since when the ledger has all rows; null when none was ever deleted for its age. The
 * setting alone is not enough: deleted rows don't come back when it is raised.
 */
export async function ledgerKeptSince(
  target: DatabaseTarget & { app: { config: Pick<Config, 'keptDays'> } },
  now = Date.now(),
): Promise<Date | null> {
  const { ledger: days } = target.app.config.keptDays;
  const [row] = await readRows<{ since: Date | null }>(target, 'SELECT since FROM ledger_kept WHERE id = 1', []);
  const moments = [row?.since?.getTime() ?? 0, days > 0 ? now - days * dayMs : 0];
  const since = Math.max(...moments);
  return since === 0 ? null : new Date(since);
}
