import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/** Seconds; null where nothing was answered. */
const ttl = z.number().int().nullable();
/** What was found, in one plain sentence. */
const details = z.string();
const tag = z.string().nullable();

/** The state of a part. It is not valid when it harms mail, or when it could not be checked. */
const part = { found: z.boolean(), valid: z.boolean(), ttl, details };

/** A problem in one plain sentence, with the record that solves it where there is one. */
export const dnsProblem = z.object({
  part: z.enum(['mx', 'spf', 'dmarc', 'dkim', 'dns']),
  /** `warning`: mail still flows. */
  level: z.enum(['error', 'warning']),
  text: z.string(),
  /** The record as it should be; `name` is the full name. */
  record: z.object({ type: z.string(), name: z.string(), content: z.string() }).nullable(),
});
export type DnsProblem = z.infer<typeof dnsProblem>;

/** What the DNS says of a domain, and what that means for its mail. */
export const dnsCheck = z.object({
  domain: z.string(),
  /** MX, SPF, DMARC and DKIM are all valid. */
  valid: z.boolean(),
  dns: z.object({
    a: z.array(z.object({ ip: z.string(), ttl })),
    ns: z.array(z.object({ name: z.string(), ip: z.string().nullable(), ttl })),
    soa: z
      .object({
        nsname: z.string(),
        hostmaster: z.string(),
        serial: z.number(),
        refresh: z.number(),
        retry: z.number(),
        expire: z.number(),
        minttl: z.number(),
        ttl,
      })
      .nullable(),
    details,
  }),
  mx: z.object({
    ...part,
    records: z.array(
      z.object({
        exchange: z.string(),
        priority: z.number().int(),
        /** Its first address; null when it has none. */
        ip: z.string().nullable(),
        ttl,
        /** `success` is null when the server was not tried. */
        smtp: z.object({ success: z.boolean().nullable(), details }),
        /** Zones that list the address. */
        blacklist: z.array(z.string()),
      }),
    ),
  }),
  spf: z.object({
    ...part,
    multipleRecords: z.boolean(),
    /** Look-ups that a receiver needs; more than ten make the record void (RFC 7208 4.6.4). */
    lookupCount: z.number().int(),
    record: z.string().nullable(),
    mechanisms: z.array(z.object({ type: z.string(), qualifier: z.string(), value: z.string(), ttl })),
  }),
  dmarc: z.object({
    ...part,
    multipleRecords: z.boolean(),
    record: z.string().nullable(),
    /**
     * The full name that has the record, which may be that of the registered domain above. Null
     * where there is none.
     */
    recordName: z.string().nullable(),
    tags: z.object({ v: tag, p: tag, rua: tag, ruf: tag }),
    /**
     * How closely the signing domain and that of the envelope sender must match the one in From
     * (RFC 7489 3.1): `relaxed` also accepts another name of the same registered domain.
     */
    alignment: z.object({ dkim: z.enum(['relaxed', 'strict']), spf: z.enum(['relaxed', 'strict']) }),
  }),
  dkim: z.object({
    ...part,
    selectors: z.array(z.string()),
    records: z.array(
      z.object({
        selector: z.string(),
        ttl,
        txt: z.string().nullable(),
        details,
        /** True when the record has the key that this host signs with. */
        is_ours: z.boolean(),
        tags: z.object({ v: tag, h: tag, k: tag, p: tag }),
      }),
    ),
  }),
  problems: z.array(dnsProblem),
});
export type DnsCheck = z.infer<typeof dnsCheck>;

export const checkDns = endpoint({
  method: 'POST',
  path: '/domain/check-dns',
  summary: 'Asks the DNS now what it says of a domain of the caller, and judges it',
  needs: { model: 'domain', action: 'view' },
  body: z.object({
    domain: z.string({ error: 'Please enter a domain' }).trim().min(1, 'Please enter a domain').max(1000),
    /** Of several companies that have added the domain, the one that is meant. */
    domain_id: id.optional(),
    /** Selectors to look at, beside those of the keys that this host has. */
    dkimSelectors: z
      .array(
        z
          .string()
          .trim()
          .toLowerCase()
          .regex(/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/, 'A selector has letters, digits, dots and hyphens'),
      )
      .max(10)
      .default([]),
  }),
  answer: dnsCheck,
});
