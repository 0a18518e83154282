import { setTimeout } from 'node:timers/promises';

/**
 * Waits for a condition: calls `probe` until it returns something other than null, undefined or
 * false. `what` names the condition in the error. As a function it is called at the end of the
 * wait, when more is known.
 * @throws {Error} when that takes longer than `timeoutMs`, with the last error of the probe as its
 * cause
 */
export async function until<T>(
  what: string | (() => string),
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 40_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const result = await probe();
      if (result !== null && result !== undefined && result !== false) return result;
    } catch (error) {
      last = error;
    }
    await setTimeout(50);
  }
  throw new Error(`waited ${timeoutMs} ms in vain: ${typeof what === 'string' ? what : what()}`, { cause: last });
}
