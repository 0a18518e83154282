import type { SearchIndexes } from '../context/app.ts';
import { TaskThread, type ThreadLimits } from '../content/task-thread.ts';
import { AppError, unavailable } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { log } from '../log.ts';
import type { ThreadRequest } from '../content/thread-messages.ts';
import type { SearchTasks } from '../search-index/index-messages.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { SearchThreadSettings } from './index-thread.ts';
import { QuestionProcess, QuestionTooLong } from './question-process.ts';

const entry = new URL('./index-thread.ts', import.meta.url);
/** The limits of the threads. A batch of new messages takes up to a second. */
const limits = { cpuSeconds: 20, wallSeconds: 60, memoryMegabytes: 256, bufferMegabytes: 256 } as const;
/** The longest time of one search. A search over a million messages takes a tenth of a second. */
const longestQuestionMs = 10_000;
/**
 * How long a person can't search again after a search that took too long. Each of those keeps a
 * processor core busy.
 */
const restMs = 60_000;
const waiting = 500;
const idleMs = 300_000;

interface Lane {
  turns: FairQueue;
  thread: TaskThread | null;
  questions: QuestionProcess | null;
  idle: NodeJS.Timeout | null;
}

/** The settings of the search threads of a process. */
interface SearchSettings extends SearchThreadSettings {
  threads: number;
  /** Memory of each thread for its JavaScript objects. */
  memoryMegabytes?: number;
  /** How long one search may take. */
  questionMs?: number;
}

/**
 * The search indexes of this process, in threads, since SQLite works synchronously. A mailbox is
 * always in the same thread, which keeps its file open. Searches, which people can make as costly
 * as they like, run in a process beside the thread, since a process can be killed. Both start when
 * they are needed and end after five minutes without work.
 */
export class SearchThreads implements SearchIndexes {
  readonly #settings: SearchThreadSettings;
  readonly #limits: ThreadLimits;
  readonly #questionMs: number;
  readonly #lanes: Lane[];
  /** People whose search took too long, and when they may search again. */
  readonly #resting = new Map<string, number>();

  constructor({
    directory,
    threads,
    memoryMegabytes = limits.memoryMegabytes,
    questionMs = longestQuestionMs,
  }: SearchSettings) {
    this.#settings = { directory };
    this.#questionMs = questionMs;
    this.#limits = { ...limits, memoryMegabytes };
    this.#lanes = Array.from({ length: threads }, () => ({
      turns: new FairQueue({ atOnce: 1, waiting }),
      thread: null,
      questions: null,
      idle: null,
    }));
  }

  /**
   * @throws AppError 422 `search_too_long` for a search that takes too long, and for those that the
   *   person starts in the minute after it
   * @throws AppError unavailable when the index can't be used
   */
  async run<Task extends keyof SearchTasks>(
    task: Task,
    input: SearchTasks[Task]['input'],
  ): Promise<SearchTasks[Task]['output']> {
    const lane = this.#laneOf(input.userId);
    return await lane.turns.run(input.userId, async () => {
      if (task === 'find') this.#refuseResting(input.userId);
      try {
        return (await this.#runIn(lane, { task, input })) as SearchTasks[Task]['output'];
      } catch (error) {
        log.error('a search index could not be used', { task, userId: input.userId, error });
        if (error instanceof QuestionTooLong) {
          this.#resting.set(input.userId, performance.now() + restMs);
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
      this.#lanes.map(async ({ thread, questions, idle }) => {
        if (idle) clearTimeout(idle);
        await Promise.all([thread?.end(), questions?.end()]);
      }),
    );
  }

  async #runIn(lane: Lane, request: ThreadRequest): Promise<unknown> {
    if (lane.idle) clearTimeout(lane.idle);
    lane.idle = null;
    if (request.task === 'find') return await this.#questionsOf(lane).run(request, this.#questionMs);
    if (lane.thread === null || lane.thread.isOver) lane.thread = new TaskThread(entry, this.#settings, this.#limits);
    return await lane.thread.run(request);
  }

  #questionsOf(lane: Lane): QuestionProcess {
    if (lane.questions === null || lane.questions.isOver) {
      const { memoryMegabytes } = this.#limits;
      lane.questions = new QuestionProcess({ ...this.#settings, memoryMegabytes });
    }
    return lane.questions;
  }

  #refuseResting(userId: string): void {
    for (const [resting, until] of this.#resting) if (until <= performance.now()) this.#resting.delete(resting);
    if (this.#resting.has(userId)) throw tooLong();
  }

  #laneOf(userId: string): Lane {
    const lane = this.#lanes[Number(BigInt(userId) % BigInt(this.#lanes.length))];
    if (lane === undefined) throw new Error('there are no search threads');
    return lane;
  }

  #rest(lane: Lane): void {
    lane.idle = setTimeout(() => {
      const { thread, questions } = lane;
      Object.assign(lane, { thread: null, questions: null, idle: null } satisfies Partial<Lane>);
      void thread?.end();
      void questions?.end();
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

/** Whether a task was ended because it took more time or memory than a thread may. */
export function isTooCostly(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof MessageTooComplex;
}
