import { pause } from '../pause.ts';
import { Worker } from 'node:worker_threads';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import { AppError, contentLost, isContentLost, unavailable } from '../errors.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';

/** Bounds of one piece of work in a thread. */
export interface ThreadLimits {
  /**
   * Processor time of the thread itself. A limit of wall-clock time would refuse legitimate mail on
   * a busy machine.
   */
  cpuSeconds: number;
  /** Memory of the thread's own objects. */
  memoryMegabytes: number;
  /** Memory of its buffers: a small file can be unpacked to gigabytes. */
  bufferMegabytes: number;
  /** How long the work may take by the clock, including waits for the processor. */
  wallSeconds: number;
}

/** Bounds of one piece of work in place of those of its thread. */
export type WorkLimits = Partial<Pick<ThreadLimits, 'cpuSeconds'>>;

const watchMs = 200;

/** The cause of the error when a thread fails or is ended at its work, perhaps because of it. */
class ThreadFailed extends Error {}

/** Whether a thread has failed at its work. In other failures, the work was not to blame. */
export function isThreadFailure(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof ThreadFailed;
}

/**
 * One thread that does one piece of work at a time. A thread whose work exceeds a bound is ended,
 * since nothing else stops a loop or a regular expression.
 */
export class TaskThread {
  /** True once the thread has ended or is about to. It takes no more work then. */
  isOver = false;
  readonly #worker: Worker;
  readonly #limits: ThreadLimits;
  readonly #ready = Promise.withResolvers<void>();
  #answer: PromiseWithResolvers<unknown> | null = null;

  constructor(entry: URL, workerData: unknown, limits: ThreadLimits) {
    this.#limits = limits;
    this.#worker = new Worker(entry, {
      workerData,
      name: 'content',
      // Flags of the process, such as those of a test runner, are not meant for the thread
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMegabytes, maxYoungGenerationSizeMb: 32 },
    });
    this.#ready.promise.catch(() => undefined);
    this.#worker.on('message', (message: ThreadAnswer) => this.#take(message));
    this.#worker.on('error', (error) => this.#fail(causeOf(error)));
    this.#worker.on('exit', () => this.#fail(threadFailed('a thread has ended')));
  }

  /**
   * Does one piece of work. Afterwards the thread can do the next one, unless `isOver`.
   * @param own the bounds of this work, in place of those of the thread
   * @throws MessageTooComplex when the work is over a bound
   * @throws AppError unavailable when the thread ended or had to wait too long
   */
  async run(request: ThreadRequest, own: WorkLimits = {}): Promise<unknown> {
    this.#worker.ref();
    const watch = new AbortController();
    try {
      await this.#ready.promise;
      this.#answer = Promise.withResolvers();
      this.#worker.postMessage(request, []);
      void this.#watch(watch.signal, { ...this.#limits, ...own });
      return await this.#answer.promise;
    } finally {
      watch.abort();
      this.#answer = null;
      this.#worker.unref();
    }
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.#worker.terminate();
  }

  #take(message: ThreadAnswer): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'done') this.#answer?.resolve(message.result);
    else if (message.kind === 'too_complex') this.#answer?.reject(new MessageTooComplex(message.reason));
    else this.#answer?.reject(failureOf(message));
  }

  #fail(error: Error): void {
    this.isOver = true;
    this.#ready.reject(error);
    this.#answer?.reject(error);
  }

  /** Ends the thread when its work is over a bound; `signal` says that the work is done. */
  async #watch(signal: AbortSignal, { cpuSeconds, bufferMegabytes, wallSeconds }: ThreadLimits): Promise<void> {
    // Inside a native library, such as SQLite, a thread answers none of the queries below. It also
    // goes on after its termination until that library returns
    const late = setTimeout(() => this.#kill(threadFailed('a thread had to wait too long')), wallSeconds * 1000);
    signal.addEventListener('abort', () => clearTimeout(late));
    let before: number | null = null;
    while (!signal.aborted && !this.isOver) {
      await pause(watchMs, signal);
      const [used, buffers] = await Promise.all([this.#cpuSeconds(), this.#bufferMegabytes()]);
      if (signal.aborted || used === null) return;
      before ??= used;
      if (buffers > bufferMegabytes) return this.#kill(new MessageTooComplex('too_much_memory'));
      if (used - before > cpuSeconds) return this.#kill(new MessageTooComplex('too_costly'));
    }
  }

  #kill(error: Error): void {
    this.#fail(error);
    void this.end();
  }

  /**
   * Memory of the thread's buffers, which Node's own limits don't count. It can also be read while
   * JavaScript is in a loop.
   */
  async #bufferMegabytes(): Promise<number> {
    try {
      return (await this.#worker.getHeapStatistics()).external_memory / 1_048_576;
    } catch {
      // It ended meanwhile, which its own events report
      return 0;
    }
  }

  /** This also works while JavaScript is in a loop; null when the thread has ended. */
  async #cpuSeconds(): Promise<number | null> {
    try {
      const { user, system } = await this.#worker.cpuUsage();
      return (user + system) / 1_000_000;
    } catch {
      // It ended meanwhile, which its own events report
      return null;
    }
  }
}

function failureOf({ message, code }: Extract<ThreadAnswer, { kind: 'failed' }>): Error {
  const error = Object.assign(new Error(message), { code });
  if (code === 'unavailable') return unavailable(message);
  return isContentLost(error) ? contentLost(message) : error;
}

function causeOf(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new MessageTooComplex('too_much_memory');
  return threadFailed('a thread has failed', error);
}

function threadFailed(message: string, cause?: unknown): AppError {
  return unavailable(message, new ThreadFailed(message, { cause }));
}
