import { domainOf } from '../mail/address-rules.ts';
import { mostTraced } from '../contracts/trace.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { AppError } from '../errors.ts';
import type { Period } from '../ledger/account-for-mail.ts';
import { messageIdHash } from '../ledger/message-id-hash.ts';
import { readRefusalCode } from '../ledger/refusal-code.ts';
import { asciiDomain } from '../mail/addresses.ts';
import type { DeliveryState, Expansion } from '../models/delivery.ts';
import { byTime, duringOf, type Leg, type Term } from './leg.ts';
import {
  asSeenBy,
  type Condition,
  findOwnNames,
  isFromNeighbour,
  isOwn,
  isToOwnAddress,
  type OwnDomain,
  readOwnDomains,
  type Seen,
  type TraceScope,
  traceScopeOf,
} from './trace-scope.ts';
import { waitingLegs } from './waiting-legs.ts';

/*
 * A search reads the ledger by indexes that have the time after the searched column, newest rows
 * first, and stops at 1000 rows. Each way that a row can match is a leg: a query with an index of
 * its own. The legs are combined, so that a row that matches twice is found once.
 *
 * An address may have many rows on the host, and few or none that the company which searches may
 * see. So for an address with many rows, a company with few rows looks through its own ones
 * instead. For a sender with many rows, a company looks through what neighbours sent to its
 * domains.
 *
 * No index has states and addresses together: a state changes, and each change would cost an entry
 * of the index. So a search for a state looks at the rows that match otherwise, 50 000 at most in
 * each leg. Mail that waits has an index of its own (waiting-legs.ts).
 */

/** What a search of the ledger asks for. */
export interface TraceQuestion extends Period {
  /**
   * An address, a domain, a Message-ID, a mail id or the code of a refusal; absent for everything.
   */
  search?: string | undefined;
  /** Whether an address or a domain is meant as the sender or the recipient; absent for either. */
  party?: 'sender' | 'recipient' | undefined;
  states?: readonly DeliveryState[] | undefined;
}

/** A row of the ledger, as a list shows it. */
export interface TracedDelivery {
  id: string;
  companyId: string | null;
  companyName: string | null;
  direction: 'in' | 'out';
  recipient: string;
  recipientDomain: string;
  envelopeFrom: string;
  state: DeliveryState;
  reason: string | null;
  answers: number;
  expandedBy: Expansion['by'] | null;
  forwardedFor: string | null;
  attempts: number;
  createdAt: Date;
}

const mostFound = mostTraced;
const mostLookedAt = 50_000;

/**
 * Finds rows of the ledger that the scope may see, the newest first, 1000 at most.
 * @throws AppError `trace_too_wide` when a state is asked for among too many rows, or everything or
 *   a sender with very much mail by a company with too many domains
 */
export async function findDeliveries(
  ctx: Ctx,
  scope: Scope,
  question: TraceQuestion,
  { offset, limit, isOldestFirst = false }: { offset: number; limit: number; isOldestFirst?: boolean },
): Promise<{ rows: Seen<TracedDelivery>[]; total: number }> {
  const seen = traceScopeOf(scope);
  const legs: Leg[] = [];
  for (const term of termsOf(ctx, question)) {
    const asked = { ...seen, ...question };
    legs.push(...(waitingLegs(term, asked) ?? (await legsOf(ctx, term, asked))));
  }
  const found = legs.length === 0 ? [] : await findIds(ctx, legs, question);
  const ids = isOldestFirst ? found.toReversed() : found;
  const page = ids.slice(offset, offset + limit);
  const rows = page.length === 0 ? [] : await readTraced(ctx, seen, page);
  return { rows: isOldestFirst ? rows.toReversed() : rows, total: ids.length };
}

