import type { App } from '@selvage/core/context/app';
import { log } from '@selvage/core/log';
import { blobFolders } from '@selvage/core/mailstore/blob-store';
import { checkContents } from '@selvage/core/mailstore/check-contents';
import { compareFolder } from '@selvage/core/mailstore/compare-blobs';
import { dayMs, hourMs } from '@selvage/core/utc-day';
import { nextOf, type SlowSweep } from './slow-sweep.ts';

/** The folders of blobs, and after them the folder of unfinished files. */
const blobPlaces = [...blobFolders, 'tmp'];

/** Compares the bytes in the store with the rows that refer to them, in both directions. */
export function blobsSweep({ config }: App): SlowSweep {
  const passMs = config.blobSweepHours * hourMs;
  const orphanAgeMs = config.blobOrphanHours * hourMs;
  const next = nextOf(blobPlaces);
  return {
    name: 'blobs',
    passMs,
    next,
    step: async (ctx, position, signal) => {
      const place = position || '00';
      if (place === 'tmp') await ctx.app.blobs.removeUnfinished();
      else {
        const { removed } = await compareFolder(ctx, place, { orphanAgeMs, signal });
        if (removed > 0) log.info('sweep removed bytes that nothing refers to', { folder: place, blobs: removed });
      }
      return { position: next(place), pauseMs: passMs / blobPlaces.length };
    },
  };
}

/** The prefixes of blob keys. A step reads the blobs of one prefix, which are one in 4096. */
const contentPrefixes = blobFolders.flatMap((folder) => [...'0123456789abcdef'].map((digit) => folder + digit));

/** Reads all blobs, and reports those whose bytes are not what was stored. */
export function contentsSweep(days: number): SlowSweep {
  const passMs = days * dayMs;
  const next = nextOf(contentPrefixes);
  return {
    name: 'contents',
    passMs,
    next,
    step: async (ctx, position, signal) => {
      const prefix = position || '000';
      await checkContents(ctx, prefix, signal);
      return { position: next(prefix), pauseMs: passMs / contentPrefixes.length };
    },
  };
}
