import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { day, id } from './fields.ts';
import { asList } from './list.ts';

/**
 * The states by which the list of traced messages can be filtered; `accepted` is all but the last
 * two.
 */
export const traceStates = [
  'accepted',
  'stored',
  'relayed',
  'bounced',
  'queued',
  'held',
  'refused',
  'cancelled',
] as const;

export const traceParties = ['sender', 'recipient'] as const;

const ledgerState = z.enum(['held', 'queued', 'stored', 'relayed', 'bounced', 'refused', 'cancelled']);
const tlsState = z.enum(['none', 'encrypted', 'mta_sts', 'dane', 'relay']).nullable();

/** The longest time that one search looks through, in days. */
export const longestTraceDays = 3660;

/** The most rows that a search finds. */
export const mostTraced = 1000;

/** A moment, or a day, which begins and ends in UTC. */
const moment = z.union([z.iso.datetime({ offset: true }), day], { error: 'Enter a date as YYYY-MM-DD' });

/**
 * What became of one message for one recipient (D30). Texts of strangers are shown as one line,
 * with a code for each invisible character. Times are ISO 8601, UTC.
 */
export const tracedDto = z.object({
  _id: z.string(),
  /** `in` came by SMTP from elsewhere; `out` was sent by a person of this host, or forwarded. */
  direction: z.enum(['in', 'out']),
  /** Envelope sender; empty for the null sender, which reports have. */
  sender: z.string(),
  /** Empty where a flood of refusals was counted in one row, and where none was named. */
  recipient: z.string(),
  state: ledgerState,
  /** One word of the closed list of reasons. */
  reason: z.string().nullable(),
  attempts: z.number().int(),
  /** How many answers the row stands for: more than 1 for the refusals of a flood, 0 for none. */
  answers: z.number().int(),
  expanded_by: z.enum(['alias', 'group', 'catch_all']).nullable(),
  forwarded_for: z.string().nullable(),
  /** Null for a sender elsewhere on this host, and for refusals before the company was known. */
  company_id: z.object({ _id: z.string(), name: z.string() }).nullable(),
  createdAt: z.string(),
});
export type TracedDto = z.infer<typeof tracedDto>;

const attemptDto = z.object({
  at: z.string(),
  reason: z.string(),
  /** The remote server's own words. */
  reply: z.string().nullable(),
  remote_host: z.string().nullable(),
  tls: tlsState,
  tls_protocol: z.string().nullable(),
});
export type AttemptDto = z.infer<typeof attemptDto>;

/** The whole story of a row. */
export const storyDto = tracedDto.extend({
  mail_id: z.string(),
  /** The Message-ID, null where it is not known or the message is gone for good. */
  message_id: z.string().nullable(),
  /** Bytes; null once the message is gone for good. */
  size: z.number().int().nullable(),
  /** The address that the message shows as its author. */
  header_from: z.string().nullable(),
  /** How it arrived, or was offered; null where that is not known or another company's. */
  arrival: z
    .object({
      helo: z.string().nullable(),
      address: z.string().nullable(),
      protocol: z.string(),
      encrypted: z.boolean(),
      tls: z.string().nullable(),
    })
    .nullable(),
  /** In the words of RFC 8601; null for mail of people of this host. */
  checks: z
    .object({
      spf: z.object({ result: z.string(), domain: z.string().nullable() }),
      dkim: z.array(z.object({ result: z.string(), domain: z.string() })),
      dmarc: z.object({ result: z.string(), policy: z.string().nullable() }),
    })
    .nullable(),
  /** What sorted it and where it went; null for the inbox. */
  placement: z.object({ by: z.enum(['dmarc', 'blocked', 'filter']), folder: z.string().nullable() }).nullable(),
  expanded_to: z.string().nullable(),
  /** Attempts that did not end it, the first one first. */
  past: z.array(attemptDto),
  /** The attempt, or the answer, that made the state what it is. */
  last: attemptDto.omit({ reason: true }),
  next_attempt_at: z.string().nullable(),
  /** When a scheduled message was released. */
  released_at: z.string().nullable(),
  /** A worker is busy with it at this moment. */
  is_sending: z.boolean(),
  /** The other recipients of the message that the caller may know of, 100 at most. */
  companions: z.array(
    z.object({
      _id: z.string(),
      direction: z.enum(['in', 'out']),
      recipient: z.string(),
      state: ledgerState,
      answers: z.number().int(),
      /**
       * The mailbox that the address leads to, where that is another one and the caller may know.
       */
      expanded_to: z.string().nullable(),
      forwarded_for: z.string().nullable(),
    }),
  ),
  /** The row is of mail that another company of this host sent to the caller's. */
  is_received: z.boolean(),
});
export type StoryDto = z.infer<typeof storyDto>;

const needs = { model: 'permission', action: 'view' } as const;

/**
 * 422 `trace_too_wide`: the state of too many messages would have to be looked at, or all mail of a
 * company with too many domains, or what a sender with very much mail sent to it.
 */
export const listTraced = endpoint({
  method: 'GET',
  path: '/trace/get/all',
  summary:
    'What became of the messages of the company, or of all for people of the provider, the newest 1000; searched by address, domain, Message-ID, mail id or the code of a refusal',
  needs,
  ...asList({
    sort: ['createdAt'],
    defaultSort: '-createdAt',
    filters: {
      party: z.enum(traceParties).optional(),
      state: z.enum(traceStates).optional(),
      from: moment.optional(),
      to: moment.optional(),
      company_id: id.optional(),
    },
  }),
  answer: z.array(tracedDto),
});

export const getStory = endpoint({
  method: 'GET',
  path: '/trace/get/:id',
  summary: 'The story of a message for one recipient: how it came, what was checked, each attempt, what became of it',
  needs,
  params: z.object({ id }),
  answer: storyDto,
});
