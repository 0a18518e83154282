import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { log } from '../log.ts';
import type { MetricsJson } from '../metrics.ts';
import type { HealthReport } from '../process/health.ts';
import { withDeadline } from '../with-deadline.ts';
import { type BackOff, createBackOff } from './back-off.ts';
import { CountRelay } from './count-relay.ts';
import { KeptMetrics } from './kept-metrics.ts';
import type { ToPrimary } from './messages.ts';
import { tell } from './tell-member.ts';

/** A member ends its own drain after 20 s. Later than that it is killed. */
const stopMs = 25_000;
const readyMs = 60_000;
const answerMs = 3_500;

/** One of the places for members; the member in it changes when one dies or is replaced. */
interface Place {
  worker: Worker;
  backOff: BackOff;
  readySince: number | null;
}

/**
 * The process that starts the members of a kind, starts each again that dies, and replaces them one
 * by one when it is asked to.
 *
 * Members share listening sockets, and the one that is idle accepts (`SCHED_NONE`). With a queue
 * for each (`SO_REUSEPORT`), connections would wait at a member whose event loop is busy while
 * another is idle.
 */
export class Primary {
  readonly #count: number;
  readonly #places = new Set<Place>();
  readonly #counts = new CountRelay();
  readonly #kept = new KeptMetrics();
  readonly #questions = new Map<number, (answer: unknown) => void>();
  #lastQuestion = 0;
  #hasBeenReady = false;
  #isStopping = false;
  #replacing: Promise<boolean> | null = null;

