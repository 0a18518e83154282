import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { pause } from '@selvage/core/pause';
import { readDueFiles } from '@selvage/core/search/read-files';

/** How often a process without work looks for it, and how long it waits after a failure. */
const idleMs = 2000;
const longestRestMs = 5000;

/** Indexes attached files for the search. */
export interface FileIndexer {
  close(): Promise<void>;
}

/**
 * Indexes the attached files of messages whose own text is in the index. After each message it
 * rests for as long as it has worked, five seconds at most, so that it takes about half of one
 * core.
 */
export function startFileIndexer(app: App): FileIndexer {
  const ended = new AbortController();
  const loop = readFiles(app, ended.signal);
  return {
    close: async () => {
      ended.abort();
      await loop;
    },
  };
}

async function readFiles(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const hasRead = await readOne(app, signal);
    await pause(hasRead ? Math.min(longestRestMs, performance.now() - startedAt) : idleMs, signal);
  }
}

async function readOne(app: App, signal: AbortSignal): Promise<boolean> {
  try {
    return await readDueFiles(systemContext(app));
  } catch (error) {
    if (!signal.aborted) log.warn('the files of a mailbox could not be read for the search', { error });
    return false;
  }
}
