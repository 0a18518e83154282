import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { accountForMail, type MailAccounts, type Period } from './account-for-mail.ts';

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

interface Rule {
  what: string;
  /** Finds the rows or messages of the period that break the rule, as `mailId`. */
  from: string;
  values: (period: Period) => SqlValue[];
}

const examples = 5;
/** A worker tries a delivery within seconds of the moment for which it is due. */
const overdueMs = 3_600_000;

const messagesOfPeriod = 'messages m FORCE INDEX (messages_day) WHERE m.created_at >= ? AND m.created_at < ?';
const rowsOfPeriod = 'FORCE INDEX (deliveries_day)';
const inPeriod = 'd.created_at >= ? AND d.created_at < ?';
const both = ({ from, to }: Period): SqlValue[] => [from, to];

const rules: Rule[] = [
  {
    what: 'messages without a row',
    from: `m.mail_id AS mailId FROM ${messagesOfPeriod}
           AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id)`,
    values: both,
  },
  {
    what: 'messages with more received copies than rows that say so',
    from: `m.mail_id AS mailId FROM ${messagesOfPeriod}
           AND (SELECT COUNT(*) FROM mailbox_entries e WHERE e.message_id = m.id AND e.received_status) >
               (SELECT COUNT(*) FROM deliveries d WHERE d.message_id = m.id AND d.state = 'stored')`,
    values: both,
  },
  {
    what: 'rows of a stored message whose copy is missing',
    from: `d.mail_id AS mailId FROM deliveries d ${rowsOfPeriod} LEFT JOIN mailbox_entries e ON e.id = d.entry_id
           WHERE ${inPeriod} AND d.direction = 'in' AND d.state = 'stored' AND d.reason = 'stored_locally'
             AND d.message_id IS NOT NULL AND e.id IS NULL`,
    values: both,
  },
  {
    what: 'rows that wait and that no worker tries',
    from: `d.mail_id AS mailId FROM deliveries d ${rowsOfPeriod}
           WHERE ${inPeriod} AND d.direction = 'out' AND d.state IN ('held', 'queued')
             AND (d.next_attempt_at IS NULL OR (d.next_attempt_at < ? AND (d.lease_until IS NULL OR d.lease_until < ?)))`,
    values: (period) => {
      const overdue = new Date(Date.now() - overdueMs);
      return [...both(period), overdue, overdue];
    },
  },
  {
    what: 'rows that wait and have no message',
    from: `d.mail_id AS mailId FROM deliveries d ${rowsOfPeriod}
           WHERE ${inPeriod} AND d.direction = 'out' AND d.state IN ('held', 'queued') AND d.message_id IS NULL`,
    values: both,
  },
  {
    what: 'rows without a reason',
    from: `d.mail_id AS mailId FROM deliveries d ${rowsOfPeriod} WHERE ${inPeriod} AND d.reason IS NULL`,
    values: both,
  },
  {
    what: 'rows of relayed mail without the answer of the server that took it',
    from: `d.mail_id AS mailId FROM deliveries d ${rowsOfPeriod}
           WHERE ${inPeriod} AND d.direction = 'out' AND d.state = 'relayed' AND d.last_reply IS NULL`,
    values: both,
  },
];

/**
 * Proves the ledger of a period: `accepted = stored + relayed + bounced + held + queued` (D30), a
 * row for every message and copy, and a message or copy for every row.
 */
export async function checkLedger(ctx: Ctx, period: Period): Promise<LedgerCheck> {
  const accounts = await accountForMail(ctx, { kind: 'host' }, period);
  const problems: LedgerProblem[] = [];
  for (const direction of ['in', 'out'] as const) {
    const { accepted, isBalanced } = accounts[direction];
    if (!isBalanced)
      problems.push({ what: `accepted (${direction}) is not the sum of its states`, count: accepted, examples: [] });
  }
  for (const rule of rules) problems.push(...(await broken(ctx, rule, period)));
  return { accounts, problems };
}

async function broken(ctx: Ctx, { what, from, values }: Rule, period: Period): Promise<LedgerProblem[]> {
  const found = await readRows<{ mailId: string; count: number }>(
    ctx,
    `SELECT COUNT(*) OVER () AS count, ${from} LIMIT ${examples}`,
    values(period),
  );
  const [first] = found;
  return first ? [{ what, count: Number(first.count), examples: found.map(({ mailId }) => mailId) }] : [];
}
