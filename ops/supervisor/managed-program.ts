import { startHealthServer } from '@selvage/core/process/health-server';
import type { MemberStart } from '@selvage/core/cluster/member-process';
import { Primary } from '@selvage/core/cluster/primary';
import { Managed, type ManagedEvents, type ManagedSpec } from './managed.ts';
import { createProgramLog } from './program-log.ts';
import type { Probe } from './readiness.ts';

export interface ProgramSpec extends ManagedSpec {
  /** How many processes the program has. */
  count: number;
  start: Omit<MemberStart, 'output'>;
  /** Where its health and metrics are served; null when it serves them itself. */
  health: { port: number; host: string } | null;
  /** Probes the program at its own port, once its processes have reported that they are ready. */
  answers?: Probe;
}

/**
 * All processes of one of Selvage's programs. The supervisor is their primary: it keeps the ports
 * open while a process is replaced, even when the program has only one process. So no program needs
 * a primary process of its own.
 */
export class ManagedProgram extends Managed {
  readonly spec: ProgramSpec;
  private readonly primary: Primary;
  private health: { close(): Promise<void> } | null = null;
  /**
   * Whether its processes report that Redis does not answer. They work without Redis, but people
   * can't log in.
   */
  isRedisAway = false;

  constructor(spec: ProgramSpec, events: ManagedEvents) {
    super(events);
    this.spec = spec;
    this.primary = new Primary({
      count: spec.count,
      start: { ...spec.start, output: (bytes) => events.log.write(bytes) },
      log: createProgramLog(spec.name, events.log),
      onDeath: (death) => this.noteEnd(death, death.pauseMs),
      onChange: () => this.onChange(),
    });
  }

  get pids(): number[] {
    return this.primary.pids;
  }

  async start(): Promise<void> {
    const { health } = this.spec;
    const log = createProgramLog(this.spec.name, this.events.log);
    if (health) this.health = await startHealthServer({ ...health, source: this.primary, log });
    void this.watch();
    this.primary.start();
  }

  /** Replaces its processes one by one; false when a new one did not get ready. */
  replace(): Promise<boolean> {
    return this.primary.replaceAll();
  }

  async stop(limitMs = this.spec.stopMs): Promise<void> {
    this.unwatch('stopping');
    const late = setTimeout(() => {
      this.events.say(`${this.spec.name} did not stop within ${limitMs / 1000} s: killed`);
    }, limitMs);
    await this.primary.stop(limitMs);
    clearTimeout(late);
    await this.health?.close();
    this.unwatch('stopped');
  }

  protected async probe(): Promise<boolean> {
    const { ok, checks } = await this.primary.report();
    this.noteRedis(checks['redis'] === 'failed');
    return ok && ((await this.spec.answers?.()) ?? true);
  }

  private noteRedis(isAway: boolean): void {
    if (this.isRedisAway === isAway) return;
    this.isRedisAway = isAway;
    this.events.changed();
  }

  private onChange(): void {
    if (this.state === 'stopping' || this.state === 'stopped') return;
    // While one of its processes runs, the program does its work
    if (this.pids.length === 0) this.unwatch('backoff');
    else if (this.state === 'backoff') void this.watch();
    else this.events.changed();
  }
}
