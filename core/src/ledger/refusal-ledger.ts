import { BatchedWrites } from '../batched-writes.ts';
import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { log } from '../log.ts';
import { addLedgerRows, type LedgerEntry } from './add-ledger-rows.ts';

/** A reply that refused a message, or one recipient of it. */
export interface Refusal
  extends Pick<LedgerEntry, 'companyId' | 'mailId' | 'direction' | 'recipient' | 'facts' | 'messageIdHeader'> {
  envelopeFrom: string;
  reason: LedgerEntry['reason'];
  /** The reply as the peer got it. */
  lastReply: string;
  /** Address of the peer. */
  remoteHost: string;
  /**
   * The network or the person from which the message came. All refusals of one source share a limit
   * of rows.
   */
  source: string;
}

/** A refusal with the time of its reply, however late its row is written. */
type Noted = LedgerEntry & { createdAt: Date };

/**
 * The most rows a minute for one source: enough to explain the refusals of any real sender, too few
 * to fill the table.
 */
const rowsPerMinute = 30;
const mostWaiting = 1000;
/**
 * The most counted rows that wait for the end of their minute. Beyond it, sources and minutes are
 * no longer distinguished.
 */
const mostCounted = 1000;
/** In one minute, refusals of more sources than this get no rows of their own and are counted. */
const mostSources = 1000;
const flushMs = 500;
const minuteMs = 60_000;

/**
 * Writes a ledger row for each refusal, in batches and after the reply. If a source is refused more
 * than 30 times a minute, its further refusals are counted: one row for each minute, source,
 * direction, company and reason holds the number of replies, and the time of the first of them. A
 * single one keeps its sender and recipient. While the database is away, rows wait in memory.
 * Beyond a limit they are counted as well, so that memory is bounded and no refusal is lost.
 */
export class RefusalLedger {
  readonly #target: () => DatabaseTarget;
  #waiting: Noted[] = [];
  /** The rows of the last write, if it failed: the database may have written them all the same. */
  #unsure: Noted[] = [];
  readonly #counted = new Map<string, Noted & { answers: number }>();
  readonly #rows = new Map<string, number>();
  readonly #writes = new BatchedWrites({
    write: (isEnd) => this.#write(isEnd),
    firstMs: flushMs,
    restMs: 10 * flushMs,
  });
  #minute = 0;

  constructor(target: () => DatabaseTarget) {
    this.#target = target;
  }

  note({ source, ...refusal }: Refusal): void {
    const entry: Noted = { ...refusal, messageId: null, state: 'refused', createdAt: new Date() };
    if (this.#mayHaveRow(source) && this.#waiting.length < mostWaiting) this.#waiting.push(entry);
    else this.#count(source, entry);
    this.#writes.begin();
  }

  /**
   * Writes everything that was noted so far. Resolves once it is written or the write has failed.
   */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  async #write(isEnd: boolean): Promise<boolean> {
    try {
      await this.#takeBack();
      this.#unsure = [...this.#waiting.splice(0), ...this.#takeCounted(isEnd)];
      if (this.#unsure.length > 0) await addLedgerRows(this.#target(), this.#unsure);
      this.#unsure = [];
    } catch (error) {
      log.warn('refusals wait to be written to the ledger', { rows: this.#unsure.length, error });
    }
    return this.#unsure.length + this.#waiting.length + this.#counted.size > 0;
  }

  /**
   * The rows of a failed write were either all written, or none of them. If none was, they wait
   * again.
   */
  async #takeBack(): Promise<void> {
    const [first] = this.#unsure;
    if (first === undefined) return;
    if (!(await isWritten(this.#target(), first))) for (const row of this.#unsure) this.#keep(row);
    this.#unsure = [];
  }

  /** Lets a row wait again that could not be written, or counts it when too many wait. */
  #keep(row: Noted): void {
    const isOne = (row.answers ?? 1) === 1;
    if (isOne && this.#waiting.length < mostWaiting) this.#waiting.push(row);
    else this.#count(row.remoteHost ?? '', row);
  }

  #count(source: string, entry: Noted): void {
    const answers = entry.answers ?? 1;
    const isFull = this.#counted.size >= mostCounted;
    const name = isFull ? '' : source;
    // The key has no minute when the map is full, so that it gets no new keys while the database is
    // away for hours
    const key = [isFull ? '' : minuteOf(entry.createdAt), name, entry.direction, entry.companyId, entry.reason].join(
      '|',
    );
    const known = this.#counted.get(key);
    if (!known && answers === 1) {
      this.#counted.set(key, { ...entry, answers });
      return;
    }
    // What only the first refusal says doesn't apply to all that are counted with it
    const { facts: _facts, messageIdHeader: _messageId, remoteHost, ...shared } = known ?? entry;
    this.#counted.set(key, {
      ...shared,
      recipient: '',
      envelopeFrom: '',
      remoteHost: name === '' ? null : (remoteHost ?? null),
      answers: answers + (known?.answers ?? 0),
    });
  }

  /** Removes and returns the counts of past minutes, or all counts at the end. */
  #takeCounted(isEnd: boolean): Noted[] {
    const minute = minuteOf(new Date());
    const over = [...this.#counted].filter(([, { createdAt }]) => isEnd || minuteOf(createdAt) < minute);
    for (const [key] of over) this.#counted.delete(key);
    return over.map(([, entry]) => entry);
  }

  #mayHaveRow(source: string): boolean {
    const minute = minuteOf(new Date());
    if (minute !== this.#minute) this.#rows.clear();
    this.#minute = minute;
    const count = (this.#rows.get(source) ?? 0) + 1;
    if (this.#rows.size < mostSources || this.#rows.has(source)) this.#rows.set(source, count);
    else return false;
    return count <= rowsPerMinute;
  }
}

/** Whether a row was written. The lock waits for a statement that is still under way. */
async function isWritten(target: DatabaseTarget, { mailId, recipient, reason, createdAt }: Noted): Promise<boolean> {
  const rows = await readRows(
    target,
    `SELECT id FROM deliveries FORCE INDEX (deliveries_mail)
      WHERE mail_id = ? AND state = 'refused' AND recipient = ? AND reason = ? AND created_at = ?
      LIMIT 1 LOCK IN SHARE MODE`,
    [mailId, recipient.slice(0, 320), reason, createdAt],
  );
  return rows.length > 0;
}

function minuteOf(moment: Date): number {
  return Math.floor(moment.getTime() / minuteMs);
}
