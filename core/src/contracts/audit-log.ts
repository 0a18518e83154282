import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { asList } from './list.ts';

/** The areas of events by which the list can be filtered. */
export const auditAreas = [
  'login',
  'account',
  'user',
  'role',
  'permission',
  'company',
  'client',
  'domain',
  'mail',
  'backup',
  'module',
  'host',
] as const;
export type AuditArea = (typeof auditAreas)[number];

/** How far back the list goes, in days. */
export const auditPeriods = { day: 1, week: 7, month: 30, year: 365 } as const;
export type AuditPeriod = keyof typeof auditPeriods;

/** One event of the audit trail (D31). Times are ISO 8601, UTC. */
export const auditEventDto = z.object({
  _id: z.string(),
  /** `<subject>:<what happened to it>` */
  action: z.string(),
  /** The kind and the id of the record; null for an event about none. */
  entity: z.string().nullable(),
  entity_id: z.string().nullable(),
  /**
   * The record as it is called now, or as it was called before it was permanently deleted: then the
   * name of a person is their address. `email` is empty for records without an address. Null for an
   * event about none, and where the name is not known.
   */
  record: z.object({ name: z.string(), email: z.string() }).nullable(),
  company_id: z.object({ _id: z.string(), name: z.string() }).nullable(),
  /**
   * The person that did it; null where that is not known. The name of a person that was permanently
   * deleted is their address. Both are empty once their company is permanently deleted too.
   */
  actor: z.object({ _id: z.string(), name: z.string(), email: z.string(), is_erased: z.boolean() }).nullable(),
  /** Facts of the event, such as the fields that were changed; never a secret or a text. */
  details: z.record(z.string(), z.unknown()).nullable(),
  /** The network address that the request came from; empty for the host's own work. */
  address: z.string(),
  createdAt: z.string(),
});
export type AuditEventDto = z.infer<typeof auditEventDto>;

const periods = Object.keys(auditPeriods) as [AuditPeriod, ...AuditPeriod[]];

export const listAuditEvents = endpoint({
  method: 'GET',
  path: '/audit/get/all',
  summary:
    'The audit trail of the company, or of all for people of the provider; searched by the person who acted, the person concerned and address',
  needs: { model: 'permission', action: 'view' },
  ...asList({
    sort: ['createdAt'],
    defaultSort: '-createdAt',
    filters: {
      company_id: id.optional(),
      area: z.enum(auditAreas).optional(),
      period: z.enum(periods).optional(),
    },
  }),
  answer: z.array(auditEventDto),
});
