import { dayMs } from '../utc-day.ts';
import { isOnCalendar, momentOf, type Property, type ZoneReader } from './invitation-time.ts';

/** How an event repeats, as far as the card can say it in a sentence. */
export interface EventRecurrence {
  every: 'day' | 'week' | 'month' | 'year' | null;
  interval: number;
  /** `MO` … `SU` on the organiser's clock, for an event that repeats by the week or the day. */
  days: string[];
  count: number | null;
  /** The last day, on the organiser's clock, on which it may begin: `2026-11-24`. */
  until: string | null;
}

const units: Record<string, EventRecurrence['every']> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};

/** How an event with these properties repeats; null if it does not. */
export function recurrenceOf(
  { rule: property, start }: { rule: Property | undefined; start: Property | undefined },
  zones: ZoneReader,
): EventRecurrence | null {
  if (!property) return null;
  const rule = property[3] as Record<string, unknown>;
  const named = units[String(rule['freq'] ?? '').toUpperCase()] ?? null;
  const unit = isSayable(named, rule) ? named : null;
  const number = (name: string): number => Math.min(Math.max(Math.trunc(Number(rule[name] ?? 0)) || 0, 0), 100_000);
  const interval = Math.max(1, number('interval'));
  const days = unit === 'week' || unit === 'day' ? weekdaysIn(rule['byday']) : [];
  return {
    // A rule for each day, limited to some weekdays, means each week on those weekdays
    every: unit === 'day' && interval === 1 && days.length > 0 ? 'week' : unit,
    interval,
    days,
    count: number('count') || null,
    until: lastDayOf(String(rule['until'] ?? ''), start, zones),
  };
}

/**
 * Whether "every week on Monday", "every month" and their like say all of a rule: it gives one date
 * in each of its months or years, and leaves none of its weeks, months or years out.
 */
function isSayable(unit: EventRecurrence['every'], rule: Record<string, unknown>): boolean {
  const values = (name: string): unknown[] => [rule[name] ?? []].flat();
  const count = (name: string): number => values(name).length;
  if (count('byweekno') + count('byyearday') > 0) return false;
  if (Math.max(count('byhour'), count('byminute'), count('bysecond')) > 1) return false;
  if (unit === 'day' || unit === 'week') return count('bymonth') + count('bymonthday') + count('bysetpos') === 0;
  // `2MO` is the second Monday of a month, and `MO` each of them
  const isOneDay = count('bymonthday') <= 1 && count('byday') <= 1 && !values('byday').some(isEachWeek);
  const isOneDate = count('bysetpos') === 1 || (count('bysetpos') === 0 && isOneDay);
  if (unit !== 'year') return isOneDate && count('bymonth') === 0;
  // Without a month, a day of the month is one of each month
  return isOneDate && count('bymonth') <= 1 && count('bymonthday') <= count('bymonth');
}

const isEachWeek = (day: unknown): boolean => /^[A-Z]/i.test(String(day));

function weekdaysIn(written: unknown): string[] {
  const days = [written ?? []].flat().slice(0, 50).map(String);
  return [...new Set(days.filter((day) => /^(MO|TU|WE|TH|FR|SA|SU)$/.test(day)))];
}

/**
 * The last day on which an event may begin. RFC 5545 3.3.10 gives the end of the rule in UTC, where
 * it may be on the day before or after, and programs write any time of the last day.
 */
function lastDayOf(until: string, start: Property | undefined, zones: ZoneReader): string | null {
  const [written = ''] = /^\d{4}-\d\d-\d\d/.exec(until) ?? [];
  if (!isOnCalendar(written)) return null;
  const end = until.endsWith('Z') ? Date.parse(until) : Number.NaN;
  if (!start || Number.isNaN(end)) return written;
  const [name, parameters, type, first] = start;
  for (const shift of [1, 0, -1, -2]) {
    const day = new Date(Date.parse(written) + shift * dayMs).toISOString().slice(0, 10);
    const utc = momentOf([name, parameters, type, day + String(first).slice(10)], zones)?.utc;
    if (utc && Date.parse(utc) <= end) return day;
  }
  // The event has no time of day, or its zone is unknown
  return written;
}
