import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { isDatabaseAway } from '@selvage/core/database/database-errors';
import { noteEarlierLooks } from '@selvage/core/directory/correspondent-looks';
import { noteEarlierWriting } from '@selvage/core/directory/correspondents';
import { goOnWithErasures } from '@selvage/core/directory/left-erasures';
import { restAfter } from '@selvage/core/sweeps/rest';
import { cutoffOf, deleteOldRows, type KeptTable, keptTables } from '@selvage/core/sweeps/retention';
import { type NextStep, type SweepName, takeStep } from '@selvage/core/sweeps/take-step';
import { proveNextSlice } from '@selvage/core/ledger/prove-days';
import { log } from '@selvage/core/log';
import { keepIndex, mailboxesBehind, removeLostIndexes } from '@selvage/core/search/keep-indexes';
import { blobFolders } from '@selvage/core/mailstore/blob-store';
import { checkContents } from '@selvage/core/mailstore/check-contents';
import { mendLabels } from '@selvage/core/mailstore/check-labels';
import { checkStorage, mendStorage } from '@selvage/core/mailstore/check-storage';
import { mendThreads } from '@selvage/core/mailstore/check-threads';
import { mendTotals } from '@selvage/core/mailstore/check-totals';
import { emptyOldJunk } from '@selvage/core/mailstore/empty-junk';
import { countCompanies } from '@selvage/core/mailstore/count-companies';
import { goOnWithRemovals } from '@selvage/core/mailstore/left-removals';
import { forgetRemoved } from '@selvage/core/mailstore/forget-removed';
import { compareFolder } from '@selvage/core/mailstore/compare-blobs';
import { removeUnusedMessages } from '@selvage/core/mailstore/unused-messages';
import { pause, type Sweep } from './sweeps.ts';

/** A sweep in steps, of which one process at a time takes one. */
interface SlowSweep {
  name: SweepName;
  /** How long one pass over everything takes. */
  passMs: number;
  step: (ctx: Ctx, position: string, signal: AbortSignal) => Promise<NextStep>;
  /**
   * The walk is made once and must leave nothing out: a step that fails is repeated a minute later.
   */
  isOnce?: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The sweeps over all stored messages, all stored bytes and all old rows. They spread their work
 * over their time, rest after each piece, and need no Redis.
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

/** Takes steps until none is due for some time, or another process has taken one. */
async function takeDueSteps(app: App, sweep: SlowSweep, signal: AbortSignal): Promise<void> {
  const ctx = systemContext(app);
  const { name, passMs: longestPauseMs } = sweep;
  while (!signal.aborted) {
    const work = (position: string) => attempt(ctx, sweep, { position, signal });
    const pauseMs = await takeStep(ctx, { name, longestPauseMs }, work);
    if (pauseMs === null || pauseMs > app.config.sweepSeconds * 1000) return;
    await pause(pauseMs, signal);
  }
}

/** A step that fails by itself, as over a broken part of the disk, does not hold up the others. */
async function attempt(
  ctx: Ctx,
  sweep: SlowSweep,
  { position, signal }: { position: string; signal: AbortSignal },
): Promise<NextStep> {
  try {
    return await sweep.step(ctx, position, signal);
  } catch (error) {
    if (signal.aborted || isDatabaseAway(error)) throw error;
    log.error(`a step of a sweep failed and is ${sweep.isOnce ? 'tried again' : 'passed over'}`, {
      sweep: sweep.name,
      position,
      error,
    });
    const next = sweep.isOnce ? position : after(sweep.name, position);
    return { position: next, pauseMs: Math.min(sweep.passMs, 60_000) };
  }
}

/** One pass goes from the first message to the last without a pause, but with its rests. */
function messagesSweep({ config }: App): SlowSweep {
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

/** Behind the folders come the labels: their places are ids too. */
const labelsPlace = 'labels/';

/**
 * The kept bytes, totals and conversations of all folders, and the counts of all labels, are
 * compared with a count within a day; wrong ones are mended.
 */
function storageSweep({ config }: App): SlowSweep {
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
      for (const figure of wrong) {
        log.error('the kept bytes of a folder were wrong and are counted anew', { ...figure });
        await mendStorage(ctx, figure);
      }
      await mendTotals(ctx, position || '0', signal);
      await mendThreads(ctx, position || '0', signal);
      await restAfter(startedAt, signal);
      return { position: last ?? labelsPlace, pauseMs: 0 };
    },
  };
}

/** How long one mailbox may hold up those behind it; a large new one takes several steps. */
const indexMs = 60_000;
const mailboxesOfStep = 20;

/**
 * Looks at every mailbox within the hour: builds the search indexes that are missing, follows the
 * changes that no notice has told, and removes what is left of people who are gone.
 */
