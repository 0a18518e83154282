import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';

/** A condition on rows of `deliveries d`. */
export interface Condition {
  sql: string;
  values: SqlValue[];
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
}

export function traceScopeOf(scope: Scope): TraceScope {
  return { companyId: scope.kind === 'host' ? null : scope.companyId };
}

/** The rows that are the company's own. */
export function isOwn(companyId: string): Condition {
  return { sql: 'd.company_id = ?', values: [companyId] };
}

/**
 * Since when the company has proved the domain of a row's recipient; NULL for the domain of another
 * one. A company may have any number of domains, so each row looks up its own. The database does
 * not turn a look-up of one value into a join, and keeps to the order of the rows.
 */
const provedSince = `(
  SELECT o.verified_at FROM domains o
   WHERE o.owned_name = CONVERT(d.recipient_domain USING ascii) AND o.company_id = ?)`;

/**
 * The rows of neighbours, the other companies of this host, that delivered mail to this one. Mail
 * for a domain from before the company proved it may be another company's.
 */
export function isFromNeighbour(companyId: string): Condition {
  return {
    sql: `d.direction = 'out' AND d.state = 'stored' AND d.company_id <> ? AND d.created_at >= ${provedSince}`,
    values: [companyId, companyId],
  };
}

/** The rows whose recipient is at a domain of the company, from any sender. */
export function isToOwnAddress(companyId: string): Condition {
  return { sql: `(d.direction = 'in' OR ${provedSince} IS NOT NULL)`, values: [companyId] };
}

const proved = 'company_id = ? AND owned_name IS NOT NULL AND verified_at IS NOT NULL';

/** A domain that a company has proved, and since when. */
export interface OwnDomain {
  name: string;
  since: Date;
}

/** The domains that a company has proved, at most so many. */
export async function readOwnDomains(ctx: Ctx, companyId: string, most: number): Promise<OwnDomain[]> {
  return await readRows<OwnDomain>(
    ctx,
    `SELECT owned_name AS name, verified_at AS since FROM domains WHERE ${proved} ORDER BY id LIMIT ${most}`,
    [companyId],
  );
}

/** Which of some domains the company has proved. */
export async function findOwnNames(ctx: Ctx, companyId: string, names: readonly string[]): Promise<Set<string>> {
  // The column is ASCII, and the database refuses to compare it with other characters
  const possible = [...new Set(names)].filter((name) => /^[!-~]+$/.test(name));
  if (possible.length === 0) return new Set();
  const statement = `SELECT owned_name AS name FROM domains WHERE owned_name IN (?) AND ${proved}`;
  const rows = await readRows<{ name: string }>(ctx, statement, [possible, companyId]);
  return new Set(rows.map(({ name }) => name));
}

/** Every row that the reader may see. */
export function isVisible({ companyId }: TraceScope): Condition {
  if (companyId === null) return { sql: 'TRUE', values: [] };
  const [own, neighbour] = [isOwn(companyId), isFromNeighbour(companyId)];
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
 * Leaves out of visible rows what only another company may know. The recipient's company isn't told
 * how its neighbour sent the message. The sender's company isn't told whose mailbox an address of
 * its neighbour leads to.
 */
export async function asSeenBy<Row extends RowOfCompany>(
  ctx: Ctx,
  { companyId }: TraceScope,
  rows: readonly Row[],
): Promise<Seen<Row>[]> {
  if (companyId === null) return rows.map((row) => ({ ...row, isReceived: false }));
  const names = rows.map(({ recipientDomain }) => recipientDomain);
  const own = await findOwnNames(ctx, companyId, names);
  return rows.map((row) => {
    const isReceived = String(row.companyId) !== companyId;
    if (isReceived) return { ...row, ...withoutSendersOwn, isReceived };
    const isOwnAddress = row.direction === 'in' || own.has(row.recipientDomain);
    return { ...row, ...(isOwnAddress ? {} : { expandedBy: null, expandedTo: null }), isReceived };
  });
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
