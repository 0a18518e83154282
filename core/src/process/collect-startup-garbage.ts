import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const afterMs = 5000;

/**
 * Gives back the memory that the start has used, a few seconds after it. Compiling leaves tens of
 * megabytes, most of all the first time, and V8 would keep them until there is traffic. Takes some
 * tens of milliseconds, once.
 */
export function collectStartupGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  setTimeout(() => collect({ type: 'major', flavor: 'last-resort' }), afterMs).unref();
}
