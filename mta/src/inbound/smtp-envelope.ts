import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import type { Checks } from '@selvage/core/ledger/message-facts';
import type { HarakaTransaction } from './haraka.ts';
import type { MessageCollector } from './message-collector.ts';
import type { RecipientAnswer } from './take-recipient.ts';

/** What is found out about a message from its bytes, for the ledger. */
export interface Known {
  messageIdHeader: string | null;
  checks: Checks | null;
}

/** What the plugins note about one transaction between MAIL FROM and the end of DATA. */
export interface Envelope {
  mailId: string;
  /** Empty for the null sender. */
  from: string;
  /** The size that the sender has declared (RFC 1870); 0 when it declared none. */
  declaredBytes: number;
  /** How many RCPT commands a plugin was asked about, accepted or not. */
  recipientCommands: number;
  /** The people behind the accepted addresses: several for a group. */
  recipients: LocalRecipient[];
  /**
   * How the groups were answered that addresses of the transaction led to, by id. Another `+tag` of
   * a group gets the same answer.
   */
  groups: Map<string, RecipientAnswer>;
  collector: MessageCollector | null;
  /** Aborted when the transaction is over: the peer has its reply, or has disconnected. */
  over: AbortController;
  known: Known;
}

/** The addresses of the envelope, each once however many people it leads to. */
export function addressesOf(recipients: readonly { address: string }[]): Set<string> {
  return new Set(recipients.map(({ address }) => address));
}

const envelopes = new WeakMap<HarakaTransaction, Envelope>();

/** Makes the envelope of a transaction, after MAIL FROM was accepted. */
export function openEnvelope(transaction: HarakaTransaction, mailId: string, from: string): Envelope {
  const known = { messageIdHeader: null, checks: null };
  const envelope: Envelope = {
    mailId,
    from,
    declaredBytes: 0,
    recipientCommands: 0,
    recipients: [],
    groups: new Map(),
    collector: null,
    over: new AbortController(),
    known,
  };
  envelopes.set(transaction, envelope);
  return envelope;
}

/**
 * The envelope of a transaction.
 * @throws when MAIL FROM was not accepted
 */
export function envelopeOf(transaction: HarakaTransaction | null): Envelope {
  const envelope = transaction && envelopes.get(transaction);
  if (!envelope) throw new Error('no transaction');
  return envelope;
}

/** The envelope of a transaction; null when there is none. */
export function findEnvelope(transaction: HarakaTransaction | null): Envelope | null {
  return (transaction && envelopes.get(transaction)) ?? null;
}
