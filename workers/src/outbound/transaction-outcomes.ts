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
    const isLeft = end.kind === 'accepted' && isTooManyRecipients(error, accepted.length);
    outcomes.set(error.recipient, isLeft ? { ...outcome, kind: 'next_transaction' } : outcome);
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
  if (mailError?.responseCode !== undefined && mailError.responseCode >= 500) return true;
  const { responseCode } = error;
  return accepted.length === 0 && rejectedErrors.length === 0 && (responseCode === undefined || responseCode === 421);
}
