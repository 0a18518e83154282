import { Worker } from 'node:worker_threads';
import { eventLoopDelay, eventLoopHeld } from '../metrics.ts';

const tickMs = 25;

interface WatchdogSettings {
  /** The process counts here for as long as its event loop turns. */
  beats: Int32Array;
  limitMs: number;
  /** Name of the process in log lines. */
  name: string;
}

/**
 * Measures the event loop of this process, and has the process killed when it stands still for
 * `limitSeconds` although it has had processor time. A process that gets none, on a machine that is
 * too busy or waits for its disk, has four times as long. The primary or the restart policy of the
 * container starts it again. Only another thread can notice a blocked event loop.
 */
export function watchEventLoop(options: { process: string; limitSeconds: number }): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  measure(() => Atomics.add(beats, 0, 1));
  const settings: WatchdogSettings = { beats, limitMs: options.limitSeconds * 1000, name: options.process };
  // From its source text: a TypeScript file would load the compiler once more, at twice the memory
  const watchdog = new Worker(`(${killWhenStill.toString()})()`, {
    eval: true,
    workerData: settings,
    name: 'watchdog',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  watchdog.unref();
}

/**
 * Calls `beat` at each tick, and notes ticks that were late or for which the processor was busy.
 */
function measure(beat: () => void): void {
  let last = performance.now();
  let lastCpu = cpuMs();
  const tick = (): void => {
    beat();
    const [now, cpu] = [performance.now(), cpuMs()];
    eventLoopDelay.observe(Math.max(0, now - last - tickMs) / 1000);
    eventLoopHeld.observe((cpu - lastCpu) / 1000);
    last = now;
    lastCpu = cpu;
  };
  setInterval(tick, tickMs).unref();
}

/** Processor time of the main thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs in the thread, where nothing of this file exists but this function. */
function killWhenStill(): void {
  const { writeSync } = process.getBuiltinModule('node:fs');
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { beats, limitMs, name } = workerData as WatchdogSettings;
  const checkMs = Math.min(500, limitMs / 4);
  let seen = -1;
  let missed = 0;
  let cpuAtBeat = 0;
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const kill = (): void => {
    const [time, { pid }] = [new Date().toISOString(), process];
    const msg = 'THE EVENT LOOP STANDS STILL: the process is killed, to be started again';
    const line = { level: 'fatal', time, process: name, pid, stoodStillMs: missed * checkMs, msg };
    try {
      // The main thread is blocked, so its log and its orderly shutdown can't be used
      writeSync(2, `${JSON.stringify(line)}\n`);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  };
  setInterval(() => {
    const beat = Atomics.load(beats, 0);
    missed = beat === seen ? missed + 1 : 0;
    if (missed === 0) cpuAtBeat = cpuMs();
    seen = beat;
    // Checks are counted and no clock is read: a machine that slept wakes up to living processes
    const stoodStillMs = missed * checkMs;
    const hasWorked = cpuMs() - cpuAtBeat >= limitMs / 2;
    if (stoodStillMs >= (hasWorked ? limitMs : limitMs * 4)) kill();
  }, checkMs);
}