function searchSweep(): SlowSweep {
  return {
    name: 'search',
    passMs: hourMs,
    step: async (ctx, position, signal) => {
      const people = await mailboxesBehind(ctx, position || '0', mailboxesOfStep);
      for (const [index, userId] of people.entries()) {
        const isDone = await keepIndex(ctx, userId, { longestMs: indexMs, signal });
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

/** After the last folder comes the one of unfinished files. */
const blobPlaces = [...blobFolders, 'tmp'];

function blobsSweep({ config }: App): SlowSweep {
  const passMs = config.blobSweepHours * hourMs;
  const orphanAgeMs = config.blobOrphanHours * hourMs;
  return {
    name: 'blobs',
    passMs,
    step: async (ctx, position, signal) => {
      const place = position || '00';
      if (place === 'tmp') await ctx.app.blobs.removeUnfinished();
      else {
        const { removed } = await compareFolder(ctx, place, { orphanAgeMs, signal });
        if (removed > 0) log.info('sweep removed bytes that nothing refers to', { folder: place, blobs: removed });
      }
      return { position: after('blobs', place), pauseMs: passMs / blobPlaces.length };
    },
  };
}

/** A step reads the blobs of one key in 4096. */
const contentPrefixes = blobFolders.flatMap((folder) => [...'0123456789abcdef'].map((digit) => folder + digit));

function contentsSweep(days: number): SlowSweep {
  const passMs = days * dayMs;
  return {
    name: 'contents',
    passMs,
    step: async (ctx, position, signal) => {
      const prefix = position || '000';
      await checkContents(ctx, prefix, signal);
      return { position: after('contents', prefix), pauseMs: passMs / contentPrefixes.length };
    },
  };
}

function retentionSweep({ config: { keptDays } }: App): SlowSweep {
  const days: Record<KeptTable, number> = {
    deliveries: keptDays.ledger,
    audit_events: keptDays.audit,
    domain_changes: keptDays.audit,
    sessions: keptDays.session,
    one_time_links: keptDays.session,
    // Twice the days in which a sender is told once: nothing asks for older ones
    vacation_replies: 14,
  };
  return {
    name: 'retention',
    passMs: dayMs,
    step: async (ctx, position, signal) => {
      const table = keptTables.find((name) => name === position) ?? 'deliveries';
      const rows = await deleteOldRows(ctx, table, { days: days[table], signal });
      if (rows > 0) log.info('sweep deleted old rows', { table, rows });
      const next = after('retention', table);
      return { position: next, pauseMs: next === keptTables[0] ? dayMs : 0 };
    },
  };
}

/** Mail that has been in Junk for long is deleted within a day. */
function junkSweep({ config: { keptDays } }: App): SlowSweep {
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

function removedUidsSweep(): SlowSweep {
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

/** How soon a day that is over, or a proof that is due again, is seen. */
const proofPauseMs = 10 * 60_000;

/** Each day is proved the night after it, a slice a step (D64). */
function ledgerSweep(): SlowSweep {
  return {
    name: 'ledger',
    passMs: hourMs,
    step: async (ctx, _position, signal) => {
      const startedAt = performance.now();
      const isMore = await proveNextSlice(ctx);
      await restAfter(startedAt, signal);
      return { position: '', pauseMs: isMore ? 0 : proofPauseMs };
    },
  };
}

/** Counts within the hour what each company has stored, for the home page of the provider. */
function companiesSweep(): SlowSweep {
  return {
    name: 'companies',
    passMs: hourMs,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const last = await countCompanies(ctx, position || '0', signal);
      await restAfter(startedAt, signal);
      return last === null ? { position: '', pauseMs: hourMs } : { position: last, pauseMs: 0 };
    },
  };
}

/** How soon a deletion whose job was lost is gone on with. */
const removalsPauseMs = 30_000;

/** Goes on with what was deleted and whose job was lost: folders, labels, people and companies. */
function removalsSweep(): SlowSweep {
  return {
    name: 'removals',
    passMs: removalsPauseMs,
    step: async (ctx, _position, signal) => {
      const removals = await goOnWithRemovals(ctx, signal);
      const erasures = await goOnWithErasures(ctx, signal);
      if (removals + erasures > 0) log.info('sweep went on with deletions', { removals, erasures });
      return { position: '', pauseMs: removalsPauseMs };
    },
  };
}

/**
 * Notes once to whom messages were sent before that was noted with each of them (D75), or which
 * domains those had (D42).
 */
function onceSweep(name: SweepName, note: (ctx: Ctx, position: string) => Promise<string | null>): SlowSweep {
  return {
    name,
    passMs: dayMs,
    isOnce: true,
    step: async (ctx, position, signal) => {
      const startedAt = performance.now();
      const next = await note(ctx, position);
      await restAfter(startedAt, signal);
      return next === null ? { position: '', pauseMs: dayMs } : { position: next, pauseMs: 0 };
    },
  };
}

/** The place that follows another; the first one after the last. Walks over rows begin again. */
function after(name: SweepName, position: string): string {
  const places = {
    messages: [''],
    storage: [''],
    junk: [''],
    search: [''],
    ledger: [''],
    companies: [''],
    removals: [''],
    removed_uids: [''],
    correspondents: [''],
    correspondent_looks: [''],
    blobs: blobPlaces,
    contents: contentPrefixes,
    retention: keptTables,
  }[name];
  const index = (places as readonly string[]).indexOf(position);
  return places[(index + 1) % places.length] ?? '';
}
