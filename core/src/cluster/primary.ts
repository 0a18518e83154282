import { messageOf } from '../errors.ts';
import cluster from 'node:cluster';
import type { LogWriter } from '../log.ts';
import type { MetricsJson } from '../metrics.ts';
import type { HealthReport } from '../process/health.ts';
import { withDeadline } from '../with-deadline.ts';
import { type BackOff, createBackOff } from './back-off.ts';
import { CountRelay } from './count-relay.ts';
import { KeptMetrics } from './kept-metrics.ts';
import { type MemberEnd, MemberProcess, type MemberStart } from './member-process.ts';
import type { ToPrimary } from './messages.ts';

/** A member ends its own drain after 20 s. Later than that it is killed. */
const stopMs = 25_000;
const answerMs = 3_500;

/** One of the places for members; the member in it changes when one dies or is replaced. */
interface Place {
  /** None while the place waits for the next start. */
  member: MemberProcess | null;
  backOff: BackOff;
  /** How many times the usual limit the next start may take. */
  patience: number;
  timer?: NodeJS.Timeout;
}

/**
 * The most patience with a start. Each start that was killed doubles it: on a slow machine a start
 * that is always killed after the same time would never come to its end.
 */
const mostPatience = 16;

/** A question that a member has not answered yet. */
interface Question {
  member: MemberProcess;
  /** Null when it gives no answer. */
  resolve(answer: unknown): void;
}

/** A member that ended although nothing had told it to. */
export interface MemberDeath extends MemberEnd {
  pid: number | undefined;
  /** When it is started again. */
  pauseMs: number;
}

export interface PrimaryOptions {
  /** How many members do the work. */
  count: number;
  start: MemberStart;
  log: LogWriter;
  /** A member took a place, got ready in it, or died in it. */
  onChange?(): void;
  onDeath?(death: MemberDeath): void;
  /**
   * A member ended before all had done their work at the same time. Unless this is given, it is
   * started again like any other.
   */
  onFailedStart?(): void;
}

