import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import {
  accountsOf,
  type CountedAnswers,
  type MailAccount,
  type MailAccounts,
  type Period,
} from './account-for-mail.ts';

/** Something that the ledger can't account for. */
export interface LedgerProblem {
  /** In words, for the operator. */
  what: string;
  count: number;
  /** Mail ids of some of them. */
  examples: string[];
}

/** What became of the mail of a period, and what is not accounted for. */
export interface LedgerCheck {
  accounts: MailAccounts;
  problems: LedgerProblem[];
}

/** What a row of `deliveries d`, or a message of `messages m`, must not be. */
interface Rule {
  what: string;
  /** True for what breaks the rule. */
  broken: string;
  values?: SqlValue[];
}

/** Rows of a period that one query walks, with the rules that it judges on the way. */
interface Walk {
  from: string;
  mailId: string;
  rules: Rule[];
}

const mostExamples = 5;
/** A worker tries a delivery within seconds of the moment for which it is due. */
const overdueMs = 3_600_000;

const messages: Walk = {
  from: 'messages m FORCE INDEX (messages_day) WHERE m.created_at >= ? AND m.created_at < ?',
  mailId: 'm.mail_id',
  rules: [
    {
      what: 'messages without a row',
      broken: 'NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id)',
    },
    {
      what: 'messages with more received copies than rows that say so',
      broken: `(SELECT COUNT(*) FROM mailbox_entries e WHERE e.message_id = m.id AND e.received_status) >
               (SELECT COUNT(*) FROM deliveries d WHERE d.message_id = m.id AND d.state = 'stored')`,
    },
  ],
};

/** The due times are compared with now, so this is made anew for each check. */
function deliveries(now = Date.now()): Walk {
  const overdue = new Date(now - overdueMs);
  const isWaiting = "d.direction = 'out' AND d.state IN ('held', 'queued')";
  return {
    from: `deliveries d FORCE INDEX (deliveries_day) LEFT JOIN mailbox_entries e ON e.id = d.entry_id
           WHERE d.created_at >= ? AND d.created_at < ?`,
    mailId: 'd.mail_id',
    rules: [
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
    ],
  };
}

/**
 * Proves the ledger of a period: `accepted = stored + relayed + bounced + held + queued` (D30), a
 * row for every message and copy, and a message or copy for every row.
 */
export async function checkLedger(ctx: Ctx, period: Period): Promise<LedgerCheck> {
  const rowWalk = deliveries();
  const groups = await walkOver<CountedAnswers>(ctx, rowWalk, period, {
    columns: ['d.direction', 'd.state', 'SUM(d.answers) AS count'],
    groupBy: 'd.direction, d.state',
  });
  const accounts = accountsOf(groups);
  const problems = (['in', 'out'] as const).flatMap((direction) => unbalanced(direction, accounts[direction]));
  problems.push(...(await brokenRules(ctx, messages, period, await walkOver(ctx, messages, period))));
  problems.push(...(await brokenRules(ctx, rowWalk, period, groups)));
  return { accounts, problems };
}

function unbalanced(direction: 'in' | 'out', { accepted, isBalanced }: MailAccount): LedgerProblem[] {
  if (isBalanced) return [];
  return [{ what: `accepted (${direction}) is not the sum of its states`, count: accepted, examples: [] }];
}

/** Counts what breaks each rule in one walk, by group if there are groups. */
async function walkOver<Row extends object>(
  ctx: Ctx,
  { from, rules }: Walk,
  period: Period,
  { columns = [], groupBy }: { columns?: string[]; groupBy?: string } = {},
): Promise<(Row & BrokenCounts)[]> {
  const counts = rules.map(({ broken }, n) => `SUM(${broken}) AS rule${n}`);
  return await readRows<Row & BrokenCounts>(
    ctx,
    `SELECT ${[...columns, ...counts].join(', ')} FROM ${from} ${groupBy === undefined ? '' : `GROUP BY ${groupBy}`}`,
    [...rules.flatMap(({ values = [] }) => values), period.from, period.to],
  );
}

/**
 * How many rows break each rule, by its position. The engine answers null where there is no row.
 */
type BrokenCounts = Record<`rule${number}`, number | string | null>;

/** The rules that rows broke, with examples, which are looked for only then. */
async function brokenRules(
  ctx: Ctx,
  walk: Walk,
  period: Period,
  groups: readonly BrokenCounts[],
): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const [n, rule] of walk.rules.entries()) {
    const count = groups.reduce((sum, group) => sum + Number(group[`rule${n}`] ?? 0), 0);
    if (count > 0) problems.push({ what: rule.what, count, examples: await examplesOf(ctx, walk, rule, period) });
  }
  return problems;
}

async function examplesOf(ctx: Ctx, { from, mailId }: Walk, { broken, values = [] }: Rule, period: Period) {
  const found = await readRows<{ mailId: string }>(
    ctx,
    `SELECT ${mailId} AS mailId FROM ${from} AND (${broken}) LIMIT ${mostExamples}`,
    [period.from, period.to, ...values],
  );
  return found.map((row) => row.mailId);
}
