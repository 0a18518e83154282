import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const afterStartMs = 5000;

/** The bounds by which a period counts as busy or as quiet. */
interface Rest {
  /** How long a period is. */
  lengthMs: number;
  /** The share of a period in which the event loop did something. */
  busyShare: number;
  quietShare: number;
}

const usualRest: Rest = { lengthMs: 60_000, busyShare: 0.1, quietShare: 0.03 };

/**
 * Gives back memory that V8 would keep until there is traffic: a few seconds after the start, and
 * in the first quiet minute after a busy one. Compiling leaves tens of megabytes, and a crowd of
 * messages a hundred, most of it in pages of threads that have ended. Takes some tens of
 * milliseconds each time.
 */
export function collectIdleGarbage(rest: Rest = usualRest): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void;
  const collect = (): void => gc({ type: 'major', flavor: 'last-resort' });
  setTimeout(collect, afterStartMs).unref();
  collectAfterWork(collect, rest);
}

function collectAfterWork(collect: () => void, { lengthMs, busyShare, quietShare }: Rest): void {
  let last = performance.eventLoopUtilization();
  let hasWorked = false;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization >= busyShare) hasWorked = true;
    if (!hasWorked || utilization > quietShare) return;
    hasWorked = false;
    collect();
  }, lengthMs).unref();
}
