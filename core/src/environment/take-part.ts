import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { App } from '../context/app.ts';
import { isRunning } from '../is-running.ts';
import { log } from '../log.ts';
import { onShutdown } from '../process/shutdown.ts';
import { isMember, onPrimary, tellPrimary } from '../cluster/member.ts';
import {
  endRestart,
  heartbeatMs,
  type HostProcess,
  type HostState,
  type ProgramName,
  readHostState,
  readProcesses,
  removeProcesses,
  writeProcess,
} from './host-state.ts';
import { judgeRestart, nextToEnd } from './judge-restart.ts';

/** How often a process looks whether it is to be replaced: two short reads by a primary key. */
const lookMs = 2_000;
/** After the doors and jobs, before the connections of every program. */
const leaveOrder = 35;

/**
 * Lets a process that is ready take part in restarts of the host (D55). The process notes in the
 * database that it is alive. When a restart is asked for and it is the turn of its program, the
 * process asks its primary for a replacement. A process without a primary ends, the oldest first,
 * and its supervisor starts it again.
 */
export function takePart(app: App, program: ProgramName): void {
  const { revision, restart } = app.config.source;
  const place = { machine: machineName(), pid: process.pid, hasPrimary: isMember() };
  const self: HostProcess = { id: randomUUID(), program, ...place, revision, restart };
  const part = new HostPart(app, self);
  part.start();
  onShutdown('restarts', () => part.leave(), leaveOrder);
}

class HostPart {
  readonly #app: App;
  readonly #self: HostProcess;
  #seenAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #hasLeft = false;
  #stopHearing: () => void = () => undefined;

  constructor(app: App, self: HostProcess) {
    this.#app = app;
    this.#self = self;
  }

  get #target() {
    return { app: this.#app };
  }

  start(): void {
    this.#stopHearing = onPrimary((message) => {
      if (message.type === 'replace_failed') void this.#giveUp();
    });
    this.#next(0);
  }

  /** Takes the process out of the list: it has finished its work. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#stopHearing();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#looking;
    // While the database is away, the row stays and expires by its age
    await removeProcesses(this.#target, [this.#self.id]).catch((error: unknown) =>
      log.debug('a process could not be taken out of the list', { error }),
    );
  }

  #next(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#lookAgain();
    }, pauseMs);
    this.#timer.unref();
  }

  async #lookAgain(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      log.debug('restarts can’t be looked for', { error });
    }
    if (!this.#hasLeft) this.#next(lookMs);
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#seenAt > heartbeatMs) {
      await writeProcess(this.#target, this.#self, process.uptime());
      this.#seenAt = performance.now();
    }
    const state = await readHostState(this.#target);
    if (state.askedAt === null || state.finishedAt !== null) return;
    const processes = await this.#forgetDead(await readProcesses(this.#target));
    const progress = judgeRestart(state, processes);
    if (progress.state === 'done') await endRestart(this.#target, state.restart, null);
    if (progress.state === 'failed') await endRestart(this.#target, state.restart, 'It took too long.');
    const isOld = this.#self.restart < state.restart;
    if (progress.turn === this.#self.program && isOld) this.#makeRoom(state, processes);
  }

  /** A process that was killed could not take itself out of the list. */
  async #forgetDead(processes: HostProcess[]): Promise<HostProcess[]> {
    const dead = processes.filter(({ machine, pid }) => machine === this.#self.machine && !isRunning(pid));
    await removeProcesses(
      this.#target,
      dead.map(({ id }) => id),
    );
    return processes.filter((process) => !dead.includes(process));
  }

  #makeRoom(state: HostState, processes: readonly HostProcess[]): void {
    if (isMember()) return tellPrimary({ type: 'replace' });
    // One that ends is in the list until it has finished its work
    if (nextToEnd(state, this.#self.program, processes)?.id !== this.#self.id) return;
    log.info('ending to be started again');
    process.kill(process.pid, 'SIGTERM');
  }

  async #giveUp(): Promise<void> {
    const text = `A new process of ${this.#self.program} did not get ready. The old ones go on.`;
    try {
      const { restart } = await readHostState(this.#target);
      await endRestart(this.#target, restart, text);
    } catch (error) {
      log.warn('a failed restart could not be written down', { error });
    }
  }
}

/**
 * The machine or container in which a process number is valid: each container numbers its own
 * processes.
 */
function machineName(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`.slice(0, 255);
  } catch {
    return hostname();
  }
}
