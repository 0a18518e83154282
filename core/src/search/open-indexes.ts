import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { IndexFile, OtherVersion } from '../search-index/index-file.ts';
import { indexPath, nextGeneration, removeIndex } from '../search-index/index-path.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';

/** The most open files. Each takes three descriptors and some memory. */
const openFiles = 100;

type Runners = { [Task in keyof SearchTasks]: (input: SearchTasks[Task]['input']) => SearchTasks[Task]['output'] };

/** The indexes that are open in a thread or a process of the search. All calls are synchronous. */
export class OpenIndexes {
  readonly #directory: string;
  /** In the order of their last use; the latest one is at the end. */
  readonly #open = new Map<string, IndexFile>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Does a task and returns its result. A failure is returned as well, and not thrown. */
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
    returnFiles: ({ userId, returned }) => {
      this.#withIndex(userId, (index) => index.returnFiles(returned));
      return null;
    },
    noteFiles: ({ userId, read }) => {
      this.#withIndex(userId, (index) => index.noteFiles(read));
      return null;
    },
    clear: ({ userId }) => {
      this.#withIndex(userId, (index) => index.clear());
      return null;
    },
  };

  /** Works on the index of a mailbox. If the index can't be read, a new one is begun, once. */
  #withIndex<T>(userId: string, work: (index: IndexFile) => T): T {
    let path = indexPath(this.#directory, userId);
    try {
      const index = this.#indexOf(userId);
      ({ path } = index);
      return work(index);
    } catch (error) {
      if (!isIndexUnreadable(error)) throw error;
      this.#close(userId);
      const index = this.#use(userId, new IndexFile(nextGeneration(this.#directory, { userId, path })));
      removeIndex(path);
      return work(index);
    }
  }

  #indexOf(userId: string): IndexFile {
    const known = this.#open.get(userId);
    // Another process may have removed the file: the person was deleted, or the index could not be
    // read
    if (known && !existsSync(known.path)) this.#close(userId);
    return this.#use(userId, this.#open.get(userId) ?? this.#openNew(indexPath(this.#directory, userId)));
  }

  /**
   * Marks the index as the last used one, and closes the least recently used one if too many are
   * open.
   */
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

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://www.sqlite.org/rescode.html), or another version. */
function isIndexUnreadable(error: unknown): boolean {
  if (error instanceof OtherVersion) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}
