import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { accountsOf, type CountedAnswers, type MailAccounts, type Period } from './account-for-mail.ts';
import type { IdRange, Ids } from './id-range.ts';

/**
 * Counts the answers of a period by their states, and finds the range of ids of their rows. Both
 * come from the index of the days.
 */
export async function countAnswers(
  ctx: Ctx,
  { from, to }: Period,
): Promise<{ accounts: MailAccounts; range: IdRange }> {
  const groups = await readRows<CountedAnswers & Ids & { total: string }>(
    ctx,
    // Counting is faster than adding up, and almost all rows count for one answer. Grouping by one
    // number is faster than by two texts
    `SELECT direction, state, COUNT(*) AS total, COUNT(*) + COALESCE(SUM(IF(answers = 1, NULL, CAST(answers AS SIGNED) - 1)), 0) AS count,
            MIN(id) AS first, MAX(id) AS last
       FROM deliveries FORCE INDEX (deliveries_day) WHERE created_at >= ? AND created_at < ?
      GROUP BY direction * 16 + state`,
    [from, to],
  );
  const ids = groups.flatMap(({ first, last }) => [first, last]).toSorted((a, b) => Number(a) - Number(b));
  const count = groups.reduce((sum, { total }) => sum + Number(total), 0);
  return { accounts: accountsOf(groups), range: { first: ids.at(0) ?? null, last: ids.at(-1) ?? null, count } };
}
