import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** What can be wrong with the ledger of a day. The first four name messages, the others rows. */
export const ledgerProblemKinds = [
  'message_without_rows',
  'copies_without_rows',
  'recipients_without_rows',
  'rows_without_recipients',
  'unbalanced',
  'row_without_copy',
  'repeated_rows',
  'waits_for_ever',
  'waits_without_message',
  'no_reason',
  'no_answer',
] as const;
export type LedgerProblemKind = (typeof ledgerProblemKinds)[number];

/** How many days back a proof catches up, and how many the home page shows. */
export const provedDays = 30;

/** What became of the mail of one direction, counted by recipients (D30). */
const mailAccount = z.object({
  /** The sum of the five after it, when the day adds up. */
  accepted: z.number().int(),
  stored: z.number().int(),
  relayed: z.number().int(),
  bounced: z.number().int(),
  held: z.number().int(),
  queued: z.number().int(),
  /** Answered with an error at the door, so not accepted. */
  refused: z.number().int(),
  /** Not sent: its sender took it back or may not send it, or it is a copy that isn't forwarded. */
  cancelled: z.number().int(),
});

/** What the last proof of a day has found. */
const ledgerDay = z.object({
  /** As `2026-11-23`, in UTC. */
  day: z.string(),
  /** When the day was counted: ISO 8601, UTC. */
  proved_at: z.string(),
  in: mailAccount,
  out: mailAccount,
  /** How many messages and rows do not add up; 0 for a day that is proved. */
  difference: z.number().int(),
  problems: z.array(
    z.object({
      kind: z.enum(ledgerProblemKinds),
      count: z.number().int(),
      /** Mail ids of some of them, 5 at most. */
      examples: z.array(z.string()),
    }),
  ),
});
export type LedgerDayDto = z.infer<typeof ledgerDay>;

export const getLedgerProof = endpoint({
  method: 'GET',
  path: '/superadmin/dashboard/ledger',
  summary: 'What the nightly proof of the ledger has found for each of the last 30 days, for people of the provider',
  needs: { model: 'home', action: 'edit' },
  answer: z.object({
    /** The latest one first; a day that was not proved yet is missing. */
    days: z.array(ledgerDay),
    /** The last day that is over and waits for its proof; null when there is none. */
    waiting: z.string().nullable(),
  }),
});
export type LedgerProofDto = z.infer<typeof getLedgerProof.answer>;
