import type { Ctx } from '../context/context.ts';
import type { LedgerProblemKind } from '../contracts/ledger-proof.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { accountsOf, type CountedAnswers, type MailAccounts, type Period } from './account-for-mail.ts';
import { type IdRange, isWide, noIds } from './id-range.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';

/** What a row of `deliveries d`, with its entry `e`, must not be. */
interface Rule {
  kind: LedgerProblemKind;
  what: string;
  /** True for a row that breaks the rule. */
  broken: string;
  values?: SqlValue[];
}

/** A worker tries a delivery within seconds of the moment for which it is due. */
const overdueMs = 3_600_000;
const isWaiting = "d.direction = 'out' AND d.state IN ('held', 'queued')";

/** The address of the mailbox that an outgoing row of this host was stored for. */
const mailbox = 'COALESCE(d.expanded_to, d.recipient_key)';

/**
 * True for an outgoing row that a mailbox of this host has taken whose person has no copy. The row
 * names the entry of its sender, so the person is found by the address. That is asked anew where
 * none of the copies is for that address: a group has none, since each of its people has a row, and
 * a person who came after the row is not the one that had the address then.
 */
const lacksCopy = `(
  (SELECT 1 FROM mailbox_entries c FORCE INDEX (entries_message)
    STRAIGHT_JOIN users o ON o.id = c.user_id AND o.email = ${mailbox}
    WHERE c.message_id = d.message_id AND c.received_status = 1 LIMIT 1) IS NULL
  AND EXISTS (
    SELECT 1 FROM users u FORCE INDEX (users_email)
     WHERE u.email = ${mailbox} AND u.erased_at IS NULL AND u.created_at <= d.updated_at))`;

function rulesAt(now: number): Rule[] {
  const overdue = new Date(now - overdueMs);
  return [
    {
      kind: 'row_without_copy',
      what: 'rows of a stored message whose copy is missing, or is one of another message',
      broken: `d.state = 'stored' AND d.reason <=> 'stored_locally' AND d.message_id IS NOT NULL
               AND IF(d.direction = 'in', NOT (e.message_id <=> d.message_id), ${lacksCopy})`,
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
 * Counts the answers of a period and finds the rows that can't be right, in one walk over the rows.
 */
export async function checkDeliveries(
  ctx: Ctx,
  period: Period,
): Promise<{ accounts: MailAccounts; problems: LedgerProblem[] }> {
  const rules = rulesAt(Date.now());
  const rows = await rowsOf(ctx, period);
  const groups = await readRows<CountedAnswers & EntryRange & Record<`rule${number}`, number | string>>(
    ctx,
    `SELECT d.direction, d.state, SUM(d.answers) AS count, MIN(d.entry_id) AS firstEntry, MAX(d.entry_id) AS lastEntry,
            COUNT(d.entry_id) AS entries, ${rules.map(({ broken }, n) => `SUM(${broken}) AS rule${n}`).join(', ')}
       FROM ${rows.from} GROUP BY d.direction, d.state`,
    [...rules.flatMap(({ values = [] }) => values), ...rows.values],
  );
  const problems: LedgerProblem[] = [];
  for (const [n, rule] of rules.entries()) {
    const count = groups.reduce((sum, group) => sum + Number(group[`rule${n}`]), 0);
    const { kind, what } = rule;
    if (count > 0) problems.push({ kind, what, count, examples: await examplesOf(ctx, rows, rule) });
  }
  const received = groups.find(({ direction, state }) => direction === 'in' && state === 'stored');
  if (received) problems.push(...(await findRepeated(ctx, rows, received)));
  return { accounts: accountsOf(groups), problems };
}

interface Rows {
  from: string;
  values: SqlValue[];
}

/**
 * The rows of a period by the range of their ids, which the index of the days says. To read rows in
 * the order of their ids takes half the time of looking each of them up. A clock that was wrong can
 * have given a short period a wide range: then they are looked up.
 */
async function rowsOf(ctx: Ctx, { from, to }: Period): Promise<Rows> {
  const [range = noIds] = await readRows<IdRange>(
    ctx,
    `SELECT MIN(id) AS first, MAX(id) AS last, COUNT(*) AS count FROM deliveries FORCE INDEX (deliveries_day)
      WHERE created_at >= ? AND created_at < ?`,
    [from, to],
  );
  return {
    from: `deliveries d FORCE INDEX (${isWide(range) ? 'deliveries_day' : 'PRIMARY'}) LEFT JOIN mailbox_entries e ON e.id = d.entry_id
           WHERE d.id >= ? AND d.id <= ? AND d.created_at >= ? AND d.created_at < ?`,
    values: [range.first ?? 0, range.last ?? 0, from, to],
  };
}

/** Which entries the rows of received mail name, and how many of the rows name one. */
interface EntryRange {
  firstEntry: string | null;
  lastEntry: string | null;
  entries: number;
}

/**
 * Finds copies for which the same recipient has several rows: the copy would be counted more than
 * once. A person who has the message by several addresses has one copy and a row for each address.
 */
async function findRepeated(
  ctx: Ctx,
  rows: Rows,
  { firstEntry, lastEntry, entries }: EntryRange,
): Promise<LedgerProblem[]> {
  if (firstEntry === null || lastEntry === null) return [];
  const named = isWide({ first: firstEntry, last: lastEntry, count: entries })
    ? { from: rows.from, values: rows.values }
    : {
        from: 'deliveries d FORCE INDEX (deliveries_entry) WHERE d.entry_id BETWEEN ? AND ?',
        values: [firstEntry, lastEntry],
      };
  const repeated = await readRows<{ mailId: string; count: number }>(
    ctx,
    `SELECT MIN(r.mail_id) AS mailId, COUNT(*) - 1 AS count
       FROM (SELECT d.entry_id FROM ${named.from} GROUP BY d.entry_id HAVING COUNT(*) > 1) n
       JOIN deliveries r ON r.entry_id = n.entry_id
      WHERE r.direction = 'in' AND r.state = 'stored' AND r.reason <=> 'stored_locally'
      GROUP BY r.entry_id, r.recipient HAVING COUNT(*) > 1`,
    named.values,
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
