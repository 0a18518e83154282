import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ThreadAnswer, ThreadRequest } from '../content/thread-messages.ts';
import { unavailable } from '../errors.ts';

const program = fileURLToPath(new URL('./answer-questions.ts', import.meta.url));
const watchMs = 50;
/** Linux counts the time of a process in hundredths of a second, whatever its own clock has. */
const tickMs = 10;

/** Thrown when a search took too long, and its process was killed. */
export class QuestionTooLong extends Error {}

interface QuestionProcessSettings {
  directory: string;
  /** Memory for JavaScript objects. */
  memoryMegabytes: number;
}

/** How long one search may take. */
export interface QuestionLimits {
  /** Of processor time: on a busy machine, an honest search waits for its processor core. */
  cpuMs: number;
  /** By the clock, as of a search that waits for the disk. */
  wallMs: number;
}

/**
 * A process that runs one search at a time. SQLite can't be stopped within a statement, and goes on
 * even when its thread is terminated. Killing the process stops it at once.
 */
export class QuestionProcess {
  /** True once the process has ended or is about to. It takes no more searches then. */
  isOver = false;
  /** The processor time of the last search. */
  costMs = 0;
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
   * @throws QuestionTooLong when it takes longer than it may
   * @throws AppError unavailable when the process ended
   */
  async run(request: ThreadRequest, { cpuMs, wallMs }: QuestionLimits): Promise<unknown> {
    this.#keepAlive();
    this.costMs = 0;
    let watch: NodeJS.Timeout | undefined;
    try {
      await this.#ready.promise;
      this.#answer = Promise.withResolvers();
      const [begin, before] = [performance.now(), this.#cpuMs()];
      const note = () => {
        this.costMs = Math.max(this.costMs, this.#cpuMs() - before);
      };
      watch = setInterval(() => {
        note();
        const takenMs = performance.now() - begin;
        if (this.costMs <= cpuMs && takenMs <= wallMs) return;
        // Where the system does not tell the processor time, the clock has to do
        if (this.#cpuMs() === 0) this.costMs = takenMs;
        this.#kill(new QuestionTooLong('a question took too long'));
      }, watchMs);
      this.#child.send(request);
      const result = await this.#answer.promise;
      note();
      return result;
    } finally {
      clearInterval(watch);
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

  /**
   * The processor time that the process has used since its start; 0 where the system does not tell.
   */
  #cpuMs(): number {
    try {
      // The name in the second field may hold spaces and brackets, so count from the last bracket
      const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    } catch {
      return 0;
    }
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