/**
 * Starts the members of one program, starts each again that dies, and replaces them one by one when
 * it is asked to. A process may be the primary of several programs.
 *
 * Members share listening sockets, and the one that is idle accepts (`SCHED_NONE`). With a queue
 * for each (`SO_REUSEPORT`), connections would wait at a member whose event loop is busy while
 * another is idle.
 */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #places: Place[] = [];
  /** Also those that have no place yet, or none any more. */
  readonly #members = new Set<MemberProcess>();
  readonly #counts = new CountRelay(this.#members);
  readonly #kept = new KeptMetrics();
  readonly #questions = new Map<number, Question>();
  #lastQuestion = 0;
  #hasBeenReady = false;
  #isStopping = false;
  #replacing: Promise<boolean> | null = null;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  start(): void {
    for (let n = 0; n < this.#options.count; n++) {
      const place: Place = { member: null, backOff: createBackOff(), patience: 1 };
      this.#places.push(place);
      this.#launch(place);
    }
  }

  /** The members that have a place; it is empty while all wait for their next start. */
  get pids(): number[] {
    return this.#placed().flatMap(({ pid }) => pid ?? []);
  }

  /**
   * Asks every member. Healthy once all members have been ready at the same time, and from then on
   * while at least one of them is: a member that died is being started again.
   */
  async report(): Promise<HealthReport> {
    const members = this.#placed();
    const reports = await Promise.all(members.map((member) => this.#askHealth(member)));
    const names = reports.map((report, n) => [`process ${n + 1}`, report?.ok ? 'ok' : 'failed'] as const);
    const engines = reports.find((report) => report !== null)?.checks;
    const pids = members.flatMap(({ pid }) => pid ?? []);
    const ok = this.#hasBeenReady && reports.some((report) => report?.ok);
    const processes = this.#options.count === 1 && engines ? {} : Object.fromEntries(names);
    return { ok, checks: { ...engines, ...processes }, pids };
  }

  /** The metrics of all members together, also of those that have ended. */
  async metrics(): Promise<string> {
    // The first one that works looks at the host
    const first = this.#placed().find(({ readySince }) => readySince !== null);
    // Also those that are ending after they were replaced
    const answers = await Promise.all(
      [...this.#members].map(async (member) => [member.id, await this.#askMetrics(member, member === first)] as const),
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

  /**
   * Lets all members finish what they do, and kills those that need longer than the limit. Returns
   * whether all ended cleanly. A second call may set a shorter limit.
   */
  async stop(limitMs = stopMs): Promise<boolean> {
    this.#isStopping = true;
    for (const { timer } of this.#places) clearTimeout(timer);
    const placed = this.#placed();
    await Promise.all([...this.#members].map((member) => member.end(limitMs)));
    return placed.every(({ endedCleanly }) => endedCleanly);
  }

  async #replaceOneByOne(): Promise<boolean> {
    for (const place of this.#places) {
      if (this.#isStopping) return false;
      const old = place.member;
      const next = await this.#startReady();
      if (next === null) {
        this.#options.log.error('a process could not be replaced: its replacement did not get ready', {
          pid: old?.pid,
        });
        for (const member of this.#placed()) member.tell({ type: 'replace_failed' });
        return false;
      }
      // The old one died meanwhile and is started again, or everything ends
      if (this.#isStopping || (place.member !== null && place.member !== old)) await next.end(stopMs);
      else await this.#give(place, next);
    }
    return true;
  }

  /** A new member that is ready; null when it did not get so. */
  async #startReady(): Promise<MemberProcess | null> {
    try {
      const member = this.#startMember();
      if (await member.untilReady()) return member;
      await member.end(stopMs);
    } catch (error) {
      this.#options.log.error('a process could not be started', { error });
    }
    return null;
  }

  /** Gives a place to a new member that is ready, and lets the one that had it end. */
  async #give(place: Place, next: MemberProcess): Promise<void> {
    const old = place.member;
    clearTimeout(place.timer);
    this.#occupy(place, next);
    if (old !== null) {
      // What it has counted up to now stays in the sum
      await this.#askMetrics(old, false);
      await old.end(stopMs, { isReplaced: true });
    }
    this.#options.log.info('a process was replaced', { old: old?.pid, new: next.pid });
  }

  #launch(place: Place): void {
    try {
      const member = this.#startMember();
      this.#occupy(place, member);
      void this.#watchStart(place, member);
    } catch (error) {
      // For example no memory for one more process
      this.#onEnd(place, null, { how: messageOf(error), isClean: false });
    }
  }

  async #watchStart(place: Place, member: MemberProcess): Promise<void> {
    const wasKilled = await member.endIfHung(place.patience);
    place.patience = wasKilled ? Math.min(mostPatience, 2 * place.patience) : 1;
  }

  #occupy(place: Place, member: MemberProcess): void {
    place.member = member;
    void member.ready.then((isReady) => isReady && this.#noteReady());
    void member.gone.then((end) => this.#onEnd(place, member, end));
    this.#options.onChange?.();
  }

  #noteReady(): void {
    this.#hasBeenReady ||= this.#places.every(({ member }) => member !== null && member.readySince !== null);
    this.#options.onChange?.();
  }

  #startMember(): MemberProcess {
    const { log, start } = this.#options;
    const member = new MemberProcess(start, log);
    this.#members.add(member);
    this.#kept.begin(member.id);
    member.hear((message) => this.#hear(member, message));
    void this.#forgetEnded(member);
    return member;
  }

  async #forgetEnded(member: MemberProcess): Promise<void> {
    await member.gone;
    this.#members.delete(member);
    this.#counts.forget(member.id);
    this.#kept.end(member.id);
    for (const question of this.#questions.values()) if (question.member === member) question.resolve(null);
  }

  #onEnd(place: Place, member: MemberProcess | null, end: MemberEnd): void {
    // A member that was replaced, or told to end
    if (this.#isStopping || place.member !== member) return;
    const { log, onFailedStart, onDeath, onChange } = this.#options;
    const pid = member?.pid;
    place.member = null;
    // One whose start hung is started again here, with more patience
    if (!this.#hasBeenReady && onFailedStart && !member?.wasHung) {
      log.error('a process ended before it was ready', { pid, how: end.how });
      onFailedStart();
      return;
    }
    const readySince = member?.readySince ?? null;
    const pauseMs = place.backOff.next(readySince === null ? 0 : Date.now() - readySince);
    this.#kept.noteDeath();
    log.error('A PROCESS DIED and is started again', { pid, how: end.how, pauseMs });
    place.timer = setTimeout(() => this.#launch(place), pauseMs);
    onDeath?.({ ...end, pid, pauseMs });
    onChange?.();
  }

  #placed(): MemberProcess[] {
    return this.#places.flatMap(({ member }) => (member === null || member.hasEnded ? [] : [member]));
  }

  #hear(member: MemberProcess, message: ToPrimary): void {
    switch (message.type) {
      case 'health':
        this.#questions.get(message.id)?.resolve(message.report);
        break;
      case 'metrics':
        this.#kept.note(member.id, message.metrics);
        this.#questions.get(message.id)?.resolve(message.metrics);
        break;
      case 'ask_all_metrics':
        this.metrics().then(
          (text) => member.tell({ type: 'all_metrics', id: message.id, text }),
          (error: unknown) => this.#options.log.warn('metrics could not be added up', { error }),
        );
        break;
      case 'ask_counts':
        for (const known of this.#counts.of(message.door, member.id)) member.tell(known);
        break;
      case 'counts':
        // A message that arrives after the member's end would be kept for ever
        if (!member.hasEnded) this.#counts.note(member.id, message);
        break;
      case 'make_room':
        this.#counts.makeRoom(member.id, message);
        break;
      case 'replace':
        // A replaced member may have asked before it knew that it was replaced
        if (this.#placed().includes(member)) void this.replaceAll();
        break;
      case 'ready':
        break;
    }
  }

  /** A member that does not work yet has no answer. */
  async #askHealth(member: MemberProcess): Promise<HealthReport | null> {
    return member.readySince === null ? null : await this.#ask<HealthReport>(member, { type: 'ask_health' });
  }

  async #askMetrics(member: MemberProcess, ofHost: boolean): Promise<MetricsJson | null> {
    return member.readySince === null ? null : await this.#ask<MetricsJson>(member, { type: 'ask_metrics', ofHost });
  }

  /** The member's answer; null when it gives none in time. */
  async #ask<T>(
    member: MemberProcess,
    question: { type: 'ask_health' } | { type: 'ask_metrics'; ofHost: boolean },
  ): Promise<T | null> {
    const id = ++this.#lastQuestion;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#questions.set(id, { member, resolve });
    member.tell({ ...question, id });
    try {
      return (await withDeadline(promise, answerMs)) as T | null;
    } catch {
      // The member is starting or ending, or its event loop is blocked
      return null;
    } finally {
      this.#questions.delete(id);
    }
  }
}
