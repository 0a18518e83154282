import type { Question, SearchIndexes } from '../context/app.ts';
import { TaskThread, type ThreadLimits } from '../content/task-thread.ts';
import { AppError, unavailable } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { log } from '../log.ts';
import type { Hits, SearchTasks, ThreadTask } from '../search-index/index-messages.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { SearchThreadSettings } from './index-thread.ts';
import { type QuestionLimits, QuestionProcess, QuestionTooLong } from './question-process.ts';
import { TimeBudget, type TimeLimits } from './time-budget.ts';

const entry = new URL('./index-thread.ts', import.meta.url);
/** The limits of the threads. A batch of new messages takes up to a second. */
const limits = { cpuSeconds: 20, wallSeconds: 60, memoryMegabytes: 256, bufferMegabytes: 256 } as const;
/**
 * The longest processor time of one search. A search over a million messages takes a tenth of a
 * second, and half a second if it is for a label that all of them have.
 */
const longestQuestionMs = 2000;
/** A search that waits for the disk takes no processor time. */
const longestWallMs = 10_000;
/**
 * How much processor time the searches of one person, and those of one company together, may take
 * in this process: a share of one core in the long run, and a few seconds ahead of it.
 */
const ofPerson = { share: 0.1, aheadMs: 5000 };
const ofCompany = { share: 1 / 3, aheadMs: 10_000 };
/** How many pieces of work may wait for a thread. */
const waiting = 500;
/**
 * How many searches may wait in a lane; more would hold most of the 20 calls that an API process
 * works on at once. When there are too many, those of the company with the most are refused.
 */
const waitingQuestions = 6;
const idleMs = 300_000;

interface Lane {
  /** Turns of people in the thread. */
  turns: FairQueue;
  /** Turns of companies in the process. */
  questionTurns: FairQueue;
  thread: TaskThread | null;
  questions: QuestionProcess | null;
  idle: NodeJS.Timeout | null;
}

/** The settings of the search threads of a process. */
interface SearchSettings extends SearchThreadSettings {
  threads: number;
  /** Memory of each thread for its JavaScript objects. */
  memoryMegabytes?: number;
  /** How much processor time one search may take, and how long by the clock. */
  questionMs?: number;
  questionWallMs?: number;
  /** How much of it the searches of a person, and those of a company, may take. */
  ofPerson?: TimeLimits;
  ofCompany?: TimeLimits;
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
  readonly #questionLimits: QuestionLimits;
  readonly #lanes: Lane[];
  readonly #people: TimeBudget;
  readonly #companies: TimeBudget;

  constructor(settings: SearchSettings) {
    const { directory, threads, memoryMegabytes = limits.memoryMegabytes } = settings;
    const { questionMs = longestQuestionMs, questionWallMs = longestWallMs } = settings;
    this.#settings = { directory };
    this.#questionLimits = { cpuMs: questionMs, wallMs: questionWallMs };
    this.#people = new TimeBudget(settings.ofPerson ?? ofPerson);
    this.#companies = new TimeBudget(settings.ofCompany ?? ofCompany);
    this.#limits = { ...limits, memoryMegabytes };
    this.#lanes = Array.from({ length: threads }, () => ({
      turns: new FairQueue({ atOnce: 1, waiting }),
      questionTurns: new FairQueue({ atOnce: 1, waiting: waitingQuestions }),
      thread: null,
      questions: null,
      idle: null,
    }));
  }

  async run<Task extends ThreadTask>(
    task: Task,
    input: SearchTasks[Task]['input'],
  ): Promise<SearchTasks[Task]['output']> {
    const lane = this.#laneOf(input.userId);
    return await lane.turns.run(input.userId, async () => {
      const run = () => this.#threadOf(lane).run({ task, input });
      return (await this.#use(lane, { task, userId: input.userId }, run)) as SearchTasks[Task]['output'];
    });
  }

  /**
   * @throws AppError 422 `search_too_long` for a search that takes too long, and for all searches
   *   of a person or a company whose searches have used up their time
   * @throws AppError unavailable when the index can't be used
   */
  async find(question: Question): Promise<Hits> {
    const { userId, companyId } = question;
    const lane = this.#laneOf(userId);
    // By company, so that many accounts of one delay the others no more than one account does
    return await lane.questionTurns.run(companyId, async () => {
      if (this.#people.isUsedUp(userId) || this.#companies.isUsedUp(companyId)) throw usedUp();
      return await this.#use(lane, { task: 'find', userId }, () => this.#ask(lane, question));
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

  /** Does work with the thread or the process of a lane. */
  async #use<T>(lane: Lane, what: { task: string; userId: string }, work: () => Promise<T>): Promise<T> {
    if (lane.idle) clearTimeout(lane.idle);
    try {
      return await work();
    } catch (error) {
      log.error('a search index could not be used', { ...what, error });
      throw error instanceof QuestionTooLong ? tooLong(error) : unavailable('a search index could not be used', error);
    } finally {
      this.#rest(lane);
    }
  }

  async #ask(lane: Lane, { userId, companyId, wanted }: Question): Promise<Hits> {
    const questions = this.#questionsOf(lane);
    try {
      return (await questions.run({ task: 'find', input: { userId, wanted } }, this.#questionLimits)) as Hits;
    } finally {
      this.#people.spend(userId, questions.costMs);
      this.#companies.spend(companyId, questions.costMs);
      if (this.#companies.isUsedUp(companyId)) log.warn('the searches of a company have to rest', { companyId });
    }
  }

  #threadOf(lane: Lane): TaskThread {
    if (lane.thread === null || lane.thread.isOver) lane.thread = new TaskThread(entry, this.#settings, this.#limits);
    return lane.thread;
  }

  #questionsOf(lane: Lane): QuestionProcess {
    if (lane.questions === null || lane.questions.isOver) {
      const { memoryMegabytes } = this.#limits;
      lane.questions = new QuestionProcess({ ...this.#settings, memoryMegabytes });
    }
    return lane.questions;
  }

  #laneOf(userId: string): Lane {
    const lane = this.#lanes[Number(BigInt(userId) % BigInt(this.#lanes.length))];
    if (lane === undefined) throw new Error('there are no search threads');
    return lane;
  }

  /** Ends the thread and the process of a lane after some time without work. */
  #rest(lane: Lane): void {
    if (lane.idle) clearTimeout(lane.idle);
    lane.idle = setTimeout(() => {
      const { thread, questions } = lane;
      Object.assign(lane, { thread: null, questions: null, idle: null } satisfies Partial<Lane>);
      void thread?.end();
      void questions?.end();
    }, idleMs);
    lane.idle.unref();
  }
}

function tooLong(cause: unknown): AppError {
  const publicText = 'This search takes too long. Search for fewer or longer words.';
  return new AppError({ status: 422, code: 'search_too_long', publicText, cause });
}

function usedUp(): AppError {
  const publicText = 'The last searches took too long. Wait a minute, and search for fewer or longer words.';
  return new AppError({ status: 422, code: 'search_too_long', publicText, headers: { 'Retry-After': '60' } });
}

/** Whether a task was ended because it took more time or memory than a thread may. */
export function isTooCostly(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof MessageTooComplex;
}
