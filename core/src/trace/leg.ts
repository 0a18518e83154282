import type { Period } from '../ledger/account-for-mail.ts';
import type { Condition } from './trace-scope.ts';

/** A searched value, in the ways that it can be meant. */
export type Term =
  | { kind: 'all' }
  | { kind: 'key' | 'domain'; party: 'sender' | 'recipient'; value: string }
  | { kind: 'mailbox'; value: string }
  | { kind: 'message'; values: string[] }
  | { kind: 'message_id'; value: string }
  | { kind: 'mail'; value: string };

/** One way in which a row can match, and the index that finds such rows in the order of time. */
export interface Leg {
  index: string;
  /** Columns of the index after the searched one, the newest first. */
  order: string;
  where: Condition[];
  /** The time in the index, where it is not `created_at`; the leg has a condition on it. */
  time?: 'd.waiting_since';
}

/** The order of the indexes that have the time after the searched column. */
export const byTime = 'd.created_at DESC, d.company_id DESC, d.id DESC';

/** A condition on when the row was written. */
export const duringOf = ({ from, to }: Period): Condition => ({
  sql: 'd.created_at >= ? AND d.created_at < ?',
  values: [from, to],
});
