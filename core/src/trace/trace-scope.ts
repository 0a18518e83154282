import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';

/** A condition on rows of `deliveries d`. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

/**
 * A domain that a company has proved, and since when: older mail for it may be another company's.
 */
export interface OwnDomain {
  name: string;
  since: Date;
}

/**
 * Which rows of the ledger a reader may see (D58). People of the provider see all. A company sees
 * its own: what its people sent, and what was for them. Mail from another company of this host has
 * one row, which is the sender's. The company of the recipient sees it as well once it is
 * delivered, and nothing of the sender's other recipients.
 */
export interface TraceScope {
  /** Null for the whole host. */
  companyId: string | null;
  domains: OwnDomain[];
}

/** No company has more domains. Each of them is a part of the condition. */
const mostDomains = 200;

export async function traceScopeOf(ctx: Ctx, scope: Scope): Promise<TraceScope> {
  if (scope.kind === 'host') return { companyId: null, domains: [] };
  const domains = await readRows<OwnDomain>(
    ctx,
    `SELECT owned_name AS name, verified_at AS since FROM domains
      WHERE company_id = ? AND owned_name IS NOT NULL AND verified_at IS NOT NULL ORDER BY id LIMIT ${mostDomains}`,
    [scope.companyId],
  );
  return { companyId: scope.companyId, domains };
}

/** The rows that are the company's own. */
export function isOwn(companyId: string): Condition {
  return { sql: 'd.company_id = ?', values: [companyId] };
}

/** The rows of neighbours, the other companies of this host, that delivered mail to this one. */
export function isFromNeighbour(companyId: string, domains: readonly OwnDomain[]): Condition {
  if (domains.length === 0) return { sql: 'FALSE', values: [] };
  const parts = domains.map(() => '(d.recipient_domain = ? AND d.created_at >= ?)');
  return {
    sql: `d.direction = 'out' AND d.state = 'stored' AND d.company_id <> ? AND (${parts.join(' OR ')})`,
    values: [companyId, ...domains.flatMap(({ name, since }) => [name, since])],
  };
}

/** The rows whose recipient is at a domain of the company, from any sender. */
export function isToOwnAddress(domains: readonly OwnDomain[]): Condition {
  return {
    sql: `(d.direction = 'in' OR d.recipient_domain IN (?))`,
    values: [domains.map(({ name }) => name)],
  };
}

/** Every row that the reader may see. */
export function isVisible({ companyId, domains }: TraceScope): Condition {
  if (companyId === null) return { sql: 'TRUE', values: [] };
  const [own, neighbour] = [isOwn(companyId), isFromNeighbour(companyId, domains)];
  return { sql: `(${own.sql} OR (${neighbour.sql}))`, values: [...own.values, ...neighbour.values] };
}

/** What a company may see of a row that it may see; `isReceived` when the row is a neighbour's. */
export type Seen<Row> = Row & { isReceived: boolean };

interface RowOfCompany {
  companyId: string | null;
  direction: 'in' | 'out';
  recipientDomain: string;
}

/**
 * Leaves out of a visible row what only another company may know. The recipient's company isn't
 * told how its neighbour sent the message. The sender's company isn't told whose mailbox an address
 * of its neighbour leads to.
 */
export function asSeenBy<Row extends RowOfCompany>({ companyId, domains }: TraceScope, row: Row): Seen<Row> {
  const isReceived = companyId !== null && String(row.companyId) !== companyId;
  if (isReceived) return { ...row, ...withoutSendersOwn, isReceived };
  const isOwnAddress = row.direction === 'in' || domains.some(({ name }) => name === row.recipientDomain);
  if (companyId === null || isOwnAddress) return { ...row, isReceived };
  return { ...row, expandedBy: null, expandedTo: null, isReceived };
}

/** What only the sender's company is told. */
const withoutSendersOwn = {
  companyId: null,
  companyName: null,
  attempts: 0,
  nextAttemptAt: null,
  leaseUntil: null,
  releasedAt: null,
  forwardedFor: null,
};
