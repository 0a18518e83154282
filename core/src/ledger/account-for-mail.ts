import { readRows, type SqlValue } from '../database/run-sql.ts';
import type { DeliveryState } from '../models/delivery.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';

/**
 * The counts of the mail of one direction, by its state. `accepted` is always the sum of the five
 * after it (D30).
 */
export interface MailAccount {
  accepted: number;
  stored: number;
  relayed: number;
  bounced: number;
  held: number;
  queued: number;
  /** Refused in the SMTP or HTTP dialogue, so not accepted. */
  refused: number;
  /**
   * Ended before this host sent it, and so no longer accepted: its sender took it back or may not
   * send it, or it is a copy that is not forwarded.
   */
  cancelled: number;
  /** True when the sum is right: each accepted row is in one of the five states. */
  isBalanced: boolean;
}

/** Both directions of a scope. */
export interface MailAccounts {
  in: MailAccount;
  out: MailAccount;
}

/** From a moment (included) to another (excluded). */
export interface Period {
  from: Date;
  to: Date;
}

/** How many answers of one direction have one state. */
export interface CountedAnswers {
  direction: 'in' | 'out';
  state: DeliveryState;
  count: number;
}

/**
 * Counts the answers about the messages of a company or of the whole host, in a period or ever, by
 * the state of the message for each recipient.
 */
export async function accountForMail(ctx: Ctx, scope: Scope, period?: Period): Promise<MailAccounts> {
  const conditions: [sql: string, ...values: SqlValue[]][] = [];
  if (scope.kind === 'company') conditions.push(['company_id = ?', scope.companyId]);
  if (period) conditions.push(['created_at >= ? AND created_at < ?', period.from, period.to]);
  const rows = await readRows<CountedAnswers>(
    ctx,
    `SELECT direction, state, SUM(answers) AS count FROM deliveries
      WHERE ${['TRUE', ...conditions.map(([sql]) => sql)].join(' AND ')} GROUP BY direction, state`,
    conditions.flatMap(([, ...values]) => values),
  );
  return accountsOf(rows);
}

/** The accounts of counted answers. */
export function accountsOf(rows: readonly CountedAnswers[]): MailAccounts {
  return { in: account(rows, 'in'), out: account(rows, 'out') };
}

/** The sum of the accounts of two parts of a period. */
export function addAccounts(one: MailAccounts, other: MailAccounts): MailAccounts {
  return { in: addAccount(one.in, other.in), out: addAccount(one.out, other.out) };
}

function addAccount(one: MailAccount, other: MailAccount): MailAccount {
  const sum = { ...one };
  for (const name of [...endStates, 'accepted', 'refused', 'cancelled'] as const) sum[name] += other[name];
  return { ...sum, isBalanced: sum.accepted === sumOfStates(sum) };
}

/** The possible states of accepted mail. */
const endStates = ['stored', 'relayed', 'bounced', 'held', 'queued'] as const;

/** The sum of the states of accepted mail, which equals `accepted` in a balanced account. */
export function sumOfStates(account: Pick<MailAccount, (typeof endStates)[number]>): number {
  return endStates.reduce((sum, state) => sum + account[state], 0);
}

function account(rows: readonly CountedAnswers[], direction: 'in' | 'out'): MailAccount {
  const own = rows.filter((row) => row.direction === direction);
  const of = (state: DeliveryState): number => Number(own.find((row) => row.state === state)?.count ?? 0);
  const all = own.reduce((sum, { count }) => sum + Number(count), 0);
  const states = {
    stored: of('stored'),
    relayed: of('relayed'),
    bounced: of('bounced'),
    held: of('held'),
    queued: of('queued'),
  };
  const accepted = all - of('refused') - of('cancelled');
  return {
    accepted,
    ...states,
    refused: of('refused'),
    cancelled: of('cancelled'),
    isBalanced: accepted === sumOfStates(states),
  };
}
