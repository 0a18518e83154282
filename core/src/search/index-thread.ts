import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { IndexFile, OtherVersion } from '../search-index/index-file.ts';
import { indexPath, nextGeneration, removeIndex } from '../search-index/index-path.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';

/** What a search thread is told when it starts. */
export interface SearchThreadSettings {
  directory: string;
}

/** An open file takes three descriptors and some memory. */
const openFiles = 100;

const { directory } = workerData as SearchThreadSettings;
/** The one that was used last stands at the end. */
const open = new Map<string, IndexFile>();

type Runners = { [Task in keyof SearchTasks]: (input: SearchTasks[Task]['input']) => SearchTasks[Task]['output'] };

const runners: Runners = {
  state: ({ userId }) => withIndex(userId, (index) => index.state()),
  known: ({ userId, ids }) => withIndex(userId, (index) => index.known(ids)),
  change: ({ userId, change }) => withIndex(userId, (index) => index.change(change)),
  find: ({ userId, wanted }) => withIndex(userId, (index) => index.find(wanted)),
  takeFiles: ({ userId, budget }) => withIndex(userId, (index) => index.takeFiles(budget)),
  noteFiles: ({ userId, read }) => {
    withIndex(userId, (index) => index.noteFiles(read));
    return null;
  },
  clear: ({ userId }) => {
    withIndex(userId, (index) => index.clear());
    return null;
  },
};

/** Works on the index of a mailbox. In place of one that can't be read, another is begun, once. */
function withIndex<T>(userId: string, work: (index: IndexFile) => T): T {
  let path = indexPath(directory, userId);
  try {
    const index = indexOf(userId);
    ({ path } = index);
    return work(index);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    close(userId);
    const index = use(userId, new IndexFile(nextGeneration(directory, { userId, path })));
    removeIndex(path);
    return work(index);
  }
}

function indexOf(userId: string): IndexFile {
  const known = open.get(userId);
  // Another process has removed it: the person is gone, or it could not be read
  if (known && !existsSync(known.path)) close(userId);
  return use(userId, open.get(userId) ?? openNew(indexPath(directory, userId)));
}

/** Remembers the index as the one that was used last, and closes the one that rested longest. */
function use(userId: string, index: IndexFile): IndexFile {
  open.delete(userId);
  open.set(userId, index);
  const [oldest] = open.keys();
  if (open.size > openFiles && oldest !== undefined) close(oldest);
  return index;
}

function openNew(path: string): IndexFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return new IndexFile(path);
}

function close(userId: string): void {
  open.get(userId)?.close();
  open.delete(userId);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://www.sqlite.org/rescode.html), or a foreign version. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof OtherVersion) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}

function answer({ task, input }: ThreadRequest): ThreadAnswer {
  try {
    const run = runners[task as keyof Runners] as (input: unknown) => unknown;
    return { kind: 'done', result: run(input) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { kind: 'failed', message, code: code ?? '' };
  }
}

const port = parentPort;
if (!port) throw new Error('this file runs in a thread');
port.on('message', (request: ThreadRequest) => port.postMessage(answer(request)));
port.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
