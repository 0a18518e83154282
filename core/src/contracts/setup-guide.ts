import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/** The steps from a domain to mail that arrives, by their numbers. */
export const setupStepNames = ['add', 'prove', 'a', 'mx', 'spf', 'dkim', 'dmarc'] as const;

/** One step of the guide. */
export const setupStep = z.object({
  number: z.number().int(),
  name: z.enum(setupStepNames),
  /**
   * `waiting`: the DNS does not have the record yet. `unknown`: the name servers gave no answer.
   */
  state: z.enum(['done', 'waiting', 'unknown']),
  /** The record to add or to change, with its full name; null where there is none. */
  record: z.object({ type: z.string(), name: z.string(), content: z.string() }).nullable(),
  /** What the DNS says now, in one sentence. */
  details: z.string(),
});
export type SetupStep = z.infer<typeof setupStep>;

/** Records beyond the steps, in the order in which the guide shows them. */
export const setupExtraNames = [
  'sts_host',
  'sts',
  'tls_reports',
  'autoconfig',
  'autodiscover',
  'submissions',
  'submission',
  'imaps',
  'pop3s',
] as const;

/** A record that is recommended for mail programs and other servers; mail arrives without it. */
export const setupExtra = z.object({
  name: z.enum(setupExtraNames),
  state: setupStep.shape.state,
  record: z.object({ type: z.string(), name: z.string(), content: z.string() }),
  /** What the DNS says now, in one sentence. */
  details: z.string(),
});
export type SetupExtra = z.infer<typeof setupExtra>;

/** What is left to do until mail for a domain arrives, by what the DNS says now. */
export const setupGuideDto = z.object({
  domain_id: z.string(),
  domain: z.string(),
  done: z.boolean(),
  steps: z.array(setupStep),
  /** They don't count for `done`. */
  extras: z.array(setupExtra),
  /** All records as a zone file (RFC 1035 5); those of what is done already are comments. */
  zone_file: z.string(),
});
export type SetupGuideDto = z.infer<typeof setupGuideDto>;

export const getSetupGuide = endpoint({
  method: 'GET',
  path: '/domain/getnewclient/dnssetup',
  summary: "The steps until mail for a domain arrives; of the first domain of the caller's company unless told",
  needs: { model: 'domain', action: 'view' },
  query: z.object({ domain_id: id.optional() }),
  answer: setupGuideDto,
});
