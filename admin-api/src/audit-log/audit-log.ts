import { dayMs } from '@selvage/core/utc-day';
import { fullName } from '@selvage/core/contracts/full-name';
import type { AuditSubject } from '@selvage/core/access/audit';
import {
  type AuditArea,
  type AuditEventDto,
  auditPeriods,
  type listAuditEvents,
} from '@selvage/core/contracts/audit-log';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { searchWords } from '@selvage/core/contracts/list';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import { col, fn, literal, Op, type WhereOptions, where as compare } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';
import { comparable, patternOf, searchText } from '../http/search-conditions.ts';
import { nameRecords } from './name-records.ts';

/** The area of each subject of audit events. Every subject has one. */
export const areaOf: Record<AuditSubject, AuditArea> = {
  session: 'login',
  'mail-login': 'login',
  'two-factor': 'login',
  'recovery-code': 'login',
  'recovery-otp': 'login',
  password: 'account',
  passkey: 'account',
  'recovery-codes': 'account',
  'recovery-email': 'account',
  forwarding: 'account',
  filter: 'account',
  'blocked-sender': 'account',
  vacation: 'account',
  'app-password': 'account',
  signature: 'account',
  profile: 'account',
  user: 'user',
  role: 'role',
  permissions: 'permission',
  company: 'company',
  client: 'client',
  // This area includes addresses
  domain: 'domain',
  'dns-record': 'domain',
  'dkim-key': 'domain',
  alias: 'domain',
  group: 'domain',
  delivery: 'mail',
  'mail-backup': 'backup',
  archive: 'backup',
  module: 'module',
  environment: 'host',
  host: 'host',
};

const subjectsOf = (area: AuditArea): string[] =>
  Object.entries(areaOf).flatMap(([subject, itsArea]) => (itsArea === area ? [subject] : []));

/** One page of the audit trail in the caller's scope. */
export async function findAuditEvents(
  ctx: SignedIn,
  query: InferQuery<typeof listAuditEvents>,
): Promise<Page<AuditEventDto[]>> {
  const found = query.search ? await searchByPeople(ctx, query.search) : null;
  const { rows, total } = await findPage(ctx, AuditEvent, {
    query: found ? { ...query, search: undefined } : query,
    sortColumns: { createdAt: 'createdAt' },
    hasIndexedOrder: true,
    searchColumns: ['address', 'actor.fname', 'actor.lname', 'actor.email'],
    searchTexts: [erasedAddress('actorErasure.details'), ...personConcerned],
    where: { [Op.and]: [whereOf(query), found ?? {}] },
    include: [
      { association: 'actor', attributes: ['id', 'fname', 'lname', 'email', 'erasedAt'] },
      { association: 'actorErasure', attributes: ['id', 'details'] },
      { association: 'company', attributes: ['id', 'name'] },
    ],
  });
  const records = await nameRecords(ctx, rows);
  return { rows: rows.map((event) => presentEvent(event, records.get(String(event.id)) ?? null)), total };
}

/**
 * The most people that the query names, over all words. It names each of them twice, so their ids
 * make two fifths of a megabyte of SQL, and building it takes some 20 ms.
 */
const mostPeople = 20_000;

/**
 * The condition for events in which each word occurs in the person who acted, in the person whom
 * the event is about or in the network address. People are found first: even a trail of a million
 * events has few of them, and joining each event with its person would take the database many
 * seconds.
 * @returns null when the words occur in too many people
 */
async function searchByPeople(ctx: SignedIn, search: string): Promise<WhereOptions | null> {
  const conditions: WhereOptions[] = [];
  const among = await companiesOfActors(ctx);
  let left = mostPeople;
  for (const word of new Set(searchWords(search))) {
    const people = [...(await findPeople(ctx, word, among)), ...(await findErased(ctx, word, among))];
    left -= people.length;
    if (left < 0) return null;
    const byPerson = [{ actorId: people }, { entity: 'user', entityId: people }];
    const byAddress = mayBeInAddress(word) ? [{ address: patternOf(word) }] : [];
    conditions.push({ [Op.or]: [...byPerson, ...byAddress] });
  }
  return { [Op.and]: conditions };
}

