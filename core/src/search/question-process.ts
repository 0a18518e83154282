import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { unavailable } from '../errors.ts';

const program = fileURLToPath(new URL('./answer-questions.ts', import.meta.url));

/** Thrown when a search took too long, and its process was killed. */
export class QuestionTooLong extends Error {}

interface QuestionProcessSettings {
  directory: string;
  /** Memory for JavaScript objects. */
  memoryMegabytes: number;
}

/**
 * A process that runs one search at a time. SQLite can't be stopped within a statement, and goes on
 * even when its thread is terminated. Killing the process stops it at once.
 */
export class QuestionProcess {
  /** True once the process has ended or is about to. It takes no more searches then. */
  isOver = false;
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #answer: PromiseWithResolvers<unknown> | null = null;

  constructor({ directory, memoryMegabytes }: QuestionProcessSettings) {
    const cache = process.env['NODE_COMPILE_CACHE'];
    this.#child = fork(program, [directory], {
      // The child needs no settings of the host, and flags of this process are not meant for it
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      execArgv: [`--max-old-space-size=${memoryMegabytes}`],
      serialization: 'advanced',
    });
    this.#ready.promise.catch(() => undefined);
    this.#child.on('message', (message: ThreadAnswer) => this.#take(message));
    this.#child.on('error', (error) => this.#fail(unavailable('a process of the search has failed', error)));
    this.#child.on('close', () => {
      this.#fail(unavailable('a process of the search has ended'));
      this.#ended.resolve();
    });
    this.#rest();
  }

  /**
   * Runs a search. Afterwards the process can run the next one, unless `isOver`.
   * @param longestMs how long the search may take by the clock
   * @throws QuestionTooLong when it takes longer
   * @throws AppError unavailable when the process ended
   */
  async run(request: ThreadRequest, longestMs: number): Promise<unknown> {
    this.#keepAlive();
    let late: NodeJS.Timeout | undefined;
    try {
      await this.#ready.promise;
      this.#answer = Promise.withResolvers();
      late = setTimeout(() => this.#kill(new QuestionTooLong('a question took too long')), longestMs);
      this.#child.send(request);
      return await this.#answer.promise;
    } finally {
      clearTimeout(late);
      this.#answer = null;
      this.#rest();
    }
  }

  /** Ends the process, whatever it does. */
  async end(): Promise<void> {
    this.#keepAlive();
    this.#kill(unavailable('a process of the search was ended'));
    await this.#ended.promise;
  }

  #keepAlive(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** An idle process does not keep this process alive. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #take(message: ThreadAnswer): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'done') this.#answer?.resolve(message.result);
    else if (message.kind === 'failed') {
      this.#answer?.reject(Object.assign(new Error(message.message), { code: message.code }));
    }
  }

  #fail(error: Error): void {
    this.isOver = true;
    this.#ready.reject(error);
    this.#answer?.reject(error);
  }

  #kill(error: Error): void {
    this.#fail(error);
    this.#child.kill('SIGKILL');
  }
}
