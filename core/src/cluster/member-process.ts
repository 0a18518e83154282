import cluster, { type Worker } from 'node:cluster';
import type { LogWriter } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';
import type { ToMember, ToPrimary } from './messages.ts';

const readyMs = 60_000;
/** A machine that is busy starting everything at once may take longer than for one process. */
const hungMs = 180_000;

/** How a primary starts the members of a program. */
export interface MemberStart {
  /** The file of the program. */
  exec: string;
  /** Options of Node and V8; the primary's own unless given. */
  execArgv?: string[];
  cwd?: string;
  /** What is added to the environment of the primary. */
  environment?: NodeJS.ProcessEnv;
  /** Takes what members print; unless given, they print where the primary does. */
  output?: (bytes: Buffer) => void;
  /** The usual limit of `endIfHung`; 180 s unless given. */
  hungMs?: number;
}

/** How a member ended. */
export interface MemberEnd {
  /** `signal SIGKILL`, `status 1`, or why it could not be started at all. */
  how: string;
  /** It ended by itself or was told to, and all went well. */
  isClean: boolean;
}

/** A process that does the work of a program, as its primary sees it. */
export class MemberProcess {
  readonly #worker: Worker;
  readonly #log: LogWriter;
  readonly #hungMs: number;
  readonly #gone = Promise.withResolvers<MemberEnd>();
  readonly #ready = Promise.withResolvers<boolean>();
  #end: MemberEnd | null = null;
  #readySince: number | null = null;
  #wasHung = false;

  constructor({ exec, execArgv, cwd, environment, output, hungMs: limitMs }: MemberStart, log: LogWriter) {
    this.#log = log;
    this.#hungMs = limitMs ?? hungMs;
    const way = output ? 'pipe' : 'inherit';
    // All of them, as these were left by the last member, which may be of another program
    cluster.setupPrimary({
      exec,
      execArgv: execArgv ?? process.execArgv,
      args: [],
      cwd: cwd ?? process.cwd(),
      stdio: ['ignore', way, way, 'ipc'],
    });
    this.#worker = cluster.fork(environment);
    const child = this.#worker.process;
    if (output) for (const stream of [child.stdout, child.stderr]) stream?.on('data', output);
    this.#worker.once('exit', (code, signal) =>
      this.#note({ how: signal ? `signal ${signal}` : `status ${code}`, isClean: code === 0 }),
    );
    this.#worker.on('error', (error: Error) => {
      log.warn('a process could not be reached', { pid: child.pid, error });
      // It was never there, so it will not say that it has ended
      if (child.pid === undefined) this.#note({ how: error.message, isClean: false });
    });
    this.hear(({ type }) => {
      if (type !== 'ready') return;
      this.#readySince ??= Date.now();
      this.#ready.resolve(true);
    });
  }

  /** Its number among all members that this primary process has started, of any program. */
  get id(): number {
    return this.#worker.id;
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /** Since when it does its work, in milliseconds since 1970; null when it does not yet. */
  get readySince(): number | null {
    return this.#readySince;
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** Whether it was killed since its start hung. */
  get wasHung(): boolean {
    return this.#wasHung;
  }

  get endedCleanly(): boolean {
    return this.#end?.isClean ?? false;
  }

  /** Resolves when it has ended, however that came. */
  get gone(): Promise<MemberEnd> {
    return this.#gone.promise;
  }

  /** Resolves to true when it does its work, or to false when it has ended before. */
  get ready(): Promise<boolean> {
    return this.#ready.promise;
  }

  hear(listener: (message: ToPrimary) => void): void {
    this.#worker.on('message', listener);
  }

  /** Sends the member a message, unless it is ending. */
  tell(message: ToMember): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => undefined);
  }

  /** Waits until it does its work; false when it ends, or needs too long. */
  async untilReady(): Promise<boolean> {
    return await withDeadline(this.ready, readyMs).catch(() => false);
  }

  /**
   * Kills the member when its start hangs, such as at a disk that does not answer.
   * @param patience how many times the usual limit it may take
   * @returns whether it was killed
   */
  async endIfHung(patience: number): Promise<boolean> {
    const limitMs = patience * this.#hungMs;
    try {
      await withDeadline(this.ready, limitMs);
      return false;
    } catch {
      this.#log.error('a process does not get ready and is killed', { pid: this.pid, limitMs });
      this.#wasHung = true;
      this.#worker.process.kill('SIGKILL');
      return true;
    }
  }

  /**
   * Lets the member finish its work, and waits until it has ended. After `limitMs` it is killed. A
   * replaced member gives its peers more time.
   */
  async end(limitMs: number, { isReplaced = false } = {}): Promise<void> {
    if (this.#end) return;
    if (isReplaced) this.tell({ type: 'replaced' });
    else this.#worker.process.kill('SIGTERM');
    const killer = setTimeout(() => {
      this.#log.warn('a process did not end in time and is killed', { pid: this.pid, limitMs });
      this.#worker.process.kill('SIGKILL');
    }, limitMs);
    await this.gone;
    clearTimeout(killer);
  }

  #note(end: MemberEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#ready.resolve(false);
    this.#gone.resolve(end);
  }
}
