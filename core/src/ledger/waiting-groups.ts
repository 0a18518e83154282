import type { Scope } from '../context/actor.ts';
import type { SqlValue } from '../database/run-sql.ts';

/*
 * For mail that waits, the database computes the columns `waiting_company`, `waiting_group` (its
 * domain, a space and its reason) and `waiting_since`; for all other mail they are NULL. The
 * columns are in the index `deliveries_waiting`.
 */

/** A part of a statement, and the values of its placeholders. */
export interface WaitingCondition {
  sql: string;
  values: SqlValue[];
}

/** The reason of mail that an administrator holds; no other mail has it. */
export const heldReason = 'held_by_administrator';

/**
 * Mail that an administrator holds. Mail that its own sender holds or has scheduled is not
 * included.
 */
export const heldByAdministrator = `direction = 'out' AND state = 'held' AND reason = '${heldReason}'`;

/** The waiting mail of a company's senders, or of the whole host. */
export function waitingIn(scope: Scope): WaitingCondition {
  return scope.kind === 'company'
    ? { sql: 'waiting_company = ?', values: [scope.companyId] }
    : { sql: 'waiting_company IS NOT NULL', values: [] };
}

/** The waiting mail for a domain with one reason. */
export function inGroup(domain: string, reason: string): WaitingCondition {
  return { sql: 'waiting_group = ?', values: [`${domain} ${reason}`] };
}

/**
 * The waiting mail for a domain. The reason follows after a space, and `!` is the next character
 * after the space.
 */
export function inGroupsOf(domain: string): WaitingCondition {
  return { sql: 'waiting_group >= ? AND waiting_group < ?', values: [`${domain} `, `${domain}!`] };
}

/** The waiting mail for a domain, except for mail that an administrator holds. */
export function queuedFor(domain: string): WaitingCondition {
  const { sql, values } = inGroupsOf(domain);
  return { sql: `${sql} AND waiting_group <> ?`, values: [...values, `${domain} ${heldReason}`] };
}
