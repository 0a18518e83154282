import { isValidAddress, normaliseAddress } from './addresses.ts';
import { decodeBytes, decodeNamed, isBelievable } from './decode-bytes.ts';
import { type EventRecurrence, recurrenceOf } from './invitation-recurrence.ts';
import { type Component, type EventMoment, momentOf, type Property, stampOf, ZoneReader } from './invitation-time.ts';
import { oneLine } from './one-line.ts';
import { parseCalendar } from './parse-calendar.ts';

/*
 * An invitation of a calendar program (RFC 5545, 5546, 6047), read for a card above the message.
 * Strangers write it, so no recurrence is expanded, and every text is cut to one short line.
 */

/** The methods that a card can show (RFC 5546 1.4). */
const methods = ['request', 'cancel', 'reply'] as const;
/** The possible answers of an invited person (RFC 5545 3.2.12). */
const answers = ['needs-action', 'accepted', 'declined', 'tentative', 'delegated'] as const;

/** A person of an event. */
export interface EventPerson {
  name: string;
  /** Normalised. */
  address: string;
}

/** A person who is invited. */
export interface EventAttendee extends EventPerson {
  answer: (typeof answers)[number];
  isOptional: boolean;
}

/** The contents of an invitation. */
export interface Invitation {
  method: (typeof methods)[number];
  uid: string;
  sequence: number;
  /**
   * The date of a repeated event that the invitation is about, as the file writes it; null for all
   * dates.
   */
  recurrenceId: string | null;
  /** The line that names this date in an answer, and the lines that describe its zone. */
  answeredDate: { line: string; zone: string[] } | null;
  title: string;
  where: string;
  start: EventMoment | null;
  /** The first moment after the event; for days, the day after the last. */
  end: EventMoment | null;
  organiser: EventPerson | null;
  /** The first `mostAttendees` of them. */
  attendees: EventAttendee[];
  attendeeCount: number;
  recurrence: EventRecurrence | null;
}

/** The types of a file that may be an invitation. Booking systems use the second one. */
export const calendarTypes: ReadonlySet<string> = new Set(['text/calendar', 'application/ics']);
/** A real invitation of hundreds of people is smaller. */
const mostBytes = 262_144;
const mostLines = 8000;
const mostAttendees = 2000;

/**
 * Reads a calendar file; null when it is no invitation, damaged or too large.
 * @param charset as the sender names it; RFC 5545 3.1.4 only has a default, which is UTF-8
 */
export async function readInvitation(file: Buffer, charset = 'utf-8'): Promise<Invitation | null> {
  const text = file.length > mostBytes ? null : textOf(file, charset);
  if (text === null) return null;
  // The library takes some milliseconds to load, and most messages don't need it
  const { default: ICAL } = await import('ical.js');
  try {
    const calendar = parseCalendar(ICAL, text);
    return calendar ? invitationOf(calendar, new ZoneReader(ICAL, calendar)) : null;
  } catch {
    // The library throws for anything that it can't read. The file is still listed
    return null;
  }
}

/**
 * The text of a calendar file; null when it has too many lines. RFC 5545 3.1: a line may be folded
 * within a UTF-8 character, so the lines are joined before their bytes are decoded.
 */
function textOf(file: Buffer, charset: string): string | null {
  const isNamed = isBelievable(charset);
  const folded = isNamed ? decodeNamed(file, charset) : file.toString('latin1');
  if (folded.split('\n', mostLines + 1).length > mostLines) return null;
  const text = isNamed ? folded : decodeBytes(Buffer.from(folded.replace(/\r?\n[ \t]/g, ''), 'latin1'));
  return text.replaceAll('\0', '');
}

