import type { LedgerProblemKind } from '../contracts/ledger-proof.ts';
import type { SqlValue } from '../database/run-sql.ts';
import type { Condition } from './id-range.ts';

/** A rule for the rows of `deliveries d`. */
export interface Rule {
  kind: LedgerProblemKind;
  what: string;
  /** An SQL condition that is true for a row that breaks the rule. */
  broken: string;
  values?: SqlValue[];
}

/** Rows of mail that was received and stored. */
export const receivedCondition = "d.direction = 'in' AND d.state = 'stored'";

/** The reasons, in SQL, of rows that stand for a copy. Those of a repeat stand for none. */
export const reasonsOfCopy = "'stored_locally', 'restored'";

/** The address of the mailbox that an outgoing row of this host was stored for. */
export const mailboxOfRow = 'COALESCE(d.expanded_to, d.recipient_key)';

/**
 * How late an attempt may be, in milliseconds, for a domain that no worker tries meanwhile. Workers
 * begin within seconds of the time, unless other deliveries for the same domain are under way.
 */
const overdueMs = 3_600_000;
const waitingCondition = "d.direction = 'out' AND d.state IN ('held', 'queued')";

const lacksReason = 'd.reason IS NULL';
const lacksAnswer = "d.direction = 'out' AND d.state = 'relayed' AND d.last_reply IS NULL";

/** True for an incoming row whose copy is missing, or belongs to another message. */
const lacksNamedCopy = `(
  SELECT 1 FROM mailbox_entries e WHERE e.id = d.entry_id AND e.message_id = d.message_id LIMIT 1) IS NULL`;

/**
 * True for an outgoing row that was stored in a mailbox of this host although its person has no
 * copy. The row names the entry of its sender, so the person is found by the address. If none of
 * the copies belongs to that address, a second look-up checks whether a person has it. A group has
 * none, since each of its people has a row. A person who was created after the row is not the one
 * who had the address then.
 */
const lacksCopy = `(
  (SELECT 1 FROM mailbox_entries c FORCE INDEX (entries_message)
    STRAIGHT_JOIN users o ON o.id = c.user_id AND o.email = ${mailboxOfRow}
    WHERE c.message_id = d.message_id AND c.received_status = 1 LIMIT 1) IS NULL
  AND EXISTS (
    SELECT 1 FROM users u FORCE INDEX (users_email)
     WHERE u.email = ${mailboxOfRow} AND u.erased_at IS NULL AND u.created_at <= d.updated_at))`;

/** The time before which an attempt is overdue. */
export function overdueAt(now: Date): Date {
  return new Date(now.getTime() - overdueMs);
}

/**
 * The rules at a moment.
 * @param untried the domains with overdue deliveries that no worker tries
 * @param isHeldBack whether the outgoing mail of a restored host waits for its operator: without a
 *   time, and by right
 */
export function rulesAt(
  now: Date,
  { unproved, untried, isHeldBack }: { unproved: Condition; untried: string[]; isHeldBack: boolean },
): Rule[] {
  const overdue = overdueAt(now);
  return [
    {
      kind: 'row_without_copy',
      what: 'rows of a stored message whose copy is missing, or is one of another message',
      broken: `d.state = 'stored' AND d.reason IN (${reasonsOfCopy}) AND d.message_id IS NOT NULL
               AND ${unproved.sql} AND IF(d.direction = 'in', ${lacksNamedCopy}, ${lacksCopy})`,
      values: unproved.values,
    },
    {
      kind: 'waits_for_ever',
      what: 'rows that wait and that no worker tries',
      broken: `${waitingCondition} AND NOT (d.state = 'held' AND d.reason <=> 'held_by_administrator') AND (${isHeldBack ? 'FALSE' : 'd.next_attempt_at IS NULL'}
               OR (d.next_attempt_at < ? AND (d.lease_until IS NULL OR d.lease_until < ?)
                   AND (d.state = 'held' OR ${untried.length === 0 ? 'FALSE' : 'd.recipient_domain IN (?)'})))`,
      values: [overdue, overdue, ...(untried.length === 0 ? [] : [untried])],
    },
    {
      kind: 'waits_without_message',
      what: 'rows that wait and have no message',
      broken: `${waitingCondition} AND d.message_id IS NULL`,
    },
    { kind: 'no_reason', what: 'rows without a reason', broken: lacksReason },
    {
      kind: 'no_answer',
      what: 'rows of relayed mail without the answer of the server that took it',
      broken: lacksAnswer,
    },
  ];
}

/**
 * A condition for rows that may break a rule. All other rows are in order. The condition is cheap
 * to check.
 */
export function suspectCondition(unproved: Condition): Condition {
  const sql = `IF(d.state = 'stored', ${lacksReason} OR ${unproved.sql}, ${lacksReason} OR ${waitingCondition} OR ${lacksAnswer})`;
  return { sql, values: unproved.values };
}