function termsOf({ app }: Ctx, { search, party }: TraceQuestion): Term[] {
  const text = search?.trim() ?? '';
  if (text === '') return [{ kind: 'all' }];
  // What the answer says that refused the message: the URL of a page, or only its code
  const last = text.split(/[^0-9a-z]+/i).findLast((part) => part !== '');
  const refused = readRefusalCode(app.secrets, last ?? '');
  if (refused) return [{ kind: 'mail', value: refused.mailId }];
  const parties = party === undefined ? (['recipient', 'sender'] as const) : [party];
  const bare = text.replace(/^<(.*)>$/, '$1');
  const messageId: Term = { kind: 'message_id', value: messageIdHash(bare) };
  if (!bare.includes('@')) {
    const domain = asciiDomain(bare) ?? bare.toLowerCase();
    const byDomain = parties.map((one): Term => ({ kind: 'domain', party: one, value: domain }));
    // Some programs make a Message-ID without a domain
    return [...byDomain, ...mailTerm(bare), ...(bare === text ? [] : [messageId])];
  }
  const [local, name] = [bare.slice(0, bare.lastIndexOf('@')), domainOf(bare)];
  const domain = asciiDomain(name) ?? name.toLowerCase();
  // What a person types as `@weavers.test` is a domain
  if (local === '') return parties.map((one): Term => ({ kind: 'domain', party: one, value: domain }));
  const key = `${local.toLowerCase()}@${domain}`;
  // Rows from before the ledger kept the Message-ID are found by the message
  const message: Term = { kind: 'message', values: [`<${bare}>`, bare] };
  // An alias, a group or a catch-all may have led the message to the mailbox with this address
  const mailbox: Term[] = party === 'sender' ? [] : [{ kind: 'mailbox', value: key }];
  return [...parties.map((one): Term => ({ kind: 'key', party: one, value: key })), ...mailbox, message, messageId];
}

/**
 * The term of a mail id, if the text can be one. The column is ASCII, and the database refuses to
 * compare it with other characters.
 */
function mailTerm(text: string): Term[] {
  return /^[!-~]{1,40}$/.test(text) ? [{ kind: 'mail', value: text }] : [];
}

const fewRows = 20_000;

/** Whether fewer than `fewRows` rows match, counted from an index alone. */
async function hasFewRows(ctx: Ctx, index: string, where: readonly Condition[], period: Period): Promise<boolean> {
  const { sql, values } = partOf({ index, order: 'NULL', where: [...where, duringOf(period)] }, fewRows);
  const [row] = await readRows<{ count: number }>(ctx, `SELECT COUNT(*) AS count FROM (${sql}) c`, values);
  return Number(row?.count ?? 0) < fewRows;
}

/**
 * The legs of a term. For a company there are two: one for its own rows and one for those of its
 * neighbours, the other companies of this host.
 */
async function legsOf(ctx: Ctx, term: Term, seen: TraceScope & Period): Promise<Leg[]> {
  const { companyId } = seen;
  if (term.kind === 'all') {
    if (companyId === null) return [{ index: 'deliveries_day', order: hostOrder, where: [] }];
    const own = { index: 'deliveries_company', order: byTime, where: [isOwn(companyId)] };
    return [own, ...(await domainLegs(ctx, companyId, []))];
  }
  const leg = await legOf(ctx, term);
  if (leg === null || companyId === null) return leg === null ? [] : [leg];
  if (term.kind === 'mailbox') return await mailboxLegs(ctx, leg, { mailbox: term.value, companyId });
  // A sender may give any number of messages the same Message-ID
  const isCommon = term.kind === 'key' || term.kind === 'domain' || term.kind === 'message_id';
  const isRare = !isCommon || (await hasFewRows(ctx, leg.index, leg.where, seen));
  const isSmall = !isRare && (await hasFewRows(ctx, 'deliveries_company', [isOwn(companyId)], seen));
  const index = isSmall ? 'deliveries_company' : leg.index;
  const own = { ...leg, index, where: [...leg.where, isOwn(companyId)] };
  if (!(await mayReach(ctx, term, companyId))) return [own];
  const isToOwn = 'party' in term && term.party === 'recipient';
  if (isRare || isToOwn) return [own, { ...leg, where: [...leg.where, isFromNeighbour(companyId)] }];
  return [own, ...(await domainLegs(ctx, companyId, leg.where))];
}

