import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { isAwayForAll, isDatabaseAway } from '@selvage/core/database/database-errors';
import { noteEarlierLooks } from '@selvage/core/directory/correspondent-looks';
import { noteEarlierWriting } from '@selvage/core/directory/correspondents';
import { log } from '@selvage/core/log';
import { pause } from '@selvage/core/pause';
import { sweepFailures } from '@selvage/core/metrics';
import { type NextStep, takeStep } from '@selvage/core/sweeps/take-step';
import { blobsSweep, contentsSweep } from './byte-sweeps.ts';
import { junkSweep, messagesSweep, removedUidsSweep, searchSweep, storageSweep } from './mail-sweeps.ts';
import { companiesSweep, ledgerSweep, onceSweep, removalsSweep, retentionSweep } from './record-sweeps.ts';
import type { Sweep } from './run-sweeps.ts';
import type { SlowSweep } from './slow-sweep.ts';

/**
 * The sweeps over all stored messages, all stored bytes and all old rows. They rest after each
 * piece, and need no Redis. Those over the bytes spread their work over their time.
 */
export function slowSweepsOf(app: App): Sweep[] {
  const { sweepSeconds, blobCheckDays } = app.config;
  const sweeps = [
    messagesSweep(app),
    blobsSweep(app),
    retentionSweep(app),
    junkSweep(app),
    storageSweep(app),
    searchSweep(),
    ledgerSweep(),
    companiesSweep(),
    removalsSweep(),
    removedUidsSweep(),
    onceSweep('correspondents', noteEarlierWriting),
    onceSweep('correspondent_looks', noteEarlierLooks),
  ];
  if (blobCheckDays > 0) sweeps.push(contentsSweep(blobCheckDays));
  return sweeps.map((sweep) => ({
    name: sweep.name,
    everyMs: sweepSeconds * 1000,
    run: (signal) => takeDueSteps(app, sweep, signal),
  }));
}

/** Runs steps of a sweep until the next one is not due soon, or another process has claimed it. */
async function takeDueSteps(app: App, sweep: SlowSweep, signal: AbortSignal): Promise<void> {
  const ctx = systemContext(app);
  const { name, passMs: longestPauseMs } = sweep;
  while (!signal.aborted) {
    const work = (position: string) => attemptStep(ctx, sweep, { position, signal });
    const pauseMs = await takeStep(ctx, { name, longestPauseMs }, work);
    if (pauseMs === null || pauseMs > app.config.sweepSeconds * 1000) return;
    await pause(pauseMs, signal);
  }
}

/**
 * Runs one step. A step that fails, for example because a part of the disk is broken, does not hold
 * up the others: it is passed over. A sweep that runs only once tries it again. So does a sweep
 * over rows after a statement of the database failed: it would begin all over again otherwise, and
 * the step may well succeed in a minute.
 */
export async function attemptStep(
  ctx: Ctx,
  sweep: SlowSweep,
  { position, signal }: { position: string; signal: AbortSignal },
): Promise<NextStep> {
  try {
    return await sweep.step(ctx, position, signal);
  } catch (error) {
    if (signal.aborted || isAwayForAll(error)) throw error;
    sweepFailures.inc({ sweep: sweep.name });
    const isTriedAgain = sweep.isOnce === true || (sweep.next === undefined && isDatabaseAway(error));
    log.error(`a step of a sweep failed and is ${isTriedAgain ? 'tried again' : 'passed over'}`, {
      sweep: sweep.name,
      position,
      error,
    });
    const next = isTriedAgain ? position : (sweep.next?.(position) ?? '');
    return { position: next, pauseMs: Math.min(sweep.passMs, 60_000) };
  }
}
