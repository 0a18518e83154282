import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/** A moment of an event. */
export const eventMomentDto = z.object({
  /** ISO 8601; null for a day, and where the zone is unknown. */
  utc: z.string().nullable(),
  /** As the organiser wrote it: `2026-11-24`, or `2026-11-24T10:00:00`. */
  local: z.string(),
  /** The organiser's zone, in their program's words. */
  zone: z.string().nullable(),
});

const person = { /** '' when it has none. */ name: z.string(), address: z.string() };

/** How an event repeats, as far as a sentence says it; `every` is null for any other way. */
export const recurrenceDto = z.object({
  every: z.enum(['day', 'week', 'month', 'year']).nullable(),
  interval: z.number().int(),
  /** `MO` to `SU` on the organiser's clock, of an event that repeats by the week or the day. */
  days: z.array(z.string()),
  count: z.number().int().nullable(),
  /** `2026-11-24`: the last day, on the organiser's clock, on which it may begin. */
  until: z.string().nullable(),
});

/** What a person may answer. */
export const invitationAnswers = ['accepted', 'tentative', 'declined'] as const;

/** An invitation to an event, which a message carries (RFC 6047, D52). All texts are plain. */
export const invitationDto = z.object({
  /**
   * `request` invites, `cancel` calls the event off, and `reply` answers the reader's invitation.
   */
  method: z.enum(['request', 'cancel', 'reply']),
  title: z.string(),
  where: z.string(),
  start: eventMomentDto.nullable(),
  /** The first moment after it; for days, the day after the last. */
  end: eventMomentDto.nullable(),
  recurrence: recurrenceDto.nullable(),
  /** It is about one date of a repeated event. */
  is_one_date: z.boolean(),
  /** It changes an earlier one. */
  is_update: z.boolean(),
  organiser: z.object(person).nullable(),
  /**
   * Whether the message came from the address of the person in whose name it speaks: the organiser
   * or, of a reply, the one who answers. Any sender can write a calendar file in any name.
   */
  is_from_speaker: z.boolean(),
  /** The first hundred, the reader first. */
  attendees: z.array(
    z.object({
      ...person,
      answer: z.enum(['needs-action', 'accepted', 'declined', 'tentative', 'delegated']),
      is_optional: z.boolean(),
      is_me: z.boolean(),
    }),
  ),
  attendee_count: z.number().int(),
  /** Whether the reader is invited, and can answer. */
  may_answer: z.boolean(),
  /** The reader's last answer to this event; `is_earlier` when it was to an earlier version. */
  answer: z.object({ value: z.enum(invitationAnswers), is_earlier: z.boolean() }).nullable(),
  /** A newer version was answered, so this one no longer counts. */
  is_outdated: z.boolean(),
  /** Signed, expiring URL of the calendar file. */
  file_path: z.string(),
});
export type InvitationDto = z.infer<typeof invitationDto>;

/**
 * Mails the answer to the organiser. The same answer to the same version is mailed once. 409
 * `invitation_outdated`: a newer version was answered.
 */
export const answerInvitation = endpoint({
  method: 'POST',
  path: '/mail/invitation/:id',
  summary: 'Answers the invitation that a message carries, by a message to its organiser (RFC 6047)',
  needs: { model: 'sent', action: 'create' },
  params: z.object({ id }),
  body: z.object({ answer: z.enum(invitationAnswers) }),
  answer: z.object({
    answer: z.enum(invitationAnswers),
    /** Whether a message was sent. */
    sent: z.boolean(),
  }),
});
