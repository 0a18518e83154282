import type { TxCtx } from '../context/context.ts';
import type { NamedAddress } from '../mail/mailbox-text.ts';
import type { StorableSummary } from '../mail/parsed-message.ts';
import type { User } from '../models/user.ts';

/** A message that a person of this host wants to send. */
export interface Submission {
  user: User;
  /** The whole message as written (RFC 5322). A Bcc field in it is removed. */
  raw: Buffer;
  door: 'web' | 'submission';
  /** The recipients of the envelope; if absent, those in To, Cc and `bcc`. */
  recipients?: string[];
  /** Bcc recipients, kept on the sender's own copy alone. */
  bcc: string[];
  /** Names that the sender gives to recipients that the header does not name. */
  called?: readonly NamedAddress[];
  /** For how long the deliveries wait, so that the sender can take the message back (D29). */
  holdMs?: number;
  /** When it leaves, if its sender wants it sent later: until then it can be taken back (D48). */
  sendAt?: Date | undefined;
  isForwarded?: boolean;
  /**
   * Database work that must happen if, and only if, the message is committed, such as removing its
   * draft.
   */
  alongside?: (ctx: TxCtx, submitted: Submitted) => Promise<void>;
}

/** The result for the caller, once everything is committed. */
export interface Submitted {
  /** The sender's own copy, in Sent or Scheduled. */
  entryId: string;
  messageId: string;
  /** Names the message in Received, in log lines and in the ledger. */
  mailId: string;
  undoUntil: Date | null;
  isScheduled: boolean;
}

/** A submission that was checked, and whose blob is durable. */
export interface AcceptedSubmission {
  source: Submission;
  parsed: StorableSummary;
  blob: { key: string; size: number };
  /** The message as it is stored. */
  raw: Buffer;
  mailId: string;
  recipients: string[];
  /** Recipients that the header does not name. */
  bcc: string[];
  /** Whether the sender's mailbox has no storage limit. */
  isUnlimited: boolean;
}