/**
 * The legs for mail of neighbours, one for each domain of the company. They read nothing of what
 * neighbours sent to others, however much it is.
 */
async function domainLegs(ctx: Ctx, companyId: string, where: readonly Condition[]): Promise<Leg[]> {
  const domains = await readOwnDomains(ctx, companyId, mostDomains + 1);
  if (domains.length > mostDomains) throw tooWide();
  return domains.map((domain) => {
    const leg = toDomain(companyId, domain);
    return { ...leg, where: [...leg.where, ...where] };
  });
}

/**
 * The legs of a company for mail that another address led to a mailbox. A company is only told so
 * of its own addresses (`asSeenBy`), so only mailboxes at its own domains have such legs.
 */
async function mailboxLegs(
  ctx: Ctx,
  leg: Leg,
  { mailbox, companyId }: { mailbox: string; companyId: string },
): Promise<Leg[]> {
  if (!(await isOwnDomain(ctx, companyId, domainOf(mailbox)))) return [];
  const own = [isOwn(companyId), isToOwnAddress(companyId)];
  return [
    { ...leg, where: [...leg.where, ...own] },
    { ...leg, where: [...leg.where, isFromNeighbour(companyId)] },
  ];
}

const hostOrder = 'd.created_at DESC, d.direction DESC, d.state DESC, d.answers DESC, d.id DESC';

/** The leg of a term; null when no row can match. */
async function legOf(ctx: Ctx, term: Exclude<Term, { kind: 'all' }>): Promise<Leg | null> {
  if (term.kind === 'mail') {
    return { index: 'deliveries_mail', order: byTime, where: [{ sql: 'd.mail_id = ?', values: [term.value] }] };
  }
  if (term.kind === 'message') {
    const messages = await readRows<{ id: string }>(
      ctx,
      `SELECT id FROM messages WHERE message_id_header IN (?) ORDER BY id DESC LIMIT ${mostFound}`,
      [term.values],
    );
    const where = [{ sql: 'd.message_id IN (?)', values: [messages.map(({ id }) => String(id))] }];
    return messages.length === 0 ? null : { index: 'deliveries_message', order: byTime, where };
  }
  if (term.kind === 'mailbox') {
    return { index: 'deliveries_mailbox', order: byTime, where: [{ sql: 'd.expanded_to = ?', values: [term.value] }] };
  }
  if (term.kind === 'message_id') {
    const where = [{ sql: 'd.message_id_hash = CAST(? AS UNSIGNED)', values: [term.value] }];
    return { index: 'deliveries_message_id', order: byTime, where };
  }
  const isSender = term.party === 'sender';
  const [column, index] =
    term.kind === 'key'
      ? isSender
        ? ['sender_key', 'deliveries_sender']
        : ['recipient_key', 'deliveries_recipient']
      : isSender
        ? ['sender_domain', 'deliveries_from_domain']
        : ['recipient_domain', 'deliveries_to_domain'];
  return { index, order: byTime, where: [{ sql: `d.${column} = ?`, values: [term.value] }] };
}

/** The most domains of a company that have a leg each. */
const mostDomains = 1000;

/** The leg for mail of neighbours to one domain of the company. */
function toDomain(companyId: string, { name, since }: OwnDomain): Leg {
  const sql = `d.direction = 'out' AND d.state = 'stored' AND d.company_id <> ?
               AND d.recipient_domain = ? AND d.created_at >= ?`;
  return { index: 'deliveries_to_domain', order: byTime, where: [{ sql, values: [companyId, name, since] }] };
}

async function isOwnDomain(ctx: Ctx, companyId: string, name: string): Promise<boolean> {
  return (await findOwnNames(ctx, companyId, [name])).has(name);
}

/**
 * Whether rows of neighbours can match a term. A sender outside this host has no such rows, however
 * many others it has.
 */
