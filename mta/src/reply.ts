import type { Reason } from '@selvage/core/ledger/reasons';
import type { HeaderProblem } from '@selvage/core/mail/header-guard';

/** The reply to a command, with its reason in one word for log, metric and ledger. */
export interface Reply {
  code: number;
  /** RFC 3463. Empty for a text of Haraka's or smtp-server's own. */
  enhancedCode: string;
  text: string;
  reason: Reason;
}

/** The text of the reply line, after the code. */
export function replyLine({ enhancedCode, text }: Reply): string {
  return enhancedCode === '' ? text : `${enhancedCode} ${text}`;
}

/** A failure of this host. The sender keeps the mail and tries again. */
export const ourFailure: Reply = {
  code: 451,
  enhancedCode: '4.3.0',
  text: 'Temporary failure, try again later',
  reason: 'internal_error',
};

/** The reply to a peer while the process shuts down. */
export const shuttingDown: Reply = {
  code: 421,
  enhancedCode: '4.3.2',
  text: 'Service is shutting down, try again in a moment',
  reason: 'internal_error',
};

export const tooManyConnections: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Too many connections from your IP address, try again later',
  reason: 'rate_limited',
};

/**
 * The reply to a peer that took too long over a stage of the connection, or whose transfer is too
 * slow.
 */
export const connectionEnds: Reply = {
  code: 421,
  enhancedCode: '4.4.2',
  text: 'The connection took too long and is closed',
  reason: 'timeout',
};

export const tooMuchAtOnce: Reply = {
  code: 452,
  enhancedCode: '4.3.1',
  text: 'Too much mail at once, try again later',
  reason: 'rate_limited',
};

/** The sender keeps the message and tries again; the mailbox may have room by then. */
export const mailboxFull: Reply = {
  code: 452,
  enhancedCode: '4.2.2',
  text: 'The mailbox is full, try again later',
  reason: 'mailbox_full',
};

/** The message is larger than the mailbox may hold, so it never fits. */
export const largerThanMailbox: Reply = {
  code: 552,
  enhancedCode: '5.2.3',
  text: 'The message is larger than the mailbox may hold',
  reason: 'message_too_large',
};

export const messageTooLarge: Reply = {
  code: 552,
  enhancedCode: '5.3.4',
  text: 'The message is larger than this host accepts',
  reason: 'message_too_large',
};

const headerTexts: Record<HeaderProblem, string> = {
  header_too_large: 'The header of the message is too large',
  too_many_header_lines: 'The header of the message has too many lines',
  too_many_fields: 'The header of the message has too many fields',
  field_too_long: 'A field of the header is too long',
};

/**
 * The reply to a header over a limit. RFC 3463: what is too large is 5.3.4, what is malformed is
 * 5.6.0.
 */
export function headerRefused(problem: HeaderProblem): Reply {
  const isTooLarge = problem === 'header_too_large' || problem === 'field_too_long';
  return {
    ...(isTooLarge ? { code: 552, enhancedCode: '5.3.4' } : { code: 550, enhancedCode: '5.6.0' }),
    text: headerTexts[problem],
    reason: 'header_over_limit',
  };
}

/** How the peer reads the reply: accepted, to be tried again, or refused for good. */
export function outcomeOf(reply: Reply): 'accepted' | 'deferred' | 'rejected' {
  if (reply.code < 400) return 'accepted';
  return reply.code < 500 ? 'deferred' : 'rejected';
}
