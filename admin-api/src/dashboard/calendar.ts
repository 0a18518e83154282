import { dayMs, utcDayAt } from '@selvage/core/utc-day';
import type { TimeZone } from '@selvage/core/time-zone';

/*
 * Days of a time zone. A day is written as `2026-11-23`. Days are counted at midnight UTC, where
 * each has 24 hours.
 */

const atUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day this many days later. */
export function addDays(day: string, days: number): string {
  return utcDayAt(atUtc(day) + days * dayMs);
}

/** The first day of the month this many months later. */
export function monthStart(day: string, months = 0): string {
  const date = new Date(atUtc(day));
  return utcDayAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
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

/**
 * When a day begins in a time zone: at midnight, or just after it where the clocks skip midnight.
 */
export function startOfDay(zone: TimeZone, day: string): Date {
  return new Date(zone.momentOf(atUtc(day)));
}
