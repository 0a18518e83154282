import { z } from 'zod';
import { healthLevels, watchedParts } from './domain-guard.ts';
import { endpoint } from './endpoint.ts';
import { fromDigits, id, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { abilities, ofCompany, optionalLine, requiredLine, stateFields, stateFilters } from './records.ts';

/** Kinds of DNS records that are kept for a domain. */
export const recordTypes = ['A', 'MX', 'AAAA', 'CNAME', 'TXT'] as const;

/** A DNS record that is noted for a domain. */
export const domainRecordDto = z.object({
  _id: z.string(),
  /** What people call it. */
  record_name: z.string(),
  type: z.enum(recordTypes),
  /** Relative to the domain; `@` for the domain itself. */
  name: z.string(),
  /** Of an MX record; 0 for others. */
  priority: z.number().int(),
  /** An address, a host name, or the text of a TXT record in one piece. */
  content: z.string(),
  /** Seconds. */
  ttl: z.number().int(),
});
export type DomainRecordDto = z.infer<typeof domainRecordDto>;

/** The selector of a key of this host: a label of a host name. */
const selectorForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** A mail domain. Times are ISO 8601, UTC. */
export const domainDto = z.object({
  _id: z.string(),
  /** ASCII form (A-labels), lower case. */
  domain_name: z.string(),
  company_id: z.object({ _id: z.string(), name: z.string() }),
  /** The day until which the domain is registered (`YYYY-MM-DD`), as the company entered it. */
  expiration_date: z.string().nullable(),
  /** Whether it is known to be the company's (D34). Without it no mail flows. */
  verified: z.boolean(),
  /** What the last look at its DNS found. */
  health: z.enum(healthLevels),
  ...stateFields,
  /** Raised by each change; the form sends it back. */
  version: z.number().int(),
  abilities: abilities.extend({
    /** To verify the domain without its record; for people of the provider. */
    vouch: z.boolean(),
  }),
});
export type DomainDto = z.infer<typeof domainDto>;

/**
 * A signing key. `waiting`: the DNS does not have its record yet. `signing`: mail is signed with
 * it. `previous`: it signed before, so its record must stay in the DNS. `retired`: its record may
 * be taken out.
 */
export const dkimKeyDto = z.object({
  selector: z.string(),
  /** Full name of its record. */
  record_name: z.string(),
  state: z.enum(['waiting', 'signing', 'previous', 'retired']),
  /** Until when the record of a `previous` key has to stay; null for others. */
  needed_until: z.string().nullable(),
  createdAt: z.string(),
});
export type DkimKeyDto = z.infer<typeof dkimKeyDto>;

/** A domain with what is kept of its DNS. */
export const domainDetailDto = domainDto.extend({
  /** The parts of its DNS that were wrong when the name servers spoke of them last. */
  broken_parts: z.array(z.enum(watchedParts)),
  /** The TXT record that proves the domain: its full name and its text. */
  proof: z.object({ name: z.string(), content: z.string() }),
  /** By type, then by name. */
  dns_records: z.array(domainRecordDto),
  /** The newest first. */
  dkim_keys: z.array(dkimKeyDto),
});
export type DomainDetailDto = z.infer<typeof domainDetailDto>;

const domainName = z
  .string({ error: 'Domain name is required' })
  .trim()
  .min(1, 'Domain name is required')
  .max(1000, 'Invalid domain format')
  // The server checks more. This is what a form can say while a person types
  .regex(/^[^\s@/:_]+\.(?:[^\s@/:_.\d-]{2,}|xn--[a-z0-9-]+)\.?$/i, 'Invalid domain format');

const day = z.union([z.literal(''), z.iso.date('Invalid date')]).nullable();

/** What the form of a new domain sends. */
export const newDomainForm = z.object({
  domain_name: domainName,
  company_id: ofCompany,
  expiration_date: day.optional(),
  active_status: z.boolean().optional(),
  /** The caller has seen that the domain looks like another one of the host, and wants it. */
  similar_domain_ok: z.boolean().optional(),
});

const hostName = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?$/i;
const ownerName =
  /^(?:[@*]|(?=.{1,254}$)(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?)$/i;

/** What is wrong with the content of a record of each type; undefined when it is good. */
const contentProblems: Record<(typeof recordTypes)[number], (content: string) => string | undefined> = {
  A: (content) => (z.ipv4().safeParse(content).success ? undefined : 'Enter an IPv4 address'),
  AAAA: (content) => (z.ipv6().safeParse(content).success ? undefined : 'Enter an IPv6 address'),
  MX: (content) => (hostName.test(content) || content === '.' ? undefined : 'Enter the name of a mail server'),
  CNAME: (content) => (hostName.test(content) ? undefined : 'Enter a host name'),
  TXT: (content) => (/^[\x20-\x7e]+$/.test(content) ? undefined : 'Enter text of printable ASCII characters'),
};

/** What the form of a DNS record sends. */
export const domainRecordForm = z
  .object({
    record_name: optionalLine(100),
    type: z.enum(recordTypes, { error: 'Choose a type' }),
    name: requiredLine('Name is required', 254).regex(ownerName, 'Enter a name such as @, www or _dmarc'),
    /** Empty counts as 0. */
    priority: z
      .preprocess(
        (value) => (value === '' ? 0 : value),
        fromDigits(z.number('Must be a number').int('Must be a whole number').min(0).max(65_535)),
      )
      .optional(),
    content: requiredLine('Content is required', 4096),
    ttl: fromDigits(
      z
        .number('Must be a number')
        .int('Must be a whole number')
        .min(60, 'At least 60 seconds')
        .max(604_800, 'At most a week'),
    ).optional(),
  })
  .superRefine(({ type, content }, context) => {
    const message = contentProblems[type](content);
    if (message) context.addIssue({ code: 'custom', path: ['content'], message });
  });

const view = { model: 'domain', action: 'view' } as const;
const edit = { model: 'domain', action: 'edit' } as const;
const params = z.object({ id });
const recordId = z.union([z.literal(''), id]).optional();

export const listDomains = endpoint({
  method: 'GET',
  path: '/domain/get/all',
  summary: 'The domains, by name unless told; searched by name and by the name of the company',
  needs: view,
  ...asList({
    sort: ['domain_name', 'expiration_date', 'createdAt'],
    defaultSort: 'domain_name',
    filters: { ...stateFilters, company_id: id.optional() },
  }),
  answer: z.array(domainDto),
});

export const getDomain = endpoint({
  method: 'GET',
  path: '/domain/get/:id',
  summary: 'One domain with its records, deleted or not',
  needs: view,
  params,
  answer: domainDetailDto,
});

export const createDomain = endpoint({
  method: 'POST',
  path: '/domain/create',
  summary: 'Adds a domain to a company, with a signing key; no mail flows before it is verified',
  needs: { model: 'domain', action: 'create' },
  body: newDomainForm,
  answer: domainDetailDto,
});

export const updateDomain = endpoint({
  method: 'PUT',
  path: '/domain/update/:id',
  summary:
    'Changes a domain; fields that are left out stay as they are, and its name and company always do. ' +
    'With `dns_records` it adds a record, or changes the one that `dns_id` names',
  needs: edit,
  params,
  body: z.object({
    /** The present company; another one is refused. */
    company_id: id.optional(),
    expiration_date: day.optional(),
    active_status: z.boolean().optional(),
    version: startVersion,
    dns_records: domainRecordForm.optional(),
    dns_id: recordId,
  }),
  answer: domainDetailDto,
});

export const removeDomain = endpoint({
  method: 'DELETE',
  path: '/domain/delete/:id',
  summary: 'Deletes a domain until it is restored: mail for it is refused. With `dns_id` it deletes that record alone',
  needs: { model: 'domain', action: 'delete' },
  params,
  query: z.object({ dns_id: recordId }),
  // Some callers send it here, and without it the whole domain would be deleted
  body: z.object({ dns_id: recordId }),
  answer: domainDetailDto,
});

export const restoreDomain = endpoint({
  method: 'PATCH',
  path: '/domain/restore/:id',
  summary: 'Brings a deleted domain back as it was',
  needs: edit,
  params,
  answer: domainDetailDto,
});

export const eraseDomain = endpoint({
  method: 'DELETE',
  path: '/domain/permanent-delete/:id',
  summary: 'Deletes a deleted domain for good, with its keys and records; only one without addresses',
  needs: { model: 'domain', action: 'delete' },
  params,
  answer: z.undefined(),
});

/** What the DNS says of a record that is kept. */
export const comparedRecord = z.object({
  _id: z.string(),
  /** `different`: the DNS has other records of this name and type. */
  state: z.enum(['same', 'different', 'missing', 'unanswered']),
  /** The records of this name and type that the DNS has; of MX with their priority. */
  there: z.array(z.string()),
});
export type ComparedRecord = z.infer<typeof comparedRecord>;

export const compareDomainRecords = endpoint({
  method: 'GET',
  path: '/domain/records/:id',
  summary: 'Asks the DNS now for each record that is kept for a domain',
  needs: view,
  params,
  answer: z.array(comparedRecord),
});

export const removeDkimKey = endpoint({
  method: 'DELETE',
  path: '/domain/dkim/:id/:selector',
  summary: 'Deletes a signing key that waits for its record, or that is retired',
  needs: edit,
  params: z.object({ id, selector: z.string().regex(selectorForm) }),
  answer: domainDetailDto,
});

export const verifyDomain = endpoint({
  method: 'POST',
  path: '/domain/verify/:id',
  summary: 'Asks the DNS now whether it has the TXT record that verifies the domain',
  needs: edit,
  params,
  answer: domainDetailDto,
});

export const vouchForDomain = endpoint({
  method: 'POST',
  path: '/domain/vouch/:id',
  summary: 'Verifies a domain without its record, by the word of the provider',
  needs: edit,
  params,
  answer: domainDetailDto,
});

export const generateOpenDkim = endpoint({
  method: 'POST',
  path: '/domain/generatopendkim',
  summary: 'The DKIM record of a domain and a selector; a job makes the key when there is none',
  needs: edit,
  body: z.object({
    domain: z.string({ error: 'Please enter a domain' }).trim().min(1, 'Please enter a domain').max(1000),
    /** Of several companies that have added the domain, the one that is meant. */
    domain_id: id.optional(),
    selector: z
      .string()
      .trim()
      .toLowerCase()
      .regex(selectorForm, 'A selector has letters, digits and hyphens')
      .default('default'),
  }),
  answer: z.object({
    domain: z.string(),
    /** Full name of the record. */
    record_name: z.string(),
    type: z.literal('TXT'),
    /** The text of the record in one piece; null while the key is still being made. */
    content: z.string().nullable(),
  }),
});
