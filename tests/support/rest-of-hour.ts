import { until } from './until.ts';

const hourMs = 3_600_000;
/** How long a test may take, in milliseconds. */
const neededMs = 60_000;

/** Waits for the next hour if this hour, and perhaps this day, would end during a test. */
export async function untilHourLasts(): Promise<void> {
  await until('this hour lasts longer', () => hourMs - (Date.now() % hourMs) > neededMs, 2 * neededMs);
}
