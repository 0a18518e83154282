import { print } from '../../../ops/print.ts';
import { median } from '../rounds.ts';

/** Figures over their limit, which are reported at the end of the run. */
export const problems: string[] = [];

/** Prints a figure, and records a problem when it is over its limit. */
export function judge(what: string, value: number, limit: number, unit = 'ms'): void {
  print(`${what}: ${value.toFixed(unit === 'ms' ? 1 : 2)} ${unit} (limit ${limit})`);
  if (value > limit) problems.push(`${what}: more than ${limit} ${unit}`);
}

const repeats = 15;

/**
 * Repeats some work and judges the median of its milliseconds. The first round warms up, and is not
 * counted.
 */
export async function timed(what: string, limitMs: number, work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= repeats; round += 1) {
    const begin = performance.now();
    await work(round);
    if (round > 0) times.push(performance.now() - begin);
  }
  const middle = median(times);
  judge(`${what} (at most ${Math.max(...times).toFixed(0)})`, middle, limitMs);
  return middle;
}

/** The percentile of some numbers, with `share` from 0 to 1. */
export function percentile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor((numbers.length - 1) * share)] ?? 0;
}
