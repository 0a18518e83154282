import { randomUUID } from 'node:crypto';
import { domainOf } from './address-rules.ts';
import { composeMessage } from './compose-message.ts';
import type { EventPerson, Invitation } from './invitation.ts';
import { type EventMoment, stampOf } from './invitation-time.ts';

/** The possible answers of a person to an invitation. */
export const givenAnswers = ['accepted', 'tentative', 'declined'] as const;
export type GivenAnswer = (typeof givenAnswers)[number];

/** An answer of a person to an invitation. */
export interface InvitationReply {
  invitation: Invitation;
  organiser: EventPerson;
  attendee: EventPerson;
  answer: GivenAnswer;
  now: Date;
  /** Message-ID of the message with the invitation. */
  inReplyTo: string | null;
}

const prefixes: Record<GivenAnswer, string> = { accepted: 'Accepted', tentative: 'Tentative', declined: 'Declined' };
const sentences: Record<GivenAnswer, string> = {
  accepted: 'has accepted',
  tentative: 'has tentatively accepted',
  declined: 'has declined',
};

/** The message by which a person answers an invitation (RFC 6047). */
export async function composeInvitationReply(reply: InvitationReply): Promise<Buffer> {
  const { invitation, organiser, attendee, answer, now, inReplyTo } = reply;
  const title = invitation.title || 'Invitation';
  return await composeMessage({
    from: attendee,
    to: [organiser],
    subject: `${prefixes[answer]}: ${title}`,
    text: `${attendee.name || attendee.address} ${sentences[answer]} the invitation “${title}”.`,
    calendar: { method: 'REPLY', content: replyCalendar(reply) },
    messageId: `<${randomUUID()}@${domainOf(attendee.address)}>`,
    date: now,
    inReplyTo,
    references: inReplyTo ? [inReplyTo] : [],
  });
}

/**
 * The calendar object of an answer (RFC 5546 3.2.3): the properties that identify the event, and
 * one attendee.
 */
function replyCalendar({ invitation, organiser, attendee, answer, now }: InvitationReply): string {
  const { uid, sequence, answeredDate, title, start, end } = invitation;
  const lines = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Selvage//Mail//EN',
    'VERSION:2.0',
    'METHOD:REPLY',
    ...(answeredDate?.zone ?? []),
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${stampOf(now.toISOString())}`,
    ...(answeredDate ? [answeredDate.line] : []),
    ...momentLine('DTSTART', start),
    ...momentLine('DTEND', end),
    ...(title ? [`SUMMARY:${escapeText(title)}`] : []),
    `ORGANIZER${nameOf(organiser)}:mailto:${organiser.address}`,
    `ATTENDEE;PARTSTAT=${answer.toUpperCase()}${nameOf(attendee)}:mailto:${attendee.address}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.flatMap(fold).join('\r\n')}\r\n`;
}

/** A moment in an unknown zone is left out: the organiser's program finds the event by its UID. */
function momentLine(name: string, moment: EventMoment | null): string[] {
  if (moment?.utc) return [`${name}:${stampOf(moment.utc)}`];
  return moment && !moment.local.includes('T') ? [`${name};VALUE=DATE:${moment.local.replaceAll('-', '')}`] : [];
}

function nameOf({ name }: EventPerson): string {
  const plain = name
    .replace(/["\p{Cc}]/gu, '')
    .slice(0, 100)
    .toWellFormed();
  return plain ? `;CN="${plain}"` : '';
}

/** RFC 5545 3.3.11 */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r?\n/g, '\\n')
    .replace(/\p{Cc}/gu, '');
}

/** RFC 5545 3.1: lines of at most 75 bytes, cut between characters. */
function fold(line: string): string[] {
  const lines: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      lines.push(part);
      part = ' ';
      bytes = 1;
    }
    part += character;
    bytes += size;
  }
  return [...lines, part];
}
