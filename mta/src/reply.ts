import type { Reason } from '@selvage/core/ledger/reasons';

/** An answer to a command: what the peer reads, and why in one word for log, metric and ledger. */
export interface Reply {
  code: number;
  /** RFC 3463. */
  enhancedCode: string;
  text: string;
  reason: Reason;
}

/** The line after the code. */
export function replyLine(reply: Reply): string {
  return `${reply.enhancedCode} ${reply.text}`;
}

/** Ours, not the sender's fault: it keeps the mail and comes again. */
export const ourFailure: Reply = {
  code: 451,
  enhancedCode: '4.3.0',
  text: 'Temporary failure, try again later',
  reason: 'internal_error',
};

export const tooManyConnections: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Too many connections from your address',
  reason: 'rate_limited',
};

/** A connection that took too long over something, or had to give way. */
export const connectionEnds: Reply = {
  code: 421,
  enhancedCode: '4.4.2',
  text: 'The connection took too long and ends',
  reason: 'timeout',
};

export const noRoom: Reply = {
  code: 452,
  enhancedCode: '4.3.1',
  text: 'Too much mail at once, try again later',
  reason: 'rate_limited',
};

export const messageTooLarge: Reply = {
  code: 552,
  enhancedCode: '5.3.4',
  text: 'The message is larger than we take',
  reason: 'message_too_large',
};

/** Says how the peer will read it: as done, for later, or for good. */
export function outcomeOf(reply: Reply): 'accepted' | 'deferred' | 'rejected' {
  if (reply.code < 400) return 'accepted';
  return reply.code < 500 ? 'deferred' : 'rejected';
}
