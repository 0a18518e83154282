import type { Scope } from '../context/actor.ts';
import type { SqlValue } from '../database/run-sql.ts';

/*
 * Mail that waits has the columns `waiting_company`, `waiting_group` (its domain, a space and its
 * reason) and `waiting_since`, which the database computes; all other mail has NULL in them. They
 * stand in the index `deliveries_waiting`.
 */

/** A part of a statement, and the values of its place holders. */
export interface WaitingCondition {
  sql: string;
  values: SqlValue[];
}

/** The reason of mail that an administrator holds; no other mail has it. */
export const heldReason = 'held_by_administrator';

/** Mail that an administrator holds. What its own sender holds or has scheduled is the sender's. */
export const heldByAdministrator = `direction = 'out' AND state = 'held' AND reason = '${heldReason}'`;

/** What waits of a company's senders, or of all of the host. */
export function waitingIn(scope: Scope): WaitingCondition {
  return scope.kind === 'company'
    ? { sql: 'waiting_company = ?', values: [scope.companyId] }
    : { sql: 'waiting_company IS NOT NULL', values: [] };
}

/** What waits for a domain for one reason. */
export function inGroup(domain: string, reason: string): WaitingCondition {
  return { sql: 'waiting_group = ?', values: [`${domain} ${reason}`] };
}

/** What waits for a domain. Its reasons stand after a space, and `!` is the letter after it. */
export function inGroupsOf(domain: string): WaitingCondition {
  return { sql: 'waiting_group >= ? AND waiting_group < ?', values: [`${domain} `, `${domain}!`] };
}

/** What waits for a domain, without what an administrator holds. */
export function queuedFor(domain: string): WaitingCondition {
  const { sql, values } = inGroupsOf(domain);
  return { sql: `${sql} AND waiting_group <> ?`, values: [...values, `${domain} ${heldReason}`] };
}
