import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { usedOfLimit } from './plan.ts';

/** How many mailboxes, companies or addresses the home page names. */
export const mostNamed = 5;

const usedOfRecord = usedOfLimit.extend({ _id: z.string(), name: z.string() });
const room = z.object({ free: z.number().int(), total: z.number().int() });

export const getStorageUse = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/storage',
  summary:
    'What is stored, in bytes: of a company with its limit and its fullest mailboxes, for people of the provider of the fullest companies and of the disk',
  needs: { model: 'user', action: 'view' },
  answer: z.object({
    /** Of the caller's company; null for people of the provider, and without `company` view. */
    company: usedOfLimit.nullable(),
    /** The fullest of the largest mailboxes; null for people of the provider. */
    mailboxes: z.array(usedOfRecord.extend({ email: z.string() })).nullable(),
    /** The fullest as of the last hour; for people of the provider with `company` view. */
    companies: z.array(usedOfRecord).nullable(),
    /** Where messages are stored; for people of the provider. */
    disk: room.nullable(),
  }),
});
export type StorageUseDto = z.infer<typeof getStorageUse.answer>;

export const getRefusedSignIns = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/sign-ins',
  summary:
    'How often logins to the web app and of mail programs were refused in the last 24 hours, and the addresses they came from most',
  needs: { model: 'permission', action: 'view' },
  answer: z.object({
    refused: z.number().int(),
    /** True when only the latest of a flood were counted, and there were more. */
    is_more: z.boolean(),
    addresses: z.array(z.object({ address: z.string(), count: z.number().int() })),
  }),
});
export type RefusedSignInsDto = z.infer<typeof getRefusedSignIns.answer>;

export const getHostHealth = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/host',
  summary:
    'How the host is: version, processes, engines, waiting mail, certificate, backup and disk. For a Super Admin of it',
  needs: 'host-super-admin',
  answer: z.object({
    version: z.string(),
    /** When the oldest of its processes was started: ISO 8601, UTC. */
    since: z.string(),
    /** How many processes of each program were seen in the last 95 seconds. */
    processes: z.object({
      workers: z.number().int(),
      inbound: z.number().int(),
      submission: z.number().int(),
      api: z.number().int(),
    }),
    /** Versions. */
    database: z.string(),
    /** Null while it does not answer. */
    redis: z.string().nullable(),
    /** How long the outgoing mail that waits longest is overdue, in seconds. */
    queue_late_seconds: z.number().int(),
    /** How long the oldest job that was not announced to the workers is overdue, in seconds. */
    jobs_late_seconds: z.number().int(),
    /** The certificate of the mail doors; null when there is no file yet. */
    certificate: z.object({ valid_to: z.string(), is_self_signed: z.boolean() }).nullable(),
    /** When the last backup of the host was taken; null when it knows of none. */
    last_backup: z.string().nullable(),
    disk: room,
  }),
});
export type HostHealthDto = z.infer<typeof getHostHealth.answer>;
