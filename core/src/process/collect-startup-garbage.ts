import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const afterMs = 5000;

/**
 * Gives back what the start has used, a few seconds after it: compiling, above all the very first time, leaves tens of megabytes that the engine
 * would keep until there is traffic. Takes some tens of milliseconds, once.
 */
export function collectStartupGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  setTimeout(() => collect({ type: 'major', flavor: 'last-resort' }), afterMs).unref();
}
