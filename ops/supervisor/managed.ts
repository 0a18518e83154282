/**
 * Something that the supervisor keeps running, a single process or all processes of a program, with
 * its states:
 *
 *   stopped -> starting -> ready <-> unready
 *                 ^          |
 *                 |          v   (it ends by itself)
 *                 +------ backoff
 *   any of them -> stopping -> stopped   (the supervisor asked)
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LogFile } from './log-file.ts';

export type ManagedState = 'stopped' | 'starting' | 'ready' | 'unready' | 'backoff' | 'stopping';

export interface ManagedSpec {
  name: string;
  /** Facts about its configuration, for `./ops/status`. */
  detail?: string;
  /** How long its start may take, in milliseconds. */
  startMs: number;
  /** Why a start may take long, for the operator. */
  startNote?: string;
  /** How long it may work on after SIGTERM, before SIGKILL; milliseconds. */
  stopMs: number;
}

export interface ManagedEvents {
  log: LogFile;
  /** Prints a line for the operator. */
  say(line: string): void;
  changed(): void;
}

/** How often the operator is told of a start that takes long. */
const sayMs = 10_000;
const startingProbeMs = 50;
const unreadyProbeMs = 1_000;
const watchingProbeMs = 5_000;

export abstract class Managed {
  abstract readonly spec: ManagedSpec;
  state: ManagedState = 'stopped';
  /** How many of its processes ended by themselves and were started again. */
  restarts = 0;
  since = Date.now();
  protected readonly events: ManagedEvents;
  /**
   * Identifies the current start. A watch of an earlier start ends when it finds another one here.
   */
  private watched: object | null = null;
  private readySince: number | null = null;

  constructor(events: ManagedEvents) {
    this.events = events;
  }

  /** The ids of its processes; empty when none runs. */
  abstract get pids(): number[];

  abstract stop(limitMs?: number): Promise<void>;

  /** Whether it can do its work now. Never throws. */
  protected abstract probe(): Promise<boolean>;

  /**
   * Resolves when it is ready.
   * @throws when it was stopped, died three times or took too long
   */
  async untilReady(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    const restartsBefore = this.restarts;
    while (this.state !== 'ready') {
      if (this.state === 'stopping' || this.state === 'stopped') throw new Error(`${this.spec.name} was stopped`);
      if (this.restarts - restartsBefore >= 3) throw new Error(`${this.spec.name} does not stay up`);
      if (performance.now() > deadline) throw new Error(`${this.spec.name} is not ready after ${timeoutMs / 1000} s`);
      await pause(startingProbeMs);
    }
  }

  /**
   * Resolves when it is ready, as `untilReady` does, within the time that its start may take.
   * Reports a start that takes long to the operator.
   */
  async untilUp(): Promise<void> {
    const { name, startMs, startNote } = this.spec;
    const startedAt = performance.now();
    const say = () => {
      const line = `${name} has been starting for ${Math.round((performance.now() - startedAt) / 1000)} s`;
      this.events.say(startNote ? `${line}: ${startNote}` : line);
    };
    const timer = setInterval(say, sayMs);
    try {
      await this.untilReady(startMs);
    } finally {
      clearInterval(timer);
    }
  }

  /** Notes a start, and probes whether it is ready until the next start or `unwatch`. */
  protected async watch(): Promise<void> {
    const start = {};
    this.watched = start;
    this.readySince = null;
    this.enter('starting');
    while (this.watched === start) {
      const ready = await this.probe();
      if (this.watched !== start) return;
      if (ready && this.state !== 'ready') this.onReady();
      if (!ready && this.state === 'ready') this.onUnready();
      // Unreferenced, since watching alone must not keep the supervisor alive
      await pause(this.probePause(), undefined, { ref: false });
    }
  }

  /** Ends the probing, since nothing of it runs or since it is to end. */
  protected unwatch(state: 'backoff' | 'stopping' | 'stopped'): void {
    this.watched = null;
    this.enter(state);
  }

  /** How long it has been healthy since the last start. */
  protected readyMs(): number {
    return this.readySince === null ? 0 : Date.now() - this.readySince;
  }

  /** Reports a process that ended by itself to the operator, and counts it. */
  protected noteEnd({ how, isClean }: { how: string; isClean: boolean }, pauseMs: number): void {
    this.restarts++;
    this.events.say(
      isClean
        ? `${this.spec.name} ended by itself or was told to; starting it again in ${pauseMs} ms`
        : `!! ${this.spec.name} DIED (${how}); starting it again in ${pauseMs} ms`,
    );
  }

  private probePause(): number {
    if (this.state === 'ready') return watchingProbeMs;
    // A probe queries the engines, and twenty queries a second would only slow down an engine that
    // is recovering
    return this.state === 'unready' ? unreadyProbeMs : startingProbeMs;
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

  private enter(state: ManagedState): void {
    if (this.state === state) return;
    this.state = state;
    this.since = Date.now();
    this.events.changed();
  }
}
