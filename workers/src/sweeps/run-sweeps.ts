import { log } from '@selvage/core/log';
import { sweepFailures } from '@selvage/core/metrics';
import { pause } from '@selvage/core/pause';

/** Work that is repeated while the process runs. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** The signal aborts when the process ends. */
  run: (signal: AbortSignal) => Promise<void>;
}

/** Running sweeps. */
export interface Sweeps {
  /** Starts no further pass and waits for those under way. */
  close(): Promise<void>;
}

/** Starts sweeps. Each runs on its own, never twice at once, and a failed pass is only logged. */
export function startSweeps(sweeps: Sweep[]): Sweeps {
  const ended = new AbortController();
  const loops = sweeps.map((sweep) => repeat(sweep, ended.signal));
  return {
    close: async () => {
      ended.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat({ name, everyMs, run }: Sweep, signal: AbortSignal): Promise<void> {
  sweepFailures.inc({ sweep: name }, 0);
  while (!signal.aborted) {
    try {
      await run(signal);
    } catch (error) {
      // The database or Redis may be away. The next pass finds everything still there
      if (!signal.aborted) {
        sweepFailures.inc({ sweep: name });
        log.warn('a sweep failed and will be repeated', { sweep: name, error });
      }
    }
    await pause(everyMs, signal);
  }
}
