import { messageOf } from '@selvage/core/errors';
import { OperatorError } from '@selvage/core/operator-error';
import { join } from 'node:path';
import { type Engines, startEngines } from '../engines.ts';
import { lastLines, openLogFile } from './log-file.ts';
import { ManagedProgram } from './managed-program.ts';
import { type MigrateAnswer, runMigration } from './run-migration.ts';
import { describeTakenPorts } from './ports.ts';
import { programTiers } from './processes.ts';
import { RollingRestart } from './rolling-restart.ts';
import type { Settings } from './settings.ts';
import { redisIsAway, removeReport, type StackState, startTicks, writeReport } from './state-file.ts';

const hurriedStopMs = 2_000;
/** How long after a failure the state file is written again. */
const rewriteMs = 2_000;

export interface Output {
  /** A line for the terminal and the supervisor's log. */
  say(line: string): void;
  /** Lines for the terminal alone: they may hold a password. */
  announce(lines: string[]): void;
}

/**
 * The whole appliance: engines -> migrate -> workers and both doors of the mta -> admin-api. It
 * stops in the reverse order, so that no process loses one that it needs.
 */
export class Stack {
  private readonly settings: Settings;
  private readonly output: Output;
  private isAnnounced = false;
  private engines: Engines | null = null;
  private readonly tiers: ManagedProgram[][] = [];
  private readonly restarts: RollingRestart;
  private state: StackState = 'starting';
  private stopping: Promise<void> | null = null;
  private admin: MigrateAnswer['admin'] | null = null;
  /** Set while the state file is not as the host is. */
  private rewrite: NodeJS.Timeout | null = null;

  constructor(settings: Settings, output: Output) {
    this.settings = settings;
    this.output = output;
    this.restarts = new RollingRestart(() => this.tiers.flat(), {
      say: (line) => output.say(line),
      changed: () => this.report(),
    });
  }

  async start(): Promise<void> {
    const taken = await describeTakenPorts(this.settings);
    if (taken.length > 0) throw new Error(`these ports can't be used:\n  ${taken.join('\n  ')}`);
    const { dataDir, databaseUrl, redisUrl } = this.settings;
    const { say } = this.output;
    const changed = () => this.report();
    say(
      databaseUrl && redisUrl
        ? 'using the database and Redis that were given'
        : 'starting the private database and Redis',
    );
    this.engines = await startEngines({ dataDir, databaseUrl, redisUrl, say, changed });
    const { asRoot } = this.engines;
    if (asRoot.length > 0)
      say(`!! no account of their own can enter ${dataDir}, so these run as root: ${asRoot.join(', ')}`);
    this.continueUnlessStopping();
    say('checking the database');
    try {
      this.admin = (await runMigration(this.settings, say)).admin;
    } catch (cause) {
      throw cause instanceof OperatorError ? cause : this.withLog(cause, 'migrate');
    }
    for (const specs of programTiers(this.settings)) {
      this.continueUnlessStopping();
      say(`starting ${specs.map((spec) => spec.name).join(', ')}`);
      await this.startTier(
        specs.map((spec) => new ManagedProgram(spec, { log: this.openLog(spec.name), say, changed })),
      );
    }
    this.continueUnlessStopping();
    this.state = 'running';
    this.report();
    this.output.announce(this.describe());
    this.isAnnounced = true;
    if (this.isRedisAway) say(`!! ${redisIsAway} (${redisUrl ? 'REDIS_URL' : './ops/logs redis'})`);
  }

  /** Replaces the processes of every program, one by one. */
  restart(): void {
    if (this.state === 'running') this.restarts.ask();
    else this.output.say(`asked for a restart while ${this.state}: not done`);
  }

  /**
   * Drains and stops everything. A second call shortens the drain of Selvage's processes, but never
   * of the database.
   */
  stop(): Promise<void> {
    if (this.stopping) {
      this.output.say('asked again: not waiting for the drain any longer');
      for (const running of this.tiers.flat()) if (running.pids.length > 0) void running.stop(hurriedStopMs);
      return this.stopping;
    }
    this.stopping = this.stopInOrder();
    return this.stopping;
  }

