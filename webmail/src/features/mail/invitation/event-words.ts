import type { InvitationDto } from '@selvage/core/contracts/invitations';
import { wordsOf } from '../../../lib/i18n.ts';
import { invitationWords } from '../../../words/invitation.ts';

type Event = Pick<InvitationDto, 'start' | 'end'>;

const DAY_MS = 86_400_000;
const dayForm = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
const timeForm = { ...dayForm, hour: 'numeric', minute: '2-digit' } as const;

/** When an event is, in the reader's time, or in the organiser's where no other is known. */
export function whenOf({ start, end }: Event, locale?: string): string {
  if (!start) return '';
  const t = wordsOf(invitationWords);
  if (start.utc) return rangeOf(timeForm, start.utc, end?.utc ?? start.utc, locale);
  const isDay = !start.local.includes('T');
  const form = { ...(isDay ? dayForm : timeForm), timeZone: 'UTC' };
  const last = end ? new Date(asUtc(end.local).getTime() - (isDay ? DAY_MS : 0)) : asUtc(start.local);
  const time = rangeOf(form, asUtc(start.local).toISOString(), last.toISOString(), locale);
  if (isDay) return time;
  return start.zone ? t.unknownZone({ time, zone: start.zone }) : t.unknownTime({ time });
}

/** The same on the clock of the organiser; null where it shows what the reader's own does. */
export function theirTimeOf({ start }: Pick<Event, 'start'>, locale?: string): string | null {
  if (!start?.utc || !start.zone) return null;
  if (readersClock(start.utc).getTime() === asUtc(start.local).getTime()) return null;
  const form = { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  const time = new Intl.DateTimeFormat(locale, form).format(asUtc(start.local));
  return wordsOf(invitationWords).theirTime({ time, zone: start.zone });
}

/** How an event repeats, as a sentence in the reader's time; null for one that does not. */
export function recurrenceOf(
  { start, recurrence }: Pick<InvitationDto, 'start' | 'recurrence'>,
  locale?: string,
): string | null {
  if (!recurrence) return null;
  const t = wordsOf(invitationWords);
  const { every, interval, days, count, until } = recurrence;
  if (!every) return t.otherwise;
  const units = { day: t.everyDay, week: t.everyWeek, month: t.everyMonth, year: t.everyYear };
  let sentence = units[every](interval);
  const shift = daysAhead(start);
  if (days.length > 0) sentence = t.onDays({ every: sentence, days: namesOf(days, shift, locale) });
  if (until) {
    const format = new Intl.DateTimeFormat(locale, { ...dayForm, timeZone: 'UTC' });
    sentence = t.until({ every: sentence, day: format.format(asUtc(until).getTime() + shift * DAY_MS) });
  }
  return count ? t.joined({ every: sentence, times: t.times(count) }) : sentence;
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The names of weekdays that are so many days ahead of these. */
function namesOf(days: string[], shift: number, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const indexes = days.map((day) => (weekdays.indexOf(day) + shift + 7) % 7).toSorted((a, b) => a - b);
  // The first of January 2024 was a Monday
  const names = indexes.map((index) => format.format(Date.UTC(2024, 0, 1 + index)));
  return new Intl.ListFormat(locale).format(names);
}

function rangeOf(form: Intl.DateTimeFormatOptions, start: string, end: string, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, form);
  const [from, to] = [new Date(start), new Date(end)];
  return to > from ? format.formatRange(from, to) : format.format(from);
}

function asUtc(local: string): Date {
  return new Date(local.includes('T') ? `${local}Z` : `${local}T00:00:00Z`);
}

/** By how many days the reader's date is ahead of the organiser's when the event begins. */
function daysAhead(start: Event['start']): number {
  if (!start?.utc) return 0;
  const dayOf = (clock: Date): number => Math.floor(clock.getTime() / DAY_MS);
  return dayOf(readersClock(start.utc)) - dayOf(asUtc(start.local));
}

/** What the reader's clock shows at a moment, as if it were that of UTC. */
function readersClock(utc: string): Date {
  const moment = new Date(utc);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
}
