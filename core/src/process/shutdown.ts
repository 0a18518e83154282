import cluster from 'node:cluster';
import { log } from '../log.ts';

interface Step {
  name: string;
  run: () => Promise<void> | void;
  order: number;
}

const limitMs = 20_000;
const steps: Step[] = [];
let isListening = false;
let isStopping = false;
let isReplaced = false;

/** How long the doors of a replaced process leave their peers alone before they say goodbye. */
const replacedPatienceMs = 8_000;

/**
 * Adds a step to the orderly end of this process: after SIGTERM or SIGINT, or when it was replaced.
 * Steps of a lower order run first: doors and jobs, then all else that needs the engines, then the
 * connections to the engines. Steps of the same order run together.
 */
export function onShutdown(name: string, run: () => Promise<void> | void, order = 50): void {
  steps.push({ name, run, order });
  if (isListening) return;
  isListening = true;
  process.on('SIGTERM', () => void shutDown('SIGTERM'));
  // A member hears Ctrl-C as well, but ends when its primary says so
  if (!cluster.isWorker) process.on('SIGINT', () => void shutDown('SIGINT'));
}

/** Ends this process in order, after another process has taken its place. */
export function endReplaced(): void {
  isReplaced = true;
  void shutDown('replaced');
}

/**
 * How long the peers of a door may go on after it was closed, in milliseconds: 0 when the host
 * stops. When another process has taken over, a peer has time to finish its transfer.
 */
export function peerPatienceMs(): number {
  return isReplaced ? replacedPatienceMs : 0;
}

/** Runs every step and ends the process: 0 if all went well, 1 after a failure or 20 seconds. */
async function shutDown(reason: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info('stopping', { reason });
  const timer = setTimeout(() => {
    log.error('stopping took too long', { limitMs });
    process.exit(1);
  }, limitMs);
  const isClean = await runSteps();
  clearTimeout(timer);
  log.info('stopped', { isClean });
  process.exit(isClean ? 0 : 1);
}

async function runSteps(): Promise<boolean> {
  let isClean = true;
  const orders = [...new Set(steps.map((step) => step.order))].toSorted((a, b) => a - b);
  for (const order of orders) {
    const group = steps.filter((step) => step.order === order);
    const results = await Promise.allSettled(group.map(async (step) => await step.run()));
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') return;
      isClean = false;
      log.error('a part did not stop cleanly', { part: group[index]?.name, error: result.reason });
    });
  }
  return isClean;
}
