import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
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

/** One pass goes from the first message to the last without a pause, but with its rests. */
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

/** After the folders come the labels: their places are ids too. */
const labelsPlace = 'labels/';

/**
 * The kept bytes, totals and conversations of all folders, and the counts of all labels, are
 * compared with a count within a day; wrong ones are mended.
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
    log.error('the kept bytes of a folder were wrong and are counted anew', { ...figure });
    await mendStorage(ctx, figure);
    return true;
  };
  await workThrough([...byFolder.keys()], mend, { failure: 'the bytes of a folder could not be mended', signal });
}

/** How long one mailbox may hold up those behind it; a large new one takes several steps. */
const indexMs = 60_000;
const mailboxesOfStep = 20;

/**
 * Looks at every mailbox within the hour: builds the search indexes that are missing, follows the
 * changes that no notice has told, and removes what is left of people who are gone.
 */
export function searchSweep(): SlowSweep {
  return {
    name: 'search',
    passMs: hourMs,
    step: async (ctx, position, signal) => {
      const people = await mailboxesAfter(ctx, position || '0', mailboxesOfStep);
      for (const [index, userId] of people.entries()) {
        const isDone = await keepOrPass(ctx, userId, signal);
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

/** A mailbox that can't be indexed, as over a broken part of the disk, holds up no other. */
async function keepOrPass(ctx: Ctx, userId: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await keepIndex(ctx, userId, { longestMs: indexMs, signal });
  } catch (error) {
    if (signal.aborted || isDatabaseAway(error)) throw error;
    log.error('a mailbox could not be indexed', { userId, error });
    return true;
  }
}

/** Mail that has been in Junk for long is deleted within a day, a week of it at most each day. */
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

/** A mail program that was away for longer compares the whole folder. */
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
