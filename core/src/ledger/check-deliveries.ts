import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { accountsOf, type CountedAnswers, type MailAccounts, type Period } from './account-for-mail.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';

/** What a row of `deliveries d`, with its entry `e`, must not be. */
interface Rule {
  what: string;
  /** True for a row that breaks the rule. */
  broken: string;
  values?: SqlValue[];
}

/** A worker tries a delivery within seconds of the moment for which it is due. */
const overdueMs = 3_600_000;
const isWaiting = "d.direction = 'out' AND d.state IN ('held', 'queued')";

function rulesAt(now: number): Rule[] {
  const overdue = new Date(now - overdueMs);
  return [
    {
      what: 'rows of a stored message whose copy is missing',
      broken: `d.direction = 'in' AND d.state = 'stored' AND d.reason <=> 'stored_locally'
               AND d.message_id IS NOT NULL AND e.id IS NULL`,
    },
    {
      what: 'rows that wait and that no worker tries',
      broken: `${isWaiting} AND (d.next_attempt_at IS NULL
               OR (d.next_attempt_at < ? AND (d.lease_until IS NULL OR d.lease_until < ?)))`,
      values: [overdue, overdue],
    },
    { what: 'rows that wait and have no message', broken: `${isWaiting} AND d.message_id IS NULL` },
    { what: 'rows without a reason', broken: 'd.reason IS NULL' },
    {
      what: 'rows of relayed mail without the answer of the server that took it',
      broken: "d.direction = 'out' AND d.state = 'relayed' AND d.last_reply IS NULL",
    },
  ];
}

/**
 * Counts the answers of a period and finds the rows that can't be right, in one walk over the rows.
 */
export async function checkDeliveries(
  ctx: Ctx,
  period: Period,
): Promise<{ accounts: MailAccounts; problems: LedgerProblem[] }> {
  const rules = rulesAt(Date.now());
  const rows = await rowsOf(ctx, period);
  const groups = await readRows<CountedAnswers & Record<`rule${number}`, number | string>>(
    ctx,
    `SELECT d.direction, d.state, SUM(d.answers) AS count, ${rules.map(({ broken }, n) => `SUM(${broken}) AS rule${n}`).join(', ')}
       FROM ${rows.from} GROUP BY d.direction, d.state`,
    [...rules.flatMap(({ values = [] }) => values), ...rows.values],
  );
  const problems: LedgerProblem[] = [];
  for (const [n, rule] of rules.entries()) {
    const count = groups.reduce((sum, group) => sum + Number(group[`rule${n}`]), 0);
    if (count > 0) problems.push({ what: rule.what, count, examples: await examplesOf(ctx, rows, rule) });
  }
  return { accounts: accountsOf(groups), problems };
}

interface Rows {
  from: string;
  values: SqlValue[];
}

/**
 * The rows of a period by the range of their ids, which the index of the days says. To read rows in
 * the order of their ids takes half the time of looking each of them up.
 */
async function rowsOf(ctx: Ctx, { from, to }: Period): Promise<Rows> {
  const [range] = await readRows<{ first: string | null; last: string | null }>(
    ctx,
    `SELECT MIN(id) AS first, MAX(id) AS last FROM deliveries FORCE INDEX (deliveries_day)
      WHERE created_at >= ? AND created_at < ?`,
    [from, to],
  );
  return {
    from: `deliveries d FORCE INDEX (PRIMARY) LEFT JOIN mailbox_entries e ON e.id = d.entry_id
           WHERE d.id >= ? AND d.id <= ? AND d.created_at >= ? AND d.created_at < ?`,
    values: [range?.first ?? 0, range?.last ?? 0, from, to],
  };
}

async function examplesOf(ctx: Ctx, rows: Rows, { broken, values = [] }: Rule): Promise<string[]> {
  const found = await readRows<{ mailId: string }>(
    ctx,
    `SELECT d.mail_id AS mailId FROM ${rows.from} AND (${broken}) LIMIT ${mostExamples}`,
    [...rows.values, ...values],
  );
  return found.map(({ mailId }) => mailId);
}