  constructor(count: number) {
    this.#count = count;
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: process.argv[1] ?? '' });
  }

  start(): void {
    for (let n = 0; n < this.#count; n++) this.#launch(createBackOff());
  }

  /** True once all members have done their work at the same time. */
  get isUp(): boolean {
    return this.#hasBeenReady;
  }

  /** Asks every member. All is well while one of them works: the others are being started again. */
  async report(): Promise<HealthReport> {
    const members = this.#members();
    const reports = await Promise.all(members.map((worker) => this.#ask<HealthReport>(worker, { type: 'ask_health' })));
    const names = reports.map((report, n) => [`process ${n + 1}`, report?.ok ? 'ok' : 'failed'] as const);
    const pids = members.map((worker) => worker.process.pid ?? 0);
    return { ok: reports.some((report) => report?.ok), checks: Object.fromEntries(names), pids };
  }

  /** The metrics of all members together, also of those that have ended. */
  async metrics(): Promise<string> {
    // The first one that works looks at the host
    const first = [...this.#places].find(({ readySince }) => readySince !== null)?.worker;
    // Also those that are ending after they were replaced
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const answers = await Promise.all(
      workers.map(async (worker) => [worker.id, await this.#askMetrics(worker, worker === first)] as const),
    );
    return await this.#kept.sum(new Map(answers));
  }

  /**
   * Replaces each member by a new process, one after the other. A member ends after its replacement
   * is ready, so no peer is refused. A replacement that does not get ready leaves the others as
   * they are; they hear of it, and the answer is false.
   */
  replaceAll(): Promise<boolean> {
    this.#replacing ??= this.#replaceOneByOne().finally(() => {
      this.#replacing = null;
    });
    return this.#replacing;
  }

  /** Lets all members finish what they do. Returns whether all ended cleanly. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    const members = this.#members();
    await Promise.all(members.map((worker) => end(worker)));
    return members.every((worker) => worker.process.exitCode === 0);
  }

  async #replaceOneByOne(): Promise<boolean> {
    for (const place of this.#places) {
      if (this.#isStopping) return true;
      const old = place.worker;
      const next = this.#fork();
      const isReady = await untilReady(next);
      if (!isReady) {
        log.error('a process could not be replaced: its replacement did not get ready', { pid: old.process.pid });
        await end(next);
        for (const member of this.#members()) tell(member, { type: 'replace_failed' });
        return false;
      }
      // The old one died meanwhile and is started again, or everything ends
      if (this.#isStopping || !this.#places.has(place)) {
        await end(next);
        continue;
      }
      Object.assign(place, { worker: next, readySince: Date.now() });
      next.once('exit', (code, signal) => this.#onExit(place, next, signal || `status ${code}`));
      // What it has counted up to now stays in the sum
      await this.#askMetrics(old, false);
      await end(old, 'SIGHUP');
      log.info('a process was replaced', { old: old.process.pid, new: next.process.pid });
    }
    return true;
  }

  #launch(backOff: BackOff): void {
    const worker = this.#fork();
    const place: Place = { worker, backOff, readySince: null };
    this.#places.add(place);
    void this.#noteReady(place);
    worker.once('exit', (code, signal) => this.#onExit(place, worker, signal || `status ${code}`));
  }

  async #noteReady(place: Place): Promise<void> {
    if (!(await untilReady(place.worker))) return;
    place.readySince = Date.now();
    this.#hasBeenReady ||= [...this.#places].every(({ readySince }) => readySince !== null);
  }

  #fork(): Worker {
    const worker = cluster.fork();
    worker.on('message', (message: ToPrimary) => this.#hear(worker, message));
    worker.on('error', (error) => log.warn('a process could not be reached', { pid: worker.process.pid, error }));
    this.#kept.begin(worker.id);
    worker.once('exit', () => {
      this.#counts.forget(worker.id);
      this.#kept.end(worker.id);
    });
    return worker;
  }

  #onExit(place: Place, worker: Worker, how: string): void {
    // A member that was replaced, or told to end
    if (this.#isStopping || place.worker !== worker) return;
    this.#places.delete(place);
    const { pid } = worker.process;
    if (!this.#hasBeenReady) {
      log.error('a process ended before it was ready', { pid, how });
      void this.stop().then(() => process.exit(1));
      return;
    }
    const healthyMs = place.readySince === null ? 0 : Date.now() - place.readySince;
    const pauseMs = place.backOff.next(healthyMs);
    this.#kept.noteDeath();
    log.error('A PROCESS DIED and is started again', { pid, how, pauseMs });
    setTimeout(() => !this.#isStopping && this.#launch(place.backOff), pauseMs);
  }

  #members(): Worker[] {
    return [...this.#places].map(({ worker }) => worker).filter((worker) => !worker.isDead());
  }

  #hear(worker: Worker, message: ToPrimary): void {
    switch (message.type) {
      case 'health':
        this.#questions.get(message.id)?.(message.report);
        break;
      case 'metrics':
        this.#kept.note(worker.id, message.metrics);
        this.#questions.get(message.id)?.(message.metrics);
        break;
      case 'ask_all_metrics':
        this.metrics().then(
          (text) => tell(worker, { type: 'all_metrics', id: message.id, text }),
          (error: unknown) => log.warn('metrics could not be added up', { error }),
        );
        break;
      case 'ask_counts':
        for (const known of this.#counts.of(message.door, worker.id)) tell(worker, known);
        break;
      case 'counts':
        this.#counts.note(worker.id, message);
        break;
      case 'replace':
        void this.replaceAll();
        break;
      case 'ready':
        break;
    }
  }

  #askMetrics(worker: Worker, ofHost: boolean): Promise<MetricsJson | null> {
    return this.#ask<MetricsJson>(worker, { type: 'ask_metrics', ofHost });
  }

  /** The member's answer; null when it gives none in time. */
  async #ask<T>(
    worker: Worker,
    question: { type: 'ask_health' } | { type: 'ask_metrics'; ofHost: boolean },
  ): Promise<T | null> {
    const id = ++this.#lastQuestion;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#questions.set(id, resolve);
    tell(worker, { ...question, id });
    try {
      return (await withDeadline(promise, answerMs)) as T;
    } catch {
      // It is starting, ending, or its event loop stands still
      return null;
    } finally {
      this.#questions.delete(id);
    }
  }
}

/** False when the member ends, or needs too long. */
async function untilReady(worker: Worker): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  worker.on('message', ({ type }: ToPrimary) => type === 'ready' && resolve(true));
  worker.once('exit', () => resolve(false));
  return await withDeadline(promise, readyMs).catch(() => false);
}

/**
 * Lets a member finish what it does, and waits until it is gone. After SIGHUP it gives its peers
 * more time, as its replacement is there.
 */
async function end(worker: Worker, signal: 'SIGTERM' | 'SIGHUP' = 'SIGTERM'): Promise<void> {
  if (worker.isDead()) return;
  const gone = once(worker, 'exit');
  worker.process.kill(signal);
  const killer = setTimeout(() => worker.process.kill('SIGKILL'), stopMs);
  await gone;
  clearTimeout(killer);
}
