import type { Reason } from '@selvage/core/ledger/reasons';
import type { ReachedTls } from '@selvage/core/outbound/deliveries';

/** What every outcome tells of the attempt. */
interface Told {
  reason: Reason;
  reply: string;
  /**
   * The server whose reply, or whose failure to reply, decided the outcome. `reply` begins with a
   * code when these are its words, and otherwise describes the failed connection. Null when this
   * host decided by itself, also after it had asked a server: the ledger, reports and the trace
   * then have no server say the words.
   */
  host: string | null;
  /** The protection of the connection through which the server answered. */
  tls?: ReachedTls;
}

/** The result of sending a message to one recipient at a remote server. */
export type Outcome =
  /** 2xx after the data: the remote server is now responsible for the message. */
  | ({ kind: 'accepted' } & Told)
  /** Refused for good: trying again would change nothing. */
  | ({ kind: 'refused' } & Told)
  /** Not now, or the result is unknown: the schedule decides when to try again. */
  | ({ kind: 'deferred' } & Told)
  /**
   * Not now, and the server surely does not have the message: the next server may be tried at once.
   */
  | ({ kind: 'next_server' } & Told)
  /** The transaction was full: the recipient goes into the next one to the same server. */
  | ({ kind: 'next_transaction' } & Told);

/**
 * Thrown when this process ended and cut a transfer before the server had answered for the message.
 * The attempt has no outcome.
 */
export class TransferCut extends Error {
  override readonly name = 'TransferCut';
  /** Whether the server had all of the message, so that it may have taken it. */
  readonly mayHaveArrived: boolean;

  constructor(mayHaveArrived: boolean) {
    super('This host had to hang up');
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The parts of the SMTP client's error that are read here. */
export interface SmtpClientError extends Error {
  code?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
  command?: string | undefined;
  /** Of RCPT: the recipient that the server did not take. */
  recipient?: string | undefined;
  /** STARTTLS or its handshake failed. */
  isTlsFailure?: boolean;
}

const longestReply = 900;

/** One printable line of what a server said. */
export function cleanReply(text: string): string {
  // The remote server chose these words, and they end up in reports, logs and pages
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, longestReply);
}

/**
 * Whether the server says that this transaction takes no more recipients (RFC 5321 4.5.3.1.10). The
 * enhanced code X.5.3 says so beside any code. Without it, the usual codes can also mean a full
 * disk, so the answer is true only if the server took other recipients.
 */
export function isTooManyRecipients({ response = '' }: SmtpClientError, taken: number): boolean {
  return taken > 0 && /^[45](?:\d\d[ -][45]\.5\.3\b|52[ -](?![245]\.\d))/.test(response);
}

/**
 * Judges a failure before the message was offered: the connection, the greeting, EHLO, STARTTLS.
 */
export function judgeConnectFailure(error: SmtpClientError, host: string): Outcome {
  const reply = cleanReply(error.response ?? error.message);
  // RFC 5321 3.1: a host that greets with 5xx does not take mail now; another exchanger of the
  // domain may
  if (error.responseCode) return { kind: 'next_server', reason: 'remote_deferred', reply, host };
  return { kind: 'next_server', reason: error.code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed', reply, host };
}

/**
 * The outcome for a server that the domain's policy rules out. The policy may allow another server.
 * @param text what is wrong with the server, whose name stands before it
 */
export function policyFailure(host: string, text: string): Outcome {
  // RFC 3463 3.8: X.7.5 is a failure of cryptography
  return { kind: 'next_server', reason: 'tls_policy', reply: cleanReply(`451 4.7.5 ${host}: ${text}`), host: null };
}

/**
 * Judges a failure once the session is open: a refused MAIL, RCPT or message, a connection that
 * broke, or a message larger than the server has said that it takes.
 * @param isFallback the connection is in the clear, since the handshake has just failed
 */
export function judgeSendFailure(error: SmtpClientError, host: string, isFallback = false): Outcome {
  const reply = cleanReply(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  // RFC 3207 4: the server takes nothing without TLS. The next handshake may succeed
  if (code === 530 && isFallback) return { kind: 'next_server', reason: 'tls_required_failed', reply, host };
  if (code >= 500 && code < 600) return { kind: 'refused', reason: 'remote_refused', reply, host };
  if (code >= 400 && code < 500) {
    // RFC 5321 5.1: another exchanger may accept what this one defers, for example by greylisting
    const hasSeenData = error.code !== 'EENVELOPE';
    return { kind: hasSeenData ? 'deferred' : 'next_server', reason: 'remote_deferred', reply, host };
  }
  // Nodemailer compares the size before it sends MAIL
  if (error.code === 'EMESSAGE' && error.command === 'MAIL FROM') {
    return { kind: 'refused', reason: 'message_too_large', reply: `552 5.3.4 larger than ${host} takes`, host: null };
  }
  // The server may have the message. Asking another one at once could deliver it twice
  return { kind: 'deferred', reason: error.code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed', reply, host };
}
