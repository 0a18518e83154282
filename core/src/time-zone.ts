import { dayMs } from './utc-day.ts';

/**
 * The clocks of one time zone. A wall clock is written as milliseconds, as if it stood at UTC, so
 * that hours and days can be counted on it.
 */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat;

  /**
   * @param name IANA name, as `Asia/Kolkata`
   * @throws {RangeError} when there is no such zone
   */
  constructor(name: string) {
    // The Swedish way to write a moment is that of ISO 8601, but for the T
    this.#format = new Intl.DateTimeFormat('sv', {
      timeZone: name,
      calendar: 'gregory',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  }

  /** What the clocks show at a moment. */
  wallClockAt(moment: number): number {
    return Date.parse(`${this.#format.format(moment).replace(' ', 'T')}Z`);
  }

  /**
   * The moment at which the clocks show this (RFC 5545 3.3.5): the first one where they show it
   * twice, and where they skip it, that of the clocks before the change.
   */
  momentOf(wallClock: number): number {
    const offsetAt = (moment: number): number => this.wallClockAt(moment) - Math.floor(moment / 1000) * 1000;
    const before = offsetAt(wallClock - dayMs);
    const moment = wallClock - before;
    if (offsetAt(moment) === before) return moment;
    const after = offsetAt(wallClock + dayMs);
    return offsetAt(wallClock - after) === after ? wallClock - after : moment;
  }

  /** The day that a moment falls on, as `2026-11-23`. */
  dayAt(moment: Date): string {
    return new Date(this.wallClockAt(moment.getTime())).toISOString().slice(0, 10);
  }
}
