import type { SearchIndexes } from '../context/app.ts';
import { TaskThread, type ThreadLimits, type WorkLimits } from '../content/task-thread.ts';
import { AppError, unavailable } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { log } from '../log.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { SearchThreadSettings } from './index-thread.ts';

const entry = new URL('./index-thread.ts', import.meta.url);
/** A batch of new messages takes up to a second. */
const limits = { cpuSeconds: 20, wallSeconds: 60, memoryMegabytes: 256, bufferMegabytes: 256 } as const;
/** A question over a million messages takes a tenth of a second. */
const ofQuestion = { cpuSeconds: 5, wallSeconds: 10 } as const;
/**
 * How long a person whose question took too long can ask nothing more. Nothing stops SQLite in the
 * middle of a statement, so the thread that was given up still takes a core.
 */
const restMs = 60_000;
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
  /** Bounds of one question. */
  question?: WorkLimits;
}

/**
 * The search indexes of this process, in threads, since SQLite answers synchronously. A mailbox is
 * always in the same thread, which keeps its file open. A thread starts when it is needed and ends
 * after five minutes without work.
 */
export class SearchThreads implements SearchIndexes {
  readonly #settings: SearchThreadSettings;
  readonly #limits: ThreadLimits;
  readonly #ofQuestion: WorkLimits;
  readonly #lanes: Lane[];
  /** People whose question took too long, and when they may ask again. */
  readonly #resting = new Map<string, number>();

  constructor({ directory, threads, memoryMegabytes = limits.memoryMegabytes, question = ofQuestion }: SearchSettings) {
    this.#settings = { directory };
    this.#ofQuestion = question;
    this.#limits = { ...limits, memoryMegabytes };
    this.#lanes = Array.from({ length: threads }, () => ({
      turns: new FairQueue({ atOnce: 1, waiting }),
      thread: null,
      idle: null,
    }));
  }

  /**
   * @throws AppError 422 `search_too_long` for a question that takes too long, and for those that
   *   the person asks in the minute behind it
   * @throws AppError unavailable when the index can't be used
   */
  async run<Task extends keyof SearchTasks>(
    task: Task,
    input: SearchTasks[Task]['input'],
  ): Promise<SearchTasks[Task]['output']> {
    const lane = this.#laneOf(input.userId);
    return await lane.turns.run(input.userId, async () => {
      if (task === 'find') this.#refuseResting(input.userId);
      const thread = this.#threadOf(lane);
      try {
        const own = task === 'find' ? this.#ofQuestion : {};
        return (await thread.run({ task, input }, own)) as SearchTasks[Task]['output'];
      } catch (error) {
        log.error('a search index could not be used', { task, userId: input.userId, error });
        if (task === 'find' && thread.isOver) {
          this.#resting.set(input.userId, Date.now() + restMs);
          throw tooLong(error);
        }
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

  #refuseResting(userId: string): void {
    for (const [resting, until] of this.#resting) if (until <= Date.now()) this.#resting.delete(resting);
    if (this.#resting.has(userId)) throw tooLong();
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

function tooLong(cause?: unknown): AppError {
  return new AppError({
    status: 422,
    code: 'search_too_long',
    publicText: 'This search takes too long. Wait a minute, and search for fewer or longer words.',
    cause,
  });
}

/** Says whether a task ended since it took more time or memory than a thread has. */
export function isTooDear(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof MessageTooComplex;
}
