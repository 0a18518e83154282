import {
  type AuditArea,
  type AuditEventDto,
  auditPeriods,
  type listAuditEvents,
} from '@selvage/core/contracts/audit-log';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';

const dayMs = 86_400_000;

/** The subjects of the actions in each area. */
const subjectsOf: Record<AuditArea, readonly string[]> = {
  login: ['session', 'mail-login', 'two-factor', 'recovery-code', 'recovery-otp'],
  account: [
    'password',
    'passkey',
    'recovery-codes',
    'recovery-email',
    'forwarding',
    'app-password',
    'signature',
    'profile',
  ],
  user: ['user'],
  role: ['role'],
  permission: ['permissions'],
  company: ['company'],
  client: ['client'],
  /** With the addresses in them. */
  domain: ['domain', 'dns-record', 'dkim-key', 'alias', 'group'],
  mail: ['delivery'],
  module: ['module'],
};

/** One page of the audit trail in the caller's scope. */
export async function findAuditEvents(
  ctx: SignedIn,
  query: InferQuery<typeof listAuditEvents>,
): Promise<Page<AuditEventDto[]>> {
  const { rows, total } = await findPage(ctx, AuditEvent, {
    query,
    sortColumns: { createdAt: 'createdAt' },
    searchColumns: ['address', 'actor.fname', 'actor.lname', 'actor.email'],
    where: whereOf(query),
    include: [
      { association: 'actor', attributes: ['id', 'fname', 'lname', 'email'] },
      { association: 'company', attributes: ['id', 'name'] },
    ],
  });
  return { rows: rows.map(presentEvent), total };
}

function whereOf({ company_id: companyId, area, period }: InferQuery<typeof listAuditEvents>) {
  const since = period && new Date(Date.now() - auditPeriods[period] * dayMs);
  const actions = area && subjectsOf[area].map((subject) => ({ action: { [Op.startsWith]: `${subject}:` } }));
  return {
    ...(companyId ? { companyId } : {}),
    ...(since ? { createdAt: { [Op.gte]: since } } : {}),
    ...(actions ? { [Op.or]: actions } : {}),
  };
}

function presentEvent(event: AuditEvent): AuditEventDto {
  const { actor, company } = event;
  return {
    _id: String(event.id),
    action: event.action,
    entity: event.entity ?? null,
    entity_id: event.entityId ? String(event.entityId) : null,
    company_id: company ? { _id: String(company.id), name: company.name } : null,
    actor: actor ? { _id: String(actor.id), name: `${actor.fname} ${actor.lname}`.trim(), email: actor.email } : null,
    details: event.details === null ? null : { ...event.details },
    address: event.address,
    createdAt: event.createdAt.toISOString(),
  };
}