  /** What the operator needs to know after the start. */
  describe(): string[] {
    const { ports, url, dataDir, bindAddress } = this.settings;
    const { email = null, password = null } = this.admin ?? {};
    const lines = ['', 'Selvage is up.', `  console        ${url}/auth/sign-in`];
    lines.push(`  administrator  ${email ?? 'none can log in'}`);
    if (password) lines.push(`  password       ${password}   (good for one login: you choose your own then)`);
    const mail = `SMTP ${ports.SMTP_PORT}, submission ${ports.SUBMISSION_PORT} (STARTTLS) and ${ports.SUBMISSIONS_PORT} (TLS)`;
    return [...lines, `  mail           ${mail} on ${bindAddress}`, `  data           ${dataDir}`, ''];
  }

  get isStopping(): boolean {
    return this.stopping !== null;
  }

  /**
   * Prints the first password if the start was broken off before it was shown. No later start can
   * print it.
   */
  private announceUnseenPassword(): void {
    if (this.isAnnounced || !this.admin?.password) return;
    this.isAnnounced = true;
    this.output.announce(this.describe().slice(3, 5));
  }

  private get isRedisAway(): boolean {
    return this.tiers.flat().some((program) => program.isRedisAway);
  }

  private async startTier(tier: ManagedProgram[]): Promise<void> {
    this.tiers.push(tier);
    await Promise.all(
      tier.map(async (one) => {
        try {
          await one.start();
          await one.untilUp();
        } catch (cause) {
          throw this.withLog(cause, one.spec.name);
        }
      }),
    );
  }

  private async stopInOrder(): Promise<void> {
    this.state = 'stopping';
    this.report();
    this.announceUnseenPassword();
    for (const tier of this.tiers.toReversed()) {
      this.output.say(`stopping ${tier.map((one) => one.spec.name).join(', ')}`);
      await Promise.all(tier.map((one) => one.stop()));
    }
    if (this.engines?.processes.length) this.output.say('stopping the private database and Redis');
    await this.engines?.stop();
    if (this.rewrite) clearTimeout(this.rewrite);
    removeReport(this.settings.dataDir);
    // The migration may have made the administrator while the engines stopped
    this.announceUnseenPassword();
    this.output.say('stopped');
  }

  private continueUnlessStopping(): void {
    if (this.stopping) throw new Error('stopped while starting');
  }

  private openLog(name: string) {
    return openLogFile(join(this.settings.dataDir, 'log', `${name}.log`));
  }

  private withLog(cause: unknown, name: string): Error {
    const path = join(this.settings.dataDir, 'log', `${name}.log`);
    const tail = lastLines(path, 15).map((line) => `    ${line}`);
    const reason = messageOf(cause);
    return new Error([`${reason}; the end of ${path}:`, ...tail].join('\n'), { cause });
  }

  /**
   * Writes the state file. A full disk must not end the mail host, so a failure is only reported,
   * and the file is written later.
   */
  report(): void {
    const wasUnwritten = this.rewrite !== null;
    if (this.rewrite) clearTimeout(this.rewrite);
    this.rewrite = null;
    try {
      this.writeDown();
    } catch (error) {
      if (!wasUnwritten) this.output.say(`the state of the host could not be written: ${messageOf(error)}`);
      this.rewrite = setTimeout(() => this.report(), rewriteMs).unref();
    }
  }

  private writeDown(): void {
    const all = [...(this.engines?.processes ?? []), ...this.tiers.flat()];
    const processes = all.map(({ spec, state, pids, restarts, since }) => ({
      name: spec.name,
      state,
      pids,
      restarts,
      since,
      detail: spec.detail,
    }));
    const startedAtTicks = startTicks(process.pid) ?? '';
    writeReport(this.settings.dataDir, {
      pid: process.pid,
      startedAtTicks,
      state: this.state,
      url: this.settings.url,
      isRedisAway: this.isRedisAway,
      processes,
      restart: this.restarts.report,
    });
  }
}