async function mayReach(ctx: Ctx, term: Term, companyId: string): Promise<boolean> {
  if (term.kind !== 'key' && term.kind !== 'domain') return true;
  const name = domainOf(term.value);
  if (term.party === 'recipient') return await isOwnDomain(ctx, companyId, name);
  if (asciiDomain(name) === null) return false;
  return (await readRows(ctx, 'SELECT 1 FROM domains WHERE owned_name = ? LIMIT 1', [name])).length > 0;
}

async function findIds(ctx: Ctx, legs: readonly Leg[], { from, to, states }: TraceQuestion): Promise<string[]> {
  const during = duringOf({ from, to });
  const most = states === undefined ? mostFound : mostLookedAt;
  const parts = legs.map((leg) => partOf(leg.time ? leg : { ...leg, where: [...leg.where, during] }, most));
  const candidates = `(${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')})`;
  const values = parts.flatMap((part) => part.values);
  const [table, join, joinValues]: [string, string, SqlValue[]] =
    states === undefined
      ? ['c', '', []]
      : ['d', `JOIN deliveries d ON d.id = c.id AND d.state IN (?) AND ${during.sql}`, [[...states], ...during.values]];
  const found = await readRows<{ id: string; createdAt: Date }>(
    ctx,
    `SELECT ${table}.id, ${table}.created_at AS createdAt FROM ${candidates} c ${join}
      GROUP BY ${table}.id, ${table}.created_at ORDER BY ${table}.created_at DESC, ${table}.id DESC LIMIT ${mostFound}`,
    [...values, ...joinValues],
  );
  if (states !== undefined) await requireWhole(ctx, parts, found[mostFound - 1]?.createdAt);
  return found.map(({ id }) => String(id));
}

function partOf({ index, order, where, time }: Leg, most: number): Condition {
  const conditions = where.map(({ sql }) => sql).join(' AND ');
  return {
    sql: `SELECT d.id, ${time ?? 'd.created_at'} AS created_at FROM deliveries d FORCE INDEX (${index})
           WHERE ${conditions} ORDER BY ${order} LIMIT ${most}`,
    values: where.flatMap(({ values }) => values),
  };
}

/**
 * Refuses a search whose result would be incomplete without saying so: a part ends at its limit,
 * and rows beyond it may be newer than the last one that is shown.
 * @param lastShown the time of that row; undefined while there is room for more
 */
async function requireWhole(ctx: Ctx, parts: readonly Condition[], lastShown: Date | undefined): Promise<void> {
  for (const { sql, values } of parts) {
    const statement = `SELECT MIN(c.created_at) AS oldest, COUNT(*) AS count FROM (${sql}) c`;
    const [row] = await readRows<{ oldest: Date; count: number }>(ctx, statement, values);
    if (!row || Number(row.count) < mostLookedAt) continue;
    if (lastShown === undefined || row.oldest > lastShown) throw tooWide();
  }
}

function tooWide(): AppError {
  return new AppError({
    status: 422,
    code: 'trace_too_wide',
    publicText: 'There is too much mail to look through. Choose a shorter time, or search for an address.',
  });
}

async function readTraced(ctx: Ctx, seen: TraceScope, ids: readonly string[]): Promise<Seen<TracedDelivery>[]> {
  const rows = await readRows<TracedDelivery>(
    ctx,
    `SELECT d.id, d.company_id AS companyId, c.name AS companyName, d.direction, d.recipient,
            d.recipient_domain AS recipientDomain, d.envelope_from AS envelopeFrom, d.state, d.reason, d.answers,
            d.expanded_by AS expandedBy, d.forwarded_for AS forwardedFor, d.attempts, d.created_at AS createdAt
       FROM deliveries d LEFT JOIN companies c ON c.id = d.company_id
      WHERE d.id IN (?) ORDER BY d.created_at DESC, d.id DESC`,
    [ids],
  );
  return await asSeenBy(ctx, seen, rows);
}
