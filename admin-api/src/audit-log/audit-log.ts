import { fullName } from '@selvage/core/contracts/full-name';
import type { AuditSubject } from '@selvage/core/access/audit';
import {
  type AuditArea,
  type AuditEventDto,
  auditPeriods,
  type listAuditEvents,
} from '@selvage/core/contracts/audit-log';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { col, fn, literal, Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

const dayMs = 86_400_000;

/** The area of each subject: whatever the trail can say is in one of them. */
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
  // With the addresses in them
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
  const { rows, total } = await findPage(ctx, AuditEvent, {
    query,
    sortColumns: { createdAt: 'createdAt' },
    searchColumns: ['address', 'actor.fname', 'actor.lname', 'actor.email'],
    // A literal, since Sequelize doubles the dollar of a text
    searchTexts: [fn('JSON_VALUE', col('actorErasure.details'), literal(`'$.email'`))],
    where: whereOf(query),
    include: [
      { association: 'actor', attributes: ['id', 'fname', 'lname', 'email', 'erasedAt'] },
      { association: 'actorErasure', attributes: ['id', 'details'] },
      { association: 'company', attributes: ['id', 'name'] },
    ],
  });
  return { rows: rows.map(presentEvent), total };
}

function whereOf({ company_id: companyId, area, period }: InferQuery<typeof listAuditEvents>) {
  const since = period && new Date(Date.now() - auditPeriods[period] * dayMs);
  const actions = area && subjectsOf(area).map((subject) => ({ action: { [Op.startsWith]: `${subject}:` } }));
  return {
    ...(companyId ? { companyId } : {}),
    ...(since ? { createdAt: { [Op.gte]: since } } : {}),
    ...(actions ? { [Op.or]: actions } : {}),
  };
}

function presentEvent(event: AuditEvent): AuditEventDto {
  const { company } = event;
  return {
    _id: String(event.id),
    action: event.action,
    entity: event.entity ?? null,
    entity_id: event.entityId ? String(event.entityId) : null,
    company_id: company ? { _id: String(company.id), name: company.name } : null,
    actor: presentActor(event),
    details: event.details === null ? null : { ...event.details },
    address: event.address,
    createdAt: event.createdAt.toISOString(),
  };
}

/** An event keeps its actor, also when no row of the person is left (D31). */
function presentActor({ actorId, actor, actorErasure }: AuditEvent): AuditEventDto['actor'] {
  if (!actorId) return null;
  const _id = String(actorId);
  if (actor) return { _id, name: fullName(actor), email: actor.email, is_erased: Boolean(actor.erasedAt) };
  const { email } = { email: '', ...actorErasure?.details };
  return { _id, name: email, email, is_erased: true };
}
