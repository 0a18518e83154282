/** A day in UTC as `2026-11-23`. */
export type UtcDay = string;

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The day of a moment. */
export function utcDayAt(moment: number): UtcDay {
  return new Date(moment).toISOString().slice(0, 10);
}

/** From its first moment to that of the day after it. */
export function periodOfDay(day: UtcDay): { from: Date; to: Date } {
  const from = new Date(`${day}T00:00:00Z`);
  return { from, to: new Date(from.getTime() + dayMs) };
}
