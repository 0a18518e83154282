import { setTimeout } from 'node:timers/promises';

/**
 * Waits for a condition: calls `probe` until it gives something that is neither null, undefined nor false. `what` says what is
 * waited for; as a function it says so at the end of the wait, with what is known by then.
 * @throws when that takes longer than `timeoutMs`, with the last error of the probe as its cause
 */
export async function until<T>(
  what: string | (() => string),
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 20_000,
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
