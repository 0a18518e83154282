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

  /** The moment at which the clocks show this; where they skip it, a moment after. */
  momentOf(wallClock: number): number {
    const offsetAt = (moment: number): number => this.wallClockAt(moment) - Math.floor(moment / 1000) * 1000;
    // The first guess may fall on the other side of a change of the clocks; the second does not
    const guess = wallClock - offsetAt(wallClock);
    return wallClock - offsetAt(guess);
  }

  /** The day that a moment falls on, as `2026-11-23`. */
  dayAt(moment: Date): string {
    return new Date(this.wallClockAt(moment.getTime())).toISOString().slice(0, 10);
  }
}
