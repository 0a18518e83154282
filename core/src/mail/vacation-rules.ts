import { TimeZone } from '../time-zone.ts';
import type { HeaderFields } from './header-fields.ts';

/*
 * Which messages a program may answer for a person who is away (RFC 3834, D47). A program that
 * answers another one, or a list, floods people who wrote to neither.
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

/** Says whether a program or a list has sent a message, by its header. */
export function isAutomatic(fields: HeaderFields): boolean {
  const word = (name: string) => fields.raw(name).slice(0, 200).split(';')[0]?.trim().toLowerCase() ?? '';
  const submitted = word('auto-submitted');
  return (
    (fields.count('auto-submitted') > 0 && submitted !== 'no') ||
    ['bulk', 'list', 'junk'].includes(word('precedence')) ||
    suppressesAnswers(fields) ||
    listFields.some((name) => fields.count(name) > 0)
  );
}

/** Words of Exchange's field that ask for no reports and no receipts, and leave answers alone. */
const harmless = new Set(['dr', 'ndr', 'rn', 'nrn', 'none']);

/** Says whether a message asks programs of Exchange's kind for no answer. */
function suppressesAnswers(fields: HeaderFields): boolean {
  if (fields.count('x-auto-response-suppress') === 0) return false;
  const words = fields.raw('x-auto-response-suppress').slice(0, 200).toLowerCase().split(',');
  return words.some((word) => !harmless.has(word.trim()));
}

/** Says whether the name before the @ is one that no person reads. */
export function isRobot(address: string): boolean {
  return robots.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))).slice(0, 64));
}

/** From the first day to the last, where the person is. */
export interface Absence {
  isOn: boolean;
  firstDay: string | null;
  lastDay: string | null;
  timeZone: string;
}

/** How an absence stands at a moment. */
export function stateOfAbsence(
  { isOn, firstDay, lastDay, timeZone }: Absence,
  now: Date,
): 'off' | 'planned' | 'active' | 'over' {
  if (!isOn) return 'off';
  const today = new TimeZone(timeZone).dayAt(now);
  if (firstDay !== null && today < firstDay) return 'planned';
  return lastDay !== null && today > lastDay ? 'over' : 'active';
}
