import type { TxCtx } from '../context/context.ts';
import { insertRows } from '../database/insert-rows.ts';
import { changeRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { domainOf } from '../mail/address-rules.ts';
import { Delivery, type DeliveryState, type Expansion } from '../models/delivery.ts';
import { type Facts, writeFacts } from './message-facts.ts';
import { messageIdHash } from './message-id-hash.ts';
import type { Reason } from './reasons.ts';

/** The first data that the ledger stores of one message for one recipient (D30). */
export interface LedgerEntry {
  /**
   * The sender's company for outgoing mail, the recipient's for incoming; null when it is not
   * known.
   */
  companyId: string | null;
  /** Null for a refused message. */
  messageId: string | null;
  mailId: string;
  direction: 'in' | 'out';
  recipient: string;
  /** Empty for the null sender. */
  envelopeFrom: string;
  state: DeliveryState;
  reason: Reason;
  /** How many replies the row counts; 1 unless given, and 0 when it stands for none. */
  answers?: number;
  /** The sender's entry in Sent, or the recipient's entry. */
  entryId?: string | null;
  /** Outgoing: the time of the first attempt. */
  nextAttemptAt?: Date | null;
  /** Incoming: how the address led to the person. Null when it is the address of their mailbox. */
  expansion?: Expansion | null;
  /** Outgoing: address of the mailbox whose owner forwards the message to the recipient. */
  forwardedFor?: string | null;
  lastReply?: string | null;
  remoteHost?: string | null;
  /** The Message-ID, by which the row can be found. */
  messageIdHeader?: string | null;
  facts?: Facts | null;
  /** When the host answered; now unless given. */
  createdAt?: Date;
}

/**
 * Writes one row for each message and recipient, with one statement. Returns the rows' ids in their
 * order.
 */
export async function addLedgerRows(ctx: DatabaseTarget, entries: readonly LedgerEntry[]): Promise<string[]> {
  return await insertRows(ctx, Delivery, entries.map(rowOf));
}

/**
 * Adds to messages the number of rows that were written after their acceptance, in the transaction
 * that writes those rows.
 * @param further how many, by the id of the message
 */
export async function addRowCounts(ctx: TxCtx, further: ReadonlyMap<string, number>): Promise<void> {
  const counts = [...further].filter(([, rows]) => rows > 0);
  if (counts.length === 0) return;
  const cases = counts.map(() => 'WHEN ? THEN ?').join(' ');
  await changeRows(ctx, `UPDATE messages SET ledger_rows = ledger_rows + CASE id ${cases} END WHERE id IN (?)`, [
    ...counts.flat(),
    counts.map(([id]) => id),
  ]);
}

/** Peers choose some of these texts, so each is cut to the length of its column. */
function rowOf(entry: LedgerEntry) {
  return {
    companyId: entry.companyId,
    messageId: entry.messageId,
    mailId: entry.mailId,
    direction: entry.direction,
    recipient: entry.recipient.slice(0, 320),
    recipientDomain: domainOf(entry.recipient).toLowerCase().slice(0, 255),
    envelopeFrom: entry.envelopeFrom.slice(0, 320),
    state: entry.state,
    reason: entry.reason,
    answers: entry.answers ?? 1,
    entryId: entry.entryId ?? null,
    nextAttemptAt: entry.nextAttemptAt ?? null,
    expandedBy: entry.expansion?.by ?? null,
    expandedTo: entry.expansion?.to ?? null,
    forwardedFor: entry.forwardedFor ?? null,
    lastReply: entry.lastReply?.slice(0, 1000) ?? null,
    remoteHost: entry.remoteHost?.slice(0, 255) ?? null,
    messageIdHash: entry.messageIdHeader ? messageIdHash(entry.messageIdHeader) : null,
    facts: entry.facts ? writeFacts(entry.facts) : null,
    createdAt: entry.createdAt ?? new Date(),
  };
}
