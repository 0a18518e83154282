/*
 * Days of a time zone. A day is written as `2026-11-23`; counting days is done at midnight UTC,
 * where each has 24 hours.
 */

const dayMs = 86_400_000;

const atUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (utcMs: number): string => new Date(utcMs).toISOString().slice(0, 10);

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return dayOf(atUtc(day) + days * dayMs);
}

/** The first day of the month so many months later. */
export function monthStart(day: string, months = 0): string {
  const date = new Date(atUtc(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

/** The Monday of a day's week. */
export function weekStart(day: string): string {
  return addDays(day, -((new Date(atUtc(day)).getUTCDay() + 6) % 7));
}

/** The number of a day's week (ISO 8601): week 1 has the year's first Thursday. */
export function weekNumber(day: string): number {
  const thursday = addDays(weekStart(day), 3);
  return 1 + Math.floor((atUtc(thursday) - atUtc(`${thursday.slice(0, 4)}-01-01`)) / (7 * dayMs));
}

/** Days from one day to another. */
export function daysBetween(start: string, end: string): number {
  return (atUtc(end) - atUtc(start)) / dayMs;
}

/** Days and moments of one time zone. */
export class Calendar {
  private readonly format: Intl.DateTimeFormat;

  /** @param timeZone IANA name */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** The day that a moment falls on. */
  dayAt(moment: Date): string {
    return dayOf(this.wallClock(moment.getTime()));
  }

  /** When a day begins. Where a clock skips midnight, that is the first moment after it. */
  startOf(day: string): Date {
    const wanted = atUtc(day);
    let guess = wanted - this.offsetAt(wanted);
    // The offset may differ between the two, at a change of the clock
    guess = wanted - this.offsetAt(guess);
    return new Date(guess);
  }

  private offsetAt(utcMs: number): number {
    return this.wallClock(utcMs) - utcMs;
  }

  /** What a clock on the wall shows, as if it stood at UTC. */
  private wallClock(utcMs: number): number {
    const parts = new Map(this.format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  }
}
