import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import type { Checks } from '@selvage/core/ledger/message-facts';
import type { HarakaTransaction } from './haraka.ts';
import type { MessageCollector } from './message-collector.ts';

/** What is known of a message whose bytes have begun to come, filled in as it is found out. */
export interface Known {
  messageIdHeader: string | null;
  checks: Checks | null;
}

/** What the plugins note about one transaction between MAIL FROM and the end of DATA. */
export interface Envelope {
  mailId: string;
  /** Empty for the null sender. */
  from: string;
  /** What the sender says of the message's size (RFC 1870); 0 when it says nothing. */
  declaredBytes: number;
  /** The people that the accepted addresses lead to: several for a group. */
  recipients: LocalRecipient[];
  collector: MessageCollector | null;
  known: Known;
}

/** The addresses of the envelope, each once however many people it leads to. */
export function addressesOf(recipients: readonly { address: string }[]): Set<string> {
  return new Set(recipients.map(({ address }) => address));
}

const envelopes = new WeakMap<HarakaTransaction, Envelope>();

/** Begins the notes of a transaction. */
export function openEnvelope(transaction: HarakaTransaction, mailId: string, from: string): Envelope {
  const known = { messageIdHeader: null, checks: null };
  const envelope: Envelope = { mailId, from, declaredBytes: 0, recipients: [], collector: null, known };
  envelopes.set(transaction, envelope);
  return envelope;
}

/** The notes of a transaction, which MAIL FROM began. */
export function envelopeOf(transaction: HarakaTransaction | null): Envelope {
  const envelope = transaction && envelopes.get(transaction);
  if (!envelope) throw new Error('no transaction');
  return envelope;
}

/** The notes, if the transaction has any. */
export function findEnvelope(transaction: HarakaTransaction | null): Envelope | null {
  return (transaction && envelopes.get(transaction)) ?? null;
}
