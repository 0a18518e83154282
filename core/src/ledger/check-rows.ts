import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { holdsAlarms } from '../environment/host-state.ts';
import type { Period } from './account-for-mail.ts';
import { type Condition, type IdRange, isWide } from './id-range.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';
import { type Proved, unprovedCondition } from './prove-by-sums.ts';
import { overdueAt, reasonsOfCopy, receivedCondition, type Rule, rulesAt } from './row-rules.ts';
import { findUntriedDomains } from './untried-domains.ts';

/**
 * Finds the rows of a period that can't be right. Copies are looked up only for messages that the
 * sums have not proved.
 * @param range the ids of the rows of the period
 */
export async function checkRows(ctx: Ctx, period: Period, range: IdRange, proved: Proved): Promise<LedgerProblem[]> {
  if (!proved.hasSuspects && proved.doubts.length === 0) return [];
  const rows = rowsOf(period, range);
  const unproved = unprovedCondition('d.message_id', proved);
  const now = new Date();
  const untried = await findUntriedDomains(ctx, { now, dueBefore: overdueAt(now), triedSince: overdueAt(now) });
  const isHeldBack = await holdsAlarms(ctx);
  const rules = rulesAt(now, { unproved, untried: untried.map(({ domain }) => domain), isHeldBack });
  const [found] = await readRows<{ received: string } & Record<`rule${number}`, string>>(
    ctx,
    `SELECT COUNT(${receivedCondition} AND ${unproved.sql} OR NULL) AS received,
            ${rules.map(({ broken }, n) => `COUNT(${broken} OR NULL) AS rule${n}`).join(', ')}
       FROM ${rows.from}`,
    [...unproved.values, ...rules.flatMap(({ values = [] }) => values), ...rows.values],
  );
  const problems: LedgerProblem[] = [];
  for (const [n, rule] of rules.entries()) {
    const { kind, what } = rule;
    const count = Number(found?.[`rule${n}`] ?? 0);
    if (count > 0) problems.push({ kind, what, count, examples: await examplesOf(ctx, rows, rule) });
  }
  if (Number(found?.received ?? 0) > 0) problems.push(...(await findRepeated(ctx, rows, unproved)));
  return problems;
}

type Rows = Pick<Condition, 'values'> & { from: string };

/**
 * The rows of a period by the range of their ids. Reading rows in the order of their ids takes half
 * the time of looking each of them up. If a wrong clock has given a short period a wide range, the
 * rows are looked up.
 */
function rowsOf({ from, to }: Period, range: IdRange): Rows {
  return {
    from: `deliveries d FORCE INDEX (${isWide(range) ? 'deliveries_day' : 'PRIMARY'})
           WHERE d.id >= ? AND d.id <= ? AND d.created_at >= ? AND d.created_at < ?`,
    values: [range.first ?? 0, range.last ?? 0, from, to],
  };
}

/**
 * Finds copies for which the same recipient has several rows: the copy would be counted more than
 * once. A person who has the message by several addresses has one copy and a row for each address.
 * A member of a group has one more row for each copy that a person forwards to the group.
 */
async function findRepeated(ctx: Ctx, rows: Rows, unproved: Condition): Promise<LedgerProblem[]> {
  const repeated = await readRows<{ mailId: string; count: number }>(
    ctx,
    `SELECT s.mailId, s.further - (
              SELECT COUNT(*) FROM deliveries f FORCE INDEX (deliveries_message)
               WHERE f.message_id = s.messageId AND f.recipient = s.recipient
                 AND f.direction = 'out' AND f.state = 'stored' AND f.forwarded_for IS NOT NULL) AS count
       FROM (SELECT MIN(r.mail_id) AS mailId, MIN(r.message_id) AS messageId, r.recipient, COUNT(*) - 1 AS further
               FROM (SELECT DISTINCT d.entry_id FROM ${rows.from}
                     AND ${receivedCondition} AND ${unproved.sql}) n
               JOIN deliveries r FORCE INDEX (deliveries_entry) ON r.entry_id = n.entry_id
              WHERE r.direction = 'in' AND r.state = 'stored' AND r.reason IN (${reasonsOfCopy})
              GROUP BY r.entry_id, r.recipient HAVING COUNT(*) > 1) s
     HAVING count > 0`,
    [...rows.values, ...unproved.values],
  );
  if (repeated.length === 0) return [];
  const what = 'rows that stand for a copy and a recipient that another row stands for';
  const count = repeated.reduce((sum, row) => sum + Number(row.count), 0);
  return [
    { kind: 'repeated_rows', what, count, examples: repeated.slice(0, mostExamples).map(({ mailId }) => mailId) },
  ];
}

async function examplesOf(ctx: Ctx, rows: Rows, { broken, values = [] }: Rule): Promise<string[]> {
  const found = await readRows<{ mailId: string }>(
    ctx,
    `SELECT d.mail_id AS mailId FROM ${rows.from} AND (${broken}) LIMIT ${mostExamples}`,
    [...rows.values, ...values],
  );
  return found.map(({ mailId }) => mailId);
}
