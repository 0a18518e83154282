import { addLedgerRows, type LedgerEntry } from '@selvage/core/ledger/add-ledger-rows';
import { subscriberOf } from '@selvage/core/access/network-of';
import { log } from '@selvage/core/log';
import { type Reply, replyLine } from '../reply.ts';
import { runningApp } from './running-app.ts';

/** A recipient whose mail was refused, at RCPT TO or after DATA. */
export interface Refusal {
  mailId: string;
  from: string;
  recipient: string;
  companyId: string | null;
  reply: Reply;
}

/** Rows a minute for one address: enough to explain any real sender, too few to fill the table. */
const rowsPerMinutePerAddress = 30;
const maxWaiting = 1000;
const flushMs = 500;

/**
 * Writes the ledger rows of refusals, in batches and after the reply. They are best effort: the log
 * has every refusal, and these rows are for a person who asks what became of a message.
 */
class RefusalLedger {
  private waiting: LedgerEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private counts = new Map<string, number>();
  private minute = 0;

  /**
   * Notes a refusal. Drops it when its address has too many, when too many wait, or when this host
   * failed.
   */
  note(address: string, refusal: Refusal): void {
    if (refusal.reply.reason === 'internal_error' || this.waiting.length >= maxWaiting) return;
    if (!this.countWithinLimit(subscriberOf(address))) return;
    this.waiting.push(entryOf(address, refusal));
    this.timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** Writes the waiting rows. Settles once all that were noted so far are written or given up. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    // One batch after the other: a slow database gets no second one meanwhile, and the shutdown
    // waits for the one under way
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    if (rows.length === 0) return;
    try {
      await addLedgerRows({ app: runningApp() }, rows);
    } catch (error) {
      // The peer has its reply and the log its line. While the database is away, rows must not pile
      // up in memory
      log.warn('refusals were not written to the ledger', { rows: rows.length, error });
    }
  }

  private countWithinLimit(subscriber: string): boolean {
    const minute = Math.floor(Date.now() / 60_000);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(subscriber) ?? 0) + 1;
    this.counts.set(subscriber, count);
    return count <= rowsPerMinutePerAddress;
  }
}

function entryOf(address: string, { mailId, from, recipient, companyId, reply }: Refusal): LedgerEntry {
  return {
    companyId,
    messageId: null,
    mailId,
    direction: 'in',
    recipient,
    envelopeFrom: from,
    state: 'refused',
    reason: reply.reason,
    lastReply: `${reply.code} ${replyLine(reply)}`,
    remoteHost: address,
  };
}

/** The ledger of this process. */
export const refusals = new RefusalLedger();
