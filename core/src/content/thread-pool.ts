import { FairQueue } from '../fair-queue.ts';
import { log } from '../log.ts';
import { contentThreadsEnded } from '../metrics.ts';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import { TaskThread, type ThreadLimits } from './task-thread.ts';
import type { ThreadRequest } from './thread-messages.ts';

/** The number of threads, and the bounds of each piece of work. */
export interface PoolLimits extends ThreadLimits {
  threads: number;
}

/** What holds for one task. */
export interface TaskOptions {
  cpuSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

const waitingLimit = 500;
const idleMs = 60_000;

interface Idle {
  thread: TaskThread;
  timer: NodeJS.Timeout;
}

/*
 * Why no library: Piscina 5.3 does not say which thread runs which task, so the processor time of a
 * task could not be bounded. Also, when the last thread is ended and no minimum of threads is set,
 * its queue is stuck.
 */

/**
 * Threads for work that an attacker may have made costly. They start when there is work and end
 * after a minute without any, since each takes some 30 MB.
 */
export class ThreadPool {
  readonly #entry: URL;
  readonly #workerData: unknown;
  readonly #limits: PoolLimits;
  readonly #turns: FairQueue;
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<TaskThread>();

  constructor(entry: URL, workerData: unknown, limits: PoolLimits) {
    this.#entry = entry;
    this.#workerData = workerData;
    this.#limits = limits;
    this.#turns = new FairQueue({ atOnce: limits.threads, waiting: waitingLimit });
  }

  /**
   * Does a task of the entry in a thread. Callers take turns by `key`.
   * @param options.cpuSeconds the processor time of this task, in place of the pool's limit
   * @param options.signal gives up a task that is not begun
   * @throws MessageTooComplex when it is over a bound
   * @throws AppError unavailable when too much work waits, or the thread failed by itself
   */
  run(key: string, request: ThreadRequest, options: TaskOptions = {}): Promise<unknown> {
    const { cpuSeconds, signal } = options;
    return this.#turns.run(key, async () => {
      signal?.throwIfAborted();
      const thread = this.#take();
      this.#busy.add(thread);
      try {
        return await thread.run(request, cpuSeconds === undefined ? {} : { cpuSeconds });
      } catch (error) {
        if (thread.isOver) noteEnd(request.task, error);
        throw error;
      } finally {
        this.#busy.delete(thread);
        if (!thread.isOver) this.#rest(thread);
      }
    });
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    const idle = this.#idle.splice(0);
    for (const { timer } of idle) clearTimeout(timer);
    await Promise.all([...idle.map(({ thread }) => thread), ...this.#busy].map((thread) => thread.end()));
  }

  #take(): TaskThread {
    for (let rested = this.#idle.pop(); rested; rested = this.#idle.pop()) {
      clearTimeout(rested.timer);
      if (!rested.thread.isOver) return rested.thread;
    }
    return new TaskThread(this.#entry, this.#workerData, this.#limits);
  }

  #rest(thread: TaskThread): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.thread === thread),
        1,
      );
      void thread.end();
    }, idleMs);
    timer.unref();
    this.#idle.push({ thread, timer });
  }
}

function noteEnd(task: string, error: unknown): void {
  const reason = error instanceof MessageTooComplex ? error.reason : 'failed';
  contentThreadsEnded.inc({ task, reason });
  const write = reason === 'failed' ? log.error : log.warn;
  write('a thread that read a message was ended', { task, reason, error });
}
