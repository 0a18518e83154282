import type { SearchIndexes } from '../context/app.ts';
import { TaskThread, type ThreadLimits } from '../content/task-thread.ts';
import { AppError, unavailable } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { log } from '../log.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { SearchThreadSettings } from './index-thread.ts';

const entry = new URL('./index-thread.ts', import.meta.url);
/** A question over a million messages takes a tenth of a second, a batch of new ones up to one. */
const limits = { cpuSeconds: 20, wallSeconds: 60, memoryMegabytes: 256, bufferMegabytes: 256 } as const;
const waiting = 500;
const idleMs = 300_000;

interface Lane {
  turns: FairQueue;
  thread: TaskThread | null;
  idle: NodeJS.Timeout | null;
}

/** How the searching of a process is set up. */
interface SearchSettings extends SearchThreadSettings {
  threads: number;
  /** Memory that one of them has for its own objects. */
  memoryMegabytes?: number;
}

/**
 * The search indexes of this process, in threads, since SQLite answers synchronously. A mailbox is
 * always in the same thread, which keeps its file open. A thread starts when it is needed and ends
 * after five minutes without work.
 */
export class SearchThreads implements SearchIndexes {
  readonly #settings: SearchThreadSettings;
  readonly #limits: ThreadLimits;
  readonly #lanes: Lane[];

  constructor({ directory, threads, memoryMegabytes = limits.memoryMegabytes }: SearchSettings) {
    this.#settings = { directory };
    this.#limits = { ...limits, memoryMegabytes };
    this.#lanes = Array.from({ length: threads }, () => ({
      turns: new FairQueue({ atOnce: 1, waiting }),
      thread: null,
      idle: null,
    }));
  }

  async run<Task extends keyof SearchTasks>(
    task: Task,
    input: SearchTasks[Task]['input'],
  ): Promise<SearchTasks[Task]['output']> {
    const lane = this.#laneOf(input.userId);
    return await lane.turns.run(input.userId, async () => {
      const thread = this.#threadOf(lane);
      try {
        return (await thread.run({ task, input })) as SearchTasks[Task]['output'];
      } catch (error) {
        log.error('a search index could not be used', { task, userId: input.userId, error });
        throw unavailable('a search index could not be used', error);
      } finally {
        this.#rest(lane);
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#lanes.map(async ({ thread, idle }) => {
        if (idle) clearTimeout(idle);
        await thread?.end();
      }),
    );
  }

  #laneOf(userId: string): Lane {
    const lane = this.#lanes[Number(BigInt(userId) % BigInt(this.#lanes.length))];
    if (lane === undefined) throw new Error('there are no search threads');
    return lane;
  }

  #threadOf(lane: Lane): TaskThread {
    if (lane.idle) clearTimeout(lane.idle);
    lane.idle = null;
    if (lane.thread === null || lane.thread.isOver) lane.thread = new TaskThread(entry, this.#settings, this.#limits);
    return lane.thread;
  }

  #rest(lane: Lane): void {
    lane.idle = setTimeout(() => {
      const { thread } = lane;
      lane.thread = null;
      lane.idle = null;
      void thread?.end();
    }, idleMs);
    lane.idle.unref();
  }
}

/** Says whether a task ended since it took more time or memory than a thread has. */
export function isTooDear(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof MessageTooComplex;
}
