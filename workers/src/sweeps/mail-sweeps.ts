import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { isAwayForAll } from '@selvage/core/database/database-errors';
import { log } from '@selvage/core/log';
import { mendLabels } from '@selvage/core/mailstore/check-labels';
import { checkStorage, mendStorage, type WrongFigure } from '@selvage/core/mailstore/check-storage';
import { mendThreads } from '@selvage/core/mailstore/check-threads';
import { mendTotals } from '@selvage/core/mailstore/check-totals';
import { emptyOldJunk } from '@selvage/core/mailstore/empty-junk';
import { forgetRemoved } from '@selvage/core/mailstore/forget-removed';
import { removeUnusedMessages } from '@selvage/core/mailstore/unused-messages';
import { keepIndex, mailboxesAfter, removeLostIndexes } from '@selvage/core/search/keep-indexes';
import { restAfter } from '@selvage/core/sweeps/rest';
import { cutoffOf } from '@selvage/core/sweeps/retention';
import { workThrough } from '@selvage/core/sweeps/work-through';
import { dayMs, hourMs } from '@selvage/core/utc-day';
import type { SlowSweep } from './slow-sweep.ts';

/**
 * Removes messages that no mailbox has. A pass goes over all messages, with a rest after each step
 * and no other pause.
 */
export function messagesSweep({ config }: App): SlowSweep {
  const passMs = config.blobSweepHours * hourMs;
  return {
    name: 'messages',
    passMs,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const { last, removed } = await removeUnusedMessages(ctx, position || '0', signal);
      if (removed > 0) log.info('sweep removed messages that no person has', { messages: removed });
      await restAfter(startedAt, signal);
      return last === null ? { position: '', pauseMs: passMs } : { position: last, pauseMs: 0 };
    },
  };
}

/**
 * The prefix of a position among the labels, which follow the folders. Both positions are ids, so
 * the prefix tells them apart.
 */
const labelsPlace = 'labels/';

/**
 * Compares the stored bytes, totals and conversations of all folders, and the stored counts of all
 * labels, with what is there, and corrects those that are wrong. Between two passes it waits for
 * `blobSweepHours`.
 */
export function storageSweep({ config }: App): SlowSweep {
  const passMs = config.blobSweepHours * hourMs;
  return {
    name: 'storage',
    passMs,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      if (position.startsWith(labelsPlace)) {
        const last = await mendLabels(ctx, position.slice(labelsPlace.length) || '0', signal);
        await restAfter(startedAt, signal);
        return last === null ? { position: '', pauseMs: passMs } : { position: labelsPlace + last, pauseMs: 0 };
      }
      const { last, wrong } = await checkStorage(ctx, position || '0', signal);
      await mendFigures(ctx, wrong, signal);
      await mendTotals(ctx, position || '0', signal);
      await mendThreads(ctx, position || '0', signal);
      await restAfter(startedAt, signal);
      return { position: last ?? labelsPlace, pauseMs: 0 };
    },
  };
}

async function mendFigures(ctx: Ctx, wrong: readonly WrongFigure[], signal: AbortSignal): Promise<void> {
  const byFolder = new Map(wrong.map((figure) => [figure.folderId, figure]));
  const mend = async (folderId: string): Promise<boolean> => {
    const figure = byFolder.get(folderId);
    if (!figure) return false;
    log.error('the stored bytes of a folder were wrong and are corrected', { ...figure });
    await mendStorage(ctx, figure);
    return true;
  };
  await workThrough([...byFolder.keys()], mend, { failure: 'the bytes of a folder could not be mended', signal });
}

/** How long one step works on one mailbox. A large mailbox without an index takes several steps. */
const indexMs = 60_000;
const mailboxesOfStep = 20;

/**
 * Visits every mailbox about once an hour. Builds missing search indexes, indexes changes of which
 * no notice arrived, and removes the indexes of people who were deleted.
 */
export function searchSweep(): SlowSweep {
  return {
    name: 'search',
    passMs: hourMs,
    step: async (ctx, position, signal) => {
      const people = await mailboxesAfter(ctx, position || '0', mailboxesOfStep);
      for (const [index, userId] of people.entries()) {
        const isDone = await indexOrSkip(ctx, userId, signal);
        if (!isDone) return { position: people[index - 1] ?? position, pauseMs: 0 };
      }
      const last = people.at(-1);
      if (last !== undefined) return { position: last, pauseMs: 0 };
      const removed = await removeLostIndexes(ctx, signal);
      if (removed > 0) log.info('sweep removed search indexes of people who are gone', { indexes: removed });
      return { position: '', pauseMs: hourMs };
    },
  };
}

/**
 * Indexes one mailbox. A mailbox that can't be indexed, for example because a part of the disk is
 * broken, is logged and passed over, so that it does not hold up the others.
 * @returns false when the mailbox needs another step
 */
async function indexOrSkip(ctx: Ctx, userId: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await keepIndex(ctx, userId, { longestMs: indexMs, signal });
  } catch (error) {
    if (signal.aborted || isAwayForAll(error)) throw error;
    log.error('a mailbox could not be indexed', { userId, error });
    return true;
  }
}

/** Deletes old mail in Junk once a day, at most the oldest week of each folder. */
export function junkSweep({ config: { keptDays } }: App): SlowSweep {
  return {
    name: 'junk',
    passMs: dayMs,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const cutoff = await cutoffOf(ctx, { days: keptDays.junk });
      if (cutoff === null) return { position: '', pauseMs: dayMs };
      const { last, removed } = await emptyOldJunk(ctx, { after: position || '0', cutoff, signal });
      if (removed > 0) log.info('sweep deleted old mail in Junk', { entries: removed });
      await restAfter(startedAt, signal);
      return last === null ? { position: '', pauseMs: dayMs } : { position: last, pauseMs: 0 };
    },
  };
}

/**
 * How many days the UIDs of removed entries are kept. A mail program that was offline for longer
 * has to compare the whole folder.
 */
const removedUidsDays = 100;

export function removedUidsSweep(): SlowSweep {
  return {
    name: 'removed_uids',
    passMs: dayMs,
    step: async (ctx, _position, signal) => {
      const before = await cutoffOf(ctx, { days: removedUidsDays });
      const uids = before === null ? 0 : await forgetRemoved(ctx, { before, signal });
      if (uids > 0) log.info('sweep forgot UIDs that left their folders long ago', { uids });
      return { position: '', pauseMs: dayMs };
    },
  };
}
