import type { Ctx } from '../context/context.ts';
import type { LedgerProblemKind } from '../contracts/ledger-proof.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { accountsOf, type CountedAnswers, type MailAccounts, type Period } from './account-for-mail.ts';
import { type IdRange, isWide } from './id-range.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';
import { type Condition, type Ids, isUnproved, mailboxOfRow, type Proved } from './match-sums.ts';

/** What a row of `deliveries d` must not be. */
interface Rule {
  kind: LedgerProblemKind;
  what: string;
  /** True for a row that breaks the rule. */
  broken: string;
  values?: SqlValue[];
}

/** A worker tries a delivery within seconds of the moment for which it is due. */
const overdueMs = 3_600_000;
const isReceived = "d.direction = 'in' AND d.state = 'stored'";
const isWaiting = "d.direction = 'out' AND d.state IN ('held', 'queued')";

/** True for an incoming row whose copy is missing, or is one of another message. */
const lacksNamedCopy = `(
  SELECT 1 FROM mailbox_entries e WHERE e.id = d.entry_id AND e.message_id = d.message_id LIMIT 1) IS NULL`;

/**
 * True for an outgoing row that a mailbox of this host has taken whose person has no copy. The row
 * names the entry of its sender, so the person is found by the address. That is asked anew where
 * none of the copies is for that address: a group has none, since each of its people has a row, and
 * a person who came after the row is not the one that had the address then.
 */
const lacksCopy = `(
  (SELECT 1 FROM mailbox_entries c FORCE INDEX (entries_message)
    STRAIGHT_JOIN users o ON o.id = c.user_id AND o.email = ${mailboxOfRow}
    WHERE c.message_id = d.message_id AND c.received_status = 1 LIMIT 1) IS NULL
  AND EXISTS (
    SELECT 1 FROM users u FORCE INDEX (users_email)
     WHERE u.email = ${mailboxOfRow} AND u.erased_at IS NULL AND u.created_at <= d.updated_at))`;

function rulesAt(now: number, unproved: Condition): Rule[] {
  const overdue = new Date(now - overdueMs);
  return [
    {
      kind: 'row_without_copy',
      what: 'rows of a stored message whose copy is missing, or is one of another message',
      broken: `d.state = 'stored' AND d.reason <=> 'stored_locally' AND d.message_id IS NOT NULL
               AND ${unproved.sql} AND IF(d.direction = 'in', ${lacksNamedCopy}, ${lacksCopy})`,
      values: unproved.values,
    },
    {
      kind: 'waits_for_ever',
      what: 'rows that wait and that no worker tries',
      broken: `${isWaiting} AND NOT (d.state = 'held' AND d.reason <=> 'held_by_administrator') AND (d.next_attempt_at IS NULL
               OR (d.next_attempt_at < ? AND (d.lease_until IS NULL OR d.lease_until < ?)))`,
      values: [overdue, overdue],
    },
    {
      kind: 'waits_without_message',
      what: 'rows that wait and have no message',
      broken: `${isWaiting} AND d.message_id IS NULL`,
    },
    { kind: 'no_reason', what: 'rows without a reason', broken: 'd.reason IS NULL' },
    {
      kind: 'no_answer',
      what: 'rows of relayed mail without the answer of the server that took it',
      broken: "d.direction = 'out' AND d.state = 'relayed' AND d.last_reply IS NULL",
    },
  ];
}

/**
 * Counts the answers of a period and finds the rows that can't be right. Copies are looked up for
 * those rows alone whose messages are not proved.
 */
export async function checkDeliveries(
  ctx: Ctx,
  period: Period,
  proved: Proved,
): Promise<{ accounts: MailAccounts; problems: LedgerProblem[] }> {
  const { accounts, range } = await countAnswers(ctx, period);
  const rows = rowsOf(period, range);
  const unproved = isUnproved('d.message_id', proved);
  const rules = rulesAt(Date.now(), unproved);
  const [found] = await readRows<{ received: string } & Record<`rule${number}`, string>>(
    ctx,
    `SELECT COUNT(${isReceived} AND ${unproved.sql} OR NULL) AS received,
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
  return { accounts, problems };
}

/** What the index of the days says: how the answers ended, and which ids their rows have. */
async function countAnswers(ctx: Ctx, { from, to }: Period): Promise<{ accounts: MailAccounts; range: IdRange }> {
  const groups = await readRows<CountedAnswers & Ids & { total: string }>(
    ctx,
    // Almost all rows stand for one answer, and to add up costs more than to count
    `SELECT direction, state, COUNT(*) AS total, COUNT(*) + COALESCE(SUM(IF(answers = 1, NULL, answers - 1)), 0) AS count,
            MIN(id) AS first, MAX(id) AS last
       FROM deliveries FORCE INDEX (deliveries_day) WHERE created_at >= ? AND created_at < ?
      GROUP BY direction, state`,
    [from, to],
  );
  const ids = groups.flatMap(({ first, last }) => [first, last]).toSorted((a, b) => Number(a) - Number(b));
  const count = groups.reduce((sum, { total }) => sum + Number(total), 0);
  return { accounts: accountsOf(groups), range: { first: ids.at(0) ?? null, last: ids.at(-1) ?? null, count } };
}

type Rows = Pick<Condition, 'values'> & { from: string };

/**
 * The rows of a period by the range of their ids. To read rows in the order of their ids takes half
 * the time of looking each of them up. A clock that was wrong can have given a short period a wide
 * range: then they are looked up.
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
 */
async function findRepeated(ctx: Ctx, rows: Rows, unproved: Condition): Promise<LedgerProblem[]> {
  const repeated = await readRows<{ mailId: string; count: number }>(
    ctx,
    `SELECT MIN(r.mail_id) AS mailId, COUNT(*) - 1 AS count
       FROM (SELECT DISTINCT d.entry_id FROM ${rows.from}
AND ${isReceived} AND ${unproved.sql}) n
       JOIN deliveries r FORCE INDEX (deliveries_entry) ON r.entry_id = n.entry_id
      WHERE r.direction = 'in' AND r.state = 'stored' AND r.reason <=> 'stored_locally'
      GROUP BY r.entry_id, r.recipient HAVING COUNT(*) > 1`,
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
