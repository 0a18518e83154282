import { until } from './until.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long a test may take, in milliseconds. */
const neededMs = 60_000;
/** How long the tests of a file may take in the browser. */
const neededForFileMs = 180_000;

/** Waits for the next hour if this hour, and perhaps this day, would end during a test. */
export async function untilHourLasts(): Promise<void> {
  await until('this hour lasts longer', () => hourMs - (Date.now() % hourMs) > neededMs, 2 * neededMs);
}

/** Waits for the next day if this one, by UTC or here, would end during the tests of a file. */
export async function untilDayLasts(): Promise<void> {
  const restMs = (): number => {
    const now = Date.now();
    return Math.min(dayMs - (now % dayMs), new Date(now).setHours(24, 0, 0, 0) - now);
  };
  await until('this day lasts longer', () => restMs() > neededForFileMs, neededForFileMs + 20_000);
}