/** A condition for the companies whose people can have caused the events of the caller's scope. */
async function companiesOfActors(ctx: SignedIn): Promise<{ companyId?: string[] }> {
  if (ctx.scope.kind === 'host') return {};
  const options = { attributes: ['id'], where: { isProvider: true }, transaction: ctx.tx };
  const providers = await Company.findAll(options);
  return { companyId: [ctx.scope.companyId, ...providers.map(({ id }) => String(id))] };
}

async function findPeople(ctx: SignedIn, word: string, among: { companyId?: string[] }): Promise<string[]> {
  const where = { ...among, [Op.or]: searchText('User', word) };
  const options = { attributes: ['id'], limit: mostPeople + 1, raw: true, transaction: ctx.tx };
  const people = await User.findAll({ where, ...options });
  return people.map(({ id }) => String(id));
}

/**
 * The ids of permanently deleted people. Only the event of their deletion still has their email
 * address.
 */
async function findErased(ctx: SignedIn, word: string, among: { companyId?: string[] }): Promise<string[]> {
  const hasWord = compare(comparable(erasedAddress('AuditEvent.details')), patternOf(word));
  const erasures = await AuditEvent.findAll({
    attributes: ['entityId'],
    where: { [Op.and]: [{ ...among, entity: 'user', action: 'user:erased' }, hasWord] },
    limit: mostPeople + 1,
    raw: true,
    transaction: ctx.tx,
  });
  return erasures.flatMap(({ entityId }) => (entityId ? [String(entityId)] : []));
}

/** The email address in the details of a permanent deletion. */
function erasedAddress(details: string) {
  // A literal, since Sequelize would double the dollar sign of a string
  return fn('JSON_VALUE', col(details), literal(`'$.email'`));
}

/**
 * The names and the email address of the person whom an event is about, or the address that the
 * event of a permanent deletion has kept.
 */
const personConcerned = [
  literal(`(SELECT CONCAT_WS(' ', person.fname, person.lname, person.email) FROM users person
    WHERE AuditEvent.entity = 'user' AND person.id = AuditEvent.entity_id)`),
  literal(`(SELECT MAX(JSON_VALUE(erasure.details, '$.email')) FROM audit_events erasure
    WHERE AuditEvent.entity = 'user' AND erasure.entity = 'user' AND erasure.action = 'user:erased'
      AND erasure.entity_id = AuditEvent.entity_id)`),
];

const mayBeInAddress = (word: string): boolean => /^[\da-f:.]+$/i.test(word);

function whereOf({ company_id: companyId, area, period }: InferQuery<typeof listAuditEvents>) {
  const since = period && new Date(Date.now() - auditPeriods[period] * dayMs);
  const actions = area && subjectsOf(area).map((subject) => ({ action: { [Op.startsWith]: `${subject}:` } }));
  return {
    ...(companyId ? { companyId } : {}),
    ...(since ? { createdAt: { [Op.gte]: since } } : {}),
    ...(actions ? { [Op.or]: actions } : {}),
  };
}

function presentEvent(event: AuditEvent, record: AuditEventDto['record']): AuditEventDto {
  const { company } = event;
  return {
    _id: String(event.id),
    action: event.action,
    entity: event.entity ?? null,
    entity_id: event.entityId ? String(event.entityId) : null,
    record,
    company_id: company ? { _id: String(company.id), name: company.name } : null,
    actor: presentActor(event),
    details: event.details === null ? null : { ...event.details },
    address: event.address,
    createdAt: event.createdAt.toISOString(),
  };
}

/**
 * The person who caused an event. An event keeps its actor even when the person's row has been
 * deleted (D31).
 */
function presentActor({ actorId, actor, actorErasure }: AuditEvent): AuditEventDto['actor'] {
  if (!actorId) return null;
  const _id = String(actorId);
  if (actor) return { _id, name: fullName(actor), email: actor.email, is_erased: Boolean(actor.erasedAt) };
  const { email } = { email: '', ...actorErasure?.details };
  return { _id, name: email, email, is_erased: true };
}
