import { until } from './until.ts';

const hourMs = 3_600_000;
/** As long as a test may take. */
const neededMs = 60_000;

/** Waits for the next hour where this one, and perhaps the day with it, ends during a test. */
export async function untilHourLasts(): Promise<void> {
  await until('this hour lasts longer', () => hourMs - (Date.now() % hourMs) > neededMs, 2 * neededMs);
}
