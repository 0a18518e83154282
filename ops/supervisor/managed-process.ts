import { type ChildProcess, spawn } from 'node:child_process';
import { type BackOff, createBackOff } from '@selvage/core/cluster/back-off';
import { messageOf } from '@selvage/core/errors';
import { Managed, type ManagedEvents, type ManagedSpec } from './managed.ts';
import type { Probe } from './readiness.ts';

export interface ProcessSpec extends ManagedSpec {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  ready: Probe;
}

/** A single child process that the supervisor keeps running: an engine. */
export class ManagedProcess extends Managed {
  readonly spec: ProcessSpec;
  private readonly backOff: BackOff = createBackOff();
  private child: ChildProcess | null = null;
  private exited: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;

  constructor(spec: ProcessSpec, events: ManagedEvents) {
    super(events);
    this.spec = spec;
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  get pids(): number[] {
    return this.pid === null ? [] : [this.pid];
  }

  start(): void {
    const child = this.spawn();
    if (!child) return;
    this.child = child;
    // Without a free file descriptor there are no streams, and `error` follows
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => this.events.log.write(bytes));
    }
    this.exited = new Promise((resolve) => {
      const gone = (how: string) => {
        if (this.child === child) this.onGone(how);
        resolve();
      };
      child.once('error', (error) => gone(error.message));
      child.once('exit', (code, signal) => gone(signal ? `signal ${signal}` : `status ${code}`));
    });
    void this.watch();
  }

  async stop(limitMs = this.spec.stopMs): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    if (!this.child) return this.unwatch('stopped');
    this.unwatch('stopping');
    this.child.kill('SIGTERM');
    const killer = setTimeout(() => {
      this.events.say(`${this.spec.name} did not stop within ${limitMs / 1000} s: killed`);
      this.child?.kill('SIGKILL');
    }, limitMs);
    await this.exited;
    clearTimeout(killer);
  }

  protected probe(): Promise<boolean> {
    return this.spec.ready();
  }

  /** Null when the kernel refuses the process, such as without memory. It is tried again later. */
  private spawn(): ChildProcess | null {
    const { command, args, env, cwd } = this.spec;
    try {
      // A session of its own, so that Ctrl-C reaches only the supervisor, which then stops
      // everything in order
      return spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      this.onGone(messageOf(error));
      return null;
    }
  }

  private onGone(how: string): void {
    this.child = null;
    if (this.state === 'stopping') return this.unwatch('stopped');
    const wait = this.backOff.next(this.readyMs());
    this.noteEnd({ how, isClean: how === 'status 0' }, wait);
    this.unwatch('backoff');
    this.timer = setTimeout(() => this.start(), wait);
  }
}
