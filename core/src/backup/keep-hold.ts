import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { log } from '../log.ts';
import {
  holdSeconds,
  mostAhead,
  releaseRemovalHold,
  renewRemovalHold,
  takeRemovalHold,
} from '../mailstore/removal-hold.ts';
import { OperatorError } from '../operator-error.ts';
import type { Progress } from './progress.ts';

const renewMs = 15_000;
const fellSilent = `the database has not answered for ${holdSeconds} seconds, so bytes may have been removed meanwhile; try again`;
const askMs = 1000;

/**
 * Runs work while no bytes are removed from the host. `confirm` throws when the hold lapsed in
 * between. The signal aborts as soon as that is known.
 */
export async function whileRemovalsHeld<T>(
  target: DatabaseTarget,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
  work: (hold: { signal: AbortSignal; confirm: () => Promise<void> }) => Promise<T>,
): Promise<T> {
  const claimId = randomBytes(12).toString('hex');
  await take(target, claimId, { progress, signal });
  const lost = new AbortController();
  let renewedAt = performance.now();
  const confirm = async () => {
    const askedAt = performance.now();
    if (await renewRemovalHold(target, claimId)) {
      renewedAt = askedAt;
      return;
    }
    throw new OperatorError(
      'the database was away for too long or its clock was put back, so bytes may have been removed meanwhile; try again',
    );
  };
  const timer = setInterval(() => {
    // A database that has fallen silent answers no renewal, and the tool that reads it waits too
    if (performance.now() - renewedAt > holdSeconds * 1000) lost.abort(new OperatorError(fellSilent));
    else void renew(confirm, lost);
  }, renewMs);
  try {
    return await work({ signal: AbortSignal.any([signal, lost.signal]), confirm });
  } finally {
    clearInterval(timer);
    await release(target, claimId);
  }
}

/**
 * Takes the hold. A hold that is no longer renewed is that of a killed backup, so this waits until
 * it ends.
 */
async function take(
  target: DatabaseTarget,
  claimId: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + (mostAhead + 5) * 1000;
  for (let isFirst = true; !(await takeRemovalHold(target, claimId)); isFirst = false) {
    if (Date.now() > deadline) throw new OperatorError('another backup of this host is running');
    if (isFirst) progress.say(`another backup is running or was killed; waiting up to ${mostAhead} s for its end`);
    await wait(askMs, undefined, { signal });
  }
}

async function renew(confirm: () => Promise<void>, lost: AbortController): Promise<void> {
  try {
    await confirm();
  } catch (error) {
    if (error instanceof OperatorError) lost.abort(error);
    // The database may be back before the hold ends
    else log.warn('the hold of removals could not be renewed', { error });
  }
}

async function release(target: DatabaseTarget, claimId: string): Promise<void> {
  try {
    await releaseRemovalHold(target, claimId);
  } catch (error) {
    log.warn('the hold of removals ends by itself', { error });
  }
}
