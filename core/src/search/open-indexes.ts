import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { IndexFile, OtherVersion } from '../search-index/index-file.ts';
import { indexPath, nextGeneration, removeIndex } from '../search-index/index-path.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';

/** An open file takes three descriptors and some memory. */
const openFiles = 100;

type Runners = { [Task in keyof SearchTasks]: (input: SearchTasks[Task]['input']) => SearchTasks[Task]['output'] };

/** The indexes that a thread or a process of the search holds open. All calls are synchronous. */
export class OpenIndexes {
  readonly #directory: string;
  /** The one that was used last stands at the end. */
  readonly #open = new Map<string, IndexFile>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Does a task; a failure is an answer too. */
  answer({ task, input }: ThreadRequest): ThreadAnswer {
    try {
      const run = this.#runners[task as keyof Runners] as (input: unknown) => unknown;
      return { kind: 'done', result: run(input) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { kind: 'failed', message, code: code ?? '' };
    }
  }

  readonly #runners: Runners = {
    state: ({ userId }) => this.#withIndex(userId, (index) => index.state()),
    known: ({ userId, ids }) => this.#withIndex(userId, (index) => index.known(ids)),
    change: ({ userId, change }) => this.#withIndex(userId, (index) => index.change(change)),
    find: ({ userId, wanted }) => this.#withIndex(userId, (index) => index.find(wanted)),
    takeFiles: ({ userId, budget }) => this.#withIndex(userId, (index) => index.takeFiles(budget)),
    noteFiles: ({ userId, read }) => {
      this.#withIndex(userId, (index) => index.noteFiles(read));
      return null;
    },
    clear: ({ userId }) => {
      this.#withIndex(userId, (index) => index.clear());
      return null;
    },
  };

  /**
   * Works on the index of a mailbox. In place of one that can't be read, another is begun, once.
   */
  #withIndex<T>(userId: string, work: (index: IndexFile) => T): T {
    let path = indexPath(this.#directory, userId);
    try {
      const index = this.#indexOf(userId);
      ({ path } = index);
      return work(index);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#close(userId);
      const index = this.#use(userId, new IndexFile(nextGeneration(this.#directory, { userId, path })));
      removeIndex(path);
      return work(index);
    }
  }

  #indexOf(userId: string): IndexFile {
    const known = this.#open.get(userId);
    // Another process has removed it: the person is gone, or it could not be read
    if (known && !existsSync(known.path)) this.#close(userId);
    return this.#use(userId, this.#open.get(userId) ?? this.#openNew(indexPath(this.#directory, userId)));
  }

  /** Remembers the index as the one that was used last, and closes the one that rested longest. */
  #use(userId: string, index: IndexFile): IndexFile {
    this.#open.delete(userId);
    this.#open.set(userId, index);
    const [oldest] = this.#open.keys();
    if (this.#open.size > openFiles && oldest !== undefined) this.#close(oldest);
    return index;
  }

  #openNew(path: string): IndexFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return new IndexFile(path);
  }

  #close(userId: string): void {
    this.#open.get(userId)?.close();
    this.#open.delete(userId);
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://www.sqlite.org/rescode.html), or a foreign version. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof OtherVersion) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}
