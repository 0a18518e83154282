/**
 * One child process and its life:
 *
 *   stopped -> starting -> ready <-> unready
 *                 ^          |
 *                 |          v   (it exits by itself)
 *                 +------ backoff
 *   any of them -> stopping -> stopped   (the supervisor asked)
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackOff, createBackOff } from '@selvage/core/processes/back-off';
import type { LogFile } from './log-file.ts';
import type { Probe } from './readiness.ts';

export type ProcessState = 'stopped' | 'starting' | 'ready' | 'unready' | 'backoff' | 'stopping';

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  ready: Probe;
  /** How it is set up, for the operator. */
  detail?: string;
  /** Time to finish its work after SIGTERM; then SIGKILL. */
  stopMs: number;
}

export interface ProcessEvents {
  log: LogFile;
  /** Prints a line for the operator. */
  say(line: string): void;
  changed(): void;
}

const STARTING_PROBE_MS = 50;
const UNREADY_PROBE_MS = 1_000;
const WATCHING_PROBE_MS = 5_000;

export class ManagedProcess {
  readonly spec: ProcessSpec;
  state: ProcessState = 'stopped';
  restarts = 0;
  since = Date.now();
  private readonly events: ProcessEvents;
  private readonly backOff: BackOff = createBackOff();
  private child: ChildProcess | null = null;
  private exited: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private readySince: number | null = null;

  constructor(spec: ProcessSpec, events: ProcessEvents) {
    this.spec = spec;
    this.events = events;
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  start(): void {
    this.enter('starting');
    this.readySince = null;
    const { command, args, env, cwd } = this.spec;
    // A session of its own, so that Ctrl-C reaches only the supervisor, which then stops everything
    // in order
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stdout.on('data', (bytes: Buffer) => this.events.log.write(bytes));
    child.stderr.on('data', (bytes: Buffer) => this.events.log.write(bytes));
    this.exited = new Promise((resolve) => {
      const gone = (how: string) => {
        if (this.child === child) this.onGone(how);
        resolve();
      };
      child.once('error', (error) => gone(error.message));
      child.once('exit', (code, signal) => gone(signal ? `signal ${signal}` : `status ${code}`));
    });
    void this.watch(child);
  }

  /** Resolves when the process is ready; throws when it died three times or took too long. */
  async untilReady(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    const restartsBefore = this.restarts;
    while (this.state !== 'ready') {
      if (this.state === 'stopping' || this.state === 'stopped') throw new Error(`${this.spec.name} was stopped`);
      if (this.restarts - restartsBefore >= 3) throw new Error(`${this.spec.name} does not stay up`);
      if (Date.now() > deadline) throw new Error(`${this.spec.name} is not ready after ${timeoutMs / 1000} s`);
      await pause(STARTING_PROBE_MS);
    }
  }

  async stop(limitMs = this.spec.stopMs): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    if (!this.child) return this.enter('stopped');
    this.enter('stopping');
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => {
      this.events.say(`${this.spec.name} did not stop within ${limitMs / 1000} s: killed`);
      this.child?.kill('SIGKILL');
    }, limitMs);
    await this.exited;
    clearTimeout(killer);
  }

  private async watch(child: ChildProcess): Promise<void> {
    while (this.child === child && this.state !== 'stopping') {
      const ready = await this.spec.ready();
      if (this.child !== child || (this.state as ProcessState) === 'stopping') return;
      if (ready && this.state !== 'ready') this.onReady();
      if (!ready && this.state === 'ready') this.onUnready();
      // Unreferenced, since watching alone must not keep the supervisor alive
      await pause(this.probePause(), undefined, { ref: false });
    }
  }

  private probePause(): number {
    if (this.state === 'ready') return WATCHING_PROBE_MS;
    // A probe queries the engines, and twenty queries a second would only slow down an engine that
    // is recovering
    return this.state === 'unready' ? UNREADY_PROBE_MS : STARTING_PROBE_MS;
  }

  private onReady(): void {
    const recovered = this.state === 'unready' || this.restarts > 0;
    this.readySince ??= Date.now();
    this.enter('ready');
    if (recovered) this.events.say(`${this.spec.name} is healthy again`);
  }

  private onUnready(): void {
    this.enter('unready');
    this.events.say(`!! ${this.spec.name} runs but says it is not ready`);
  }

  private onGone(how: string): void {
    this.child = null;
    if (this.state === 'stopping') return this.enter('stopped');
    const wait = this.backOff.next(this.readySince === null ? 0 : Date.now() - this.readySince);
    this.restarts++;
    this.enter('backoff');
    const wasAsked = how === 'status 0';
    this.events.say(
      wasAsked
        ? `${this.spec.name} ended by itself or was told to; starting it again in ${wait} ms`
        : `!! ${this.spec.name} DIED (${how}); starting it again in ${wait} ms`,
    );
    this.timer = setTimeout(() => this.start(), wait);
  }

  private enter(state: ProcessState): void {
    if (this.state === state) return;
    this.state = state;
    this.since = Date.now();
    this.events.changed();
  }
}
