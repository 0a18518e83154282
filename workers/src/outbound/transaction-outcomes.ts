import { isTooManyRecipients, judgeSendFailure, type Outcome, type SmtpClientError } from './outcome.ts';

/** The envelope as nodemailer keeps it. Nodemailer adds the server's answer to each recipient. */
export interface LibraryEnvelope {
  from: string;
  to: string[];
  size: number;
  use8BitMime: boolean;
  accepted?: string[];
  rejectedErrors?: SmtpClientError[];
  mailError?: SmtpClientError;
}

/**
 * The outcome of each recipient. A recipient that the server refused at RCPT gets that reply, and
 * the others get the outcome of the transaction.
 */
export function outcomesOf(
  { accepted = [], rejectedErrors = [], mailError }: LibraryEnvelope,
  to: readonly string[],
  { end, host, isFallback }: { end: Outcome; host: string; isFallback: boolean },
): Map<string, Outcome> {
  const outcomes = new Map(to.map((address) => [address, end]));
  // After a refused MAIL the answers to RCPT only repeat that there is no transaction
  if (mailError) return outcomes;
  for (const error of rejectedErrors) {
    if (error.recipient === undefined) continue;
    const outcome = judgeSendFailure(error, host, isFallback);
    // RFC 5321 4.5.3.1.10: 552 means the same as 452 here, so it is no refusal for good
    const kind = end.kind === 'accepted' ? 'next_transaction' : 'next_server';
    const isSurplus = isTooManyRecipients(error, accepted.length);
    outcomes.set(error.recipient, isSurplus ? { ...outcome, kind, reason: 'remote_deferred' } : outcome);
  }
  return outcomes;
}

/**
 * Whether the server refused MAIL for good, or the transaction ended before the server answered for
 * any recipient: without a reply, or with 421, by which a server announces that it closes the
 * connection.
 */
export function isWornOut(
  { accepted = [], rejectedErrors = [], mailError }: LibraryEnvelope,
  error: SmtpClientError,
): boolean {
  // Nodemailer compares the size before it sends anything, so the connection is as good as before
  if (error.code === 'EMESSAGE') return false;
  if (mailError?.responseCode !== undefined && mailError.responseCode >= 500) return true;
  const { responseCode } = error;
  return accepted.length === 0 && rejectedErrors.length === 0 && (responseCode === undefined || responseCode === 421);
}
