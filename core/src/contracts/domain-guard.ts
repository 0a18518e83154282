import { z } from 'zod';
import { dnsCheck, dnsProblem } from './domain-check.ts';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { asList } from './list.ts';

/** Parts of a domain's DNS whose loss is mailed to the administrators of its company. */
export const watchedParts = ['mx', 'spf', 'dkim', 'dmarc'] as const;
export type WatchedPart = (typeof watchedParts)[number];

/** What an entry of a domain's history is about. */
export const changeParts = [...watchedParts, 'ns', 'expiry'] as const;
export type ChangePart = (typeof changeParts)[number];

/**
 * `changed`: the DNS has other records. `broken`: a part that was good is not any more. `mended`:
 * it is good again. `expiring`: the domain's registration ends soon.
 */
export const changeKinds = ['changed', 'broken', 'mended', 'expiring'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The records of each part, in a fixed order. */
export type Facts = Partial<Record<Exclude<ChangePart, 'expiry'>, string[]>>;

/** What is known of a watched part over several looks. Moments are ISO 8601, UTC. */
export interface Watch {
  state: 'good' | 'bad';
  since: string;
  /** When a good part was first seen bad. A second look decides. */
  suspectedAt?: string;
  /** When the administrators were told last that it is bad. */
  toldAt?: string;
}

export type Watches = Partial<Record<WatchedPart, Watch>> & {
  /** The warning of an expiry that was mailed last: the day, and how many days were left. */
  expiry?: { day: string; daysLeft: number };
  /** Since when no name server answers, and whether the administrators were told. */
  silence?: { since: string; isTold: boolean };
};

/** The health of a domain, the worst last. `unknown`: it was not looked at yet. */
export const healthLevels = ['unknown', 'good', 'warning', 'error'] as const;

/** A domain with what the last look at its DNS found. Times are ISO 8601, UTC. */
export const domainHealthDto = z.object({
  _id: z.string(),
  domain_name: z.string(),
  company_id: z.object({ _id: z.string(), name: z.string() }),
  health: z.enum(healthLevels),
  /** When its DNS was asked last; null before the first time. */
  checked_at: z.string().nullable(),
  /** When its DNS will be asked next. */
  next_check_at: z.string(),
  problems: z.array(dnsProblem),
  /** Looks in a row at which no name server answered. */
  failures: z.number().int(),
});
export type DomainHealthDto = z.infer<typeof domainHealthDto>;

/** An entry of a domain's history. */
export const domainChangeDto = z.object({
  _id: z.string(),
  part: z.enum(changeParts),
  kind: z.enum(changeKinds),
  /** Records one per line; null where there were none. */
  before: z.string().nullable(),
  /** Records one per line, or a sentence that says what is wrong. */
  after: z.string().nullable(),
  createdAt: z.string(),
});
export type DomainChangeDto = z.infer<typeof domainChangeDto>;

const view = { model: 'domain', action: 'view' } as const;

export const listDomainHealth = endpoint({
  method: 'GET',
  path: '/domain/health/get/all',
  summary: 'The verified domains with what the last look at their DNS found, the worst first unless told',
  needs: view,
  ...asList({
    sort: ['health', 'checked_at', 'domain_name'],
    defaultSort: '-health',
    filters: { health: z.enum(healthLevels).optional(), company_id: id.optional() },
  }),
  answer: z.array(domainHealthDto),
});

export const listDomainChanges = endpoint({
  method: 'GET',
  path: '/domain/history/:id',
  summary: 'What has changed in the DNS of a domain, the latest first',
  needs: view,
  params: z.object({ id }),
  ...asList({ sort: ['createdAt'], defaultSort: '-createdAt', filters: {} }),
  answer: z.array(domainChangeDto),
});

/** Types of records that can be tried. */
export const triedTypes = ['MX', 'TXT', 'CNAME', 'A', 'AAAA'] as const;

/** Records to try in a check before they are saved at the DNS provider. */
export const whatIfForm = z.object({
  domain_id: id,
  type: z.enum(triedTypes, { error: 'Choose a type' }),
  name: z.string({ error: 'Name is required' }).trim().min(1, 'Name is required').max(253, 'The name is too long'),
  content: z.string({ error: 'Content is required' }).trim().min(1, 'Content is required').max(65_536),
});

export const tryRecord = endpoint({
  method: 'POST',
  path: '/domain/what-if',
  summary:
    'What a check would say if the DNS of a domain had these records, one per line. They stand in place of those of ' +
    'the same name and type; of TXT records, in place of those of the same kind. Nothing is saved',
  needs: view,
  body: whatIfForm,
  answer: z.object({ check: dnsCheck, problems_now: z.array(dnsProblem) }),
});
