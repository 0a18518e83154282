import { wordsOf } from '../../lib/i18n.ts';
import { sendTimeWords } from '../../words/scheduled.ts';

const MINUTE_MS = 60_000;
/** The server accepts no earlier time than this from now. */
const SOONEST_MS = 2 * MINUTE_MS;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
const MORNING = 8;
const LATER_BY_HOURS = 3;
const LAST_HOUR = 21;
const DAYS_TO_WAIT = 3;

/** A time that is offered, in the zone of the device. */
export interface OfferedTime {
  name: 'today' | 'tomorrow' | 'monday';
  at: Date;
}

/** The times at which a message may be sent with one press. */
export function offeredTimes(now = new Date()): OfferedTime[] {
  const later = new Date(now);
  later.setHours(now.getHours() + LATER_BY_HOURS + (now.getMinutes() > 0 ? 1 : 0), 0, 0, 0);
  const isToday = later.getDate() === now.getDate() && later.getHours() <= LAST_HOUR;
  const tomorrow = morningAfter(now, 1);
  const monday = morningAfter(now, (8 - now.getDay()) % 7 || 7);
  return [
    ...(isToday ? [{ name: 'today' as const, at: later }] : []),
    { name: 'tomorrow', at: tomorrow },
    ...(monday.getTime() === tomorrow.getTime() ? [] : [{ name: 'monday' as const, at: monday }]),
  ];
}

function morningAfter(now: Date, days: number): Date {
  const morning = new Date(now);
  morning.setDate(now.getDate() + days);
  morning.setHours(MORNING, 0, 0, 0);
  return morning;
}

/** The time that a message remembers, while it is still ahead; null when it leaves at once. */
export function rememberedTime({ sendAt }: { sendAt?: string | null }, now = new Date()): Date | null {
  if (!sendAt) return null;
  const at = new Date(sendAt);
  return isTooSoon(at, now) ? null : at;
}

/** Whether a time has passed, or is too near for the server to accept. */
export function isTooSoon(at: Date, now = new Date()): boolean {
  return at.getTime() - now.getTime() < SOONEST_MS;
}

/** Whether a time that was chosen before is still to come. */
export function isAhead(time: string | null | undefined): time is string {
  return Boolean(time) && Date.parse(time ?? '') > Date.now();
}

/** The time offered for a reminder: after some days of waiting, at the same time of day. */
export function timeOfReminder(now = new Date()): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + DAYS_TO_WAIT);
  at.setSeconds(0, 0);
  return at;
}

/** What is wrong with a time; null when a message can be sent then. */
export function timeProblem(at: Date, now = new Date()): string | null {
  const t = wordsOf(sendTimeWords);
  const ahead = at.getTime() - now.getTime();
  if (Number.isNaN(ahead)) return t.noTime;
  if (isTooSoon(at, now)) return t.tooSoon;
  return ahead > YEAR_MS ? t.tooLate : null;
}

/** As a field for date and time holds it: the time of the device, without a zone. */
export function fieldText(at: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
