import { TimeZone } from '../time-zone.ts';
import type { HeaderFields } from './header-fields.ts';

/*
 * Which messages the server may answer automatically for a person who is away (RFC 3834, D47). An
 * automatic answer to another program or to a list would flood people who have not written to the
 * person.
 */

const listFields = [
  'list-id',
  'list-post',
  'list-help',
  'list-subscribe',
  'list-unsubscribe',
  'list-owner',
  'mailing-list',
];
const robots =
  /^(?:no-?_?reply|do-?_?not-?_?reply|mailer-daemon|postmaster|abuse|bounces?|root|daemon|listserv|majordomo|owner-.*|.*-owner|.*-request|.*-bounces?|bounces?[-+=].*|.*[-_.]?no-?_?reply)$/i;

/** Whether a program or a list has sent a message, according to its header. */
export function isAutomatic(fields: HeaderFields): boolean {
  const word = (name: string) => fields.raw(name).slice(0, 200).split(';')[0]?.trim().toLowerCase() ?? '';
  const submitted = word('auto-submitted');
  return (
    (fields.count('auto-submitted') > 0 && submitted !== 'no') ||
    ['bulk', 'list', 'junk'].includes(word('precedence')) ||
    suppressesAnswers(fields) ||
    // A read receipt (RFC 8098) or a delivery report of a host that names a sender for it
    /^\s*multipart\/report\b/i.test(fields.raw('content-type').slice(0, 200)) ||
    listFields.some((name) => fields.count(name) > 0)
  );
}

/** Values of Exchange's field that suppress only reports and receipts, and still allow answers. */
const harmless = new Set(['dr', 'ndr', 'rn', 'nrn', 'none']);

/** Whether a message asks programs like Exchange not to answer it automatically. */
function suppressesAnswers(fields: HeaderFields): boolean {
  if (fields.count('x-auto-response-suppress') === 0) return false;
  const words = fields.raw('x-auto-response-suppress').slice(0, 200).toLowerCase().split(',');
  return words.some((word) => !harmless.has(word.trim()));
}

/** Whether no person reads the mail of an address, judging by the name before the @. */
export function isRobot(address: string): boolean {
  return robots.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))).slice(0, 64));
}

/** An absence from the first day to the last, in the time zone of the person. */
export interface Absence {
  isOn: boolean;
  firstDay: string | null;
  lastDay: string | null;
  timeZone: string;
}

/** The state of an absence at a moment. */
export function stateOfAbsence(
  { isOn, firstDay, lastDay, timeZone }: Absence,
  now: Date,
): 'off' | 'planned' | 'active' | 'over' {
  if (!isOn) return 'off';
  const today = new TimeZone(timeZone).dayAt(now);
  if (firstDay !== null && today < firstDay) return 'planned';
  return lastDay !== null && today > lastDay ? 'over' : 'active';
}