function invitationOf(calendar: Component, zones: ZoneReader): Invitation | null {
  const method = methods.find((known) => known === textIn(calendar, 'method', 20).toLowerCase());
  const events = calendar[2].filter(([name]) => name === 'vevent');
  const event = events.find((one) => !propertyOf(one, 'recurrence-id')) ?? events[0];
  const uid = event ? textIn(event, 'uid', 1000) : '';
  if (!method || !event || uid === '') return null;
  const people = event[1].filter(([name]) => name === 'attendee');
  const start = momentOf(propertyOf(event, 'dtstart'), zones);
  return {
    method,
    uid,
    sequence: Math.min(Math.max(Math.trunc(Number(propertyOf(event, 'sequence')?.[3] ?? 0)) || 0, 0), 2_147_483_647),
    recurrenceId: recurrenceIdOf(event),
    answeredDate: answeredDateOf(event, zones),
    title: textIn(event, 'summary', 300),
    where: textIn(event, 'location', 500),
    start,
    end: momentOf(propertyOf(event, 'dtend'), zones) ?? zones.after(start, propertyOf(event, 'duration')),
    organiser: personOf(propertyOf(event, 'organizer')),
    attendees: people.slice(0, mostAttendees).flatMap((person) => attendeeOf(person) ?? []),
    attendeeCount: people.length,
    recurrence: recurrenceOf({ rule: propertyOf(event, 'rrule'), start: propertyOf(event, 'dtstart') }, zones),
  };
}

function propertyOf(component: Component, name: string): Property | undefined {
  return component[1].find((property) => property[0] === name);
}

function textIn(component: Component, name: string, length: number): string {
  const value = propertyOf(component, name)?.[3];
  return typeof value === 'string' ? clean(value, length) : '';
}

/** Removes control characters of the text direction, which would change the words around. */
function clean(text: string, length: number): string {
  return oneLine(
    text.slice(0, length * 4).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''),
    length,
  ).toWellFormed();
}

/** The property in the form in which an answer writes it, since its parameters matter as well. */
function recurrenceIdOf(event: Component): string | null {
  const property = propertyOf(event, 'recurrence-id');
  const value = String(property?.[3] ?? '');
  if (!property || !/^[\dTZ:-]{8,25}$/.test(value)) return null;
  const plain = value.replace(/[:-]/g, '');
  if (property[2] === 'date') return `RECURRENCE-ID;VALUE=DATE:${plain}`;
  const zone = property[1]['tzid'];
  const isNamed = typeof zone === 'string' && /^[\w/+ .()-]{1,80}$/.test(zone) && !plain.endsWith('Z');
  return isNamed ? `RECURRENCE-ID;TZID="${zone}":${plain}` : `RECURRENCE-ID:${plain}`;
}

/**
 * RFC 5545 3.2.19: a file must describe each zone that it names. If the invitation has no
 * description to copy, the answer gives the moment in UTC.
 */
function answeredDateOf(event: Component, zones: ZoneReader): Invitation['answeredDate'] {
  const property = propertyOf(event, 'recurrence-id');
  const line = recurrenceIdOf(event);
  if (!property || line === null) return null;
  const zone = property[1]['tzid'];
  const described = line.includes(';TZID=') && typeof zone === 'string' ? zones.linesOf(zone) : null;
  if (described) return { line, zone: described };
  const utc = momentOf(property, zones)?.utc;
  return { line: utc ? `RECURRENCE-ID:${stampOf(utc)}` : line, zone: [] };
}

function personOf(property: Property | undefined): EventPerson | null {
  const [, written = ''] = /^mailto:(.{1,320})$/i.exec(String(property?.[3] ?? '').trim()) ?? [];
  const address = isValidAddress(written) ? normaliseAddress(written) : null;
  if (!property || address === null) return null;
  const name = property[1]['cn'];
  return { name: typeof name === 'string' ? clean(name, 200) : '', address };
}

function attendeeOf(property: Property): EventAttendee | null {
  const person = personOf(property);
  if (!person) return null;
  const said = String(property[1]['partstat'] ?? '').toLowerCase();
  const answer = answers.find((known) => known === said) ?? 'needs-action';
  return { ...person, answer, isOptional: /^opt-participant$/i.test(String(property[1]['role'] ?? '')) };
}
