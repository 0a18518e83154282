import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import type { Inspection } from './inspect-message.ts';
import type { Reply } from '../reply.ts';

/** Everything that is known about a message after its last byte. */
export interface Evidence {
  inspection: Inspection;
  /** Whether a line was too long to be kept whole. */
  hasEndlessLine: boolean;
  /**
   * Null in the first pass, which refuses bad messages before this host makes DNS queries for them.
   */
  authentication: AuthenticationResults | null;
}

/** The decision. */
export type Verdict = { accept: true; folder: 'inbox' | 'junk' } | { accept: false; reply: Reply };

/**
 * RFC 5321 6.3 advises at least 100. Real loops pass 50 within minutes, and real mail stays below
 * 30.
 */
const maxReceivedFields = 50;

/**
 * Decides about a message by the evidence alone. A failure of DNS refuses no message for good: it
 * is taken, or its sender may try again (`isPolicyOpen`).
 */
export function judgeMessage({ inspection, hasEndlessLine, authentication }: Evidence): Verdict {
  // Some servers read a bare CR or a NUL as a line end and others do not. That is how messages are
  // smuggled
  if (inspection.hasBareCr) return malformed('Bare CR in the message: lines must end with CRLF');
  if (inspection.hasNul) return malformed('The message contains a NUL byte');
  if (hasEndlessLine) return malformed('A line of the message is too long');
  // RFC 5322 3.6 asks for exactly one From field. A message without one is tolerated. With two, the
  // reader may see one while DMARC checked the other
  if (inspection.fromFields > 1) return malformed('The message has more than one From field');
  if (inspection.isFromTooLong) return malformed('The From field is too long');
  // RFC 7489 6.6.1: a policy holds for one domain, and readers show the first address only
  if (inspection.fromAddresses > 1) return malformed('The From field has more than one address');
  // RFC 9989 11.5: without exactly one author domain no policy can be looked up, yet a reader sees
  // an address
  if (inspection.isFromUnclear) return malformed('The address in the From field is malformed');
  if (inspection.receivedFields > maxReceivedFields) {
    return refuse({ code: 554, enhancedCode: '5.4.6', text: 'Mail loop: too many Received fields', reason: 'loop' });
  }
  if (authentication && fails(authentication, 'reject')) {
    const domain = authentication.dmarc.domain ?? 'the From domain';
    const text = `The message fails DMARC, and the policy of ${domain} is to reject it`;
    return refuse({ code: 550, enhancedCode: '5.7.1', text, reason: 'dmarc_reject' });
  }
  if (authentication && isPolicyOpen(authentication)) {
    const text = 'The DMARC check of the From domain could not be finished, try again later';
    return refuse({ code: 451, enhancedCode: '4.7.1', text, reason: 'dns_failure' });
  }
  const isJunk = authentication !== null && fails(authentication, 'quarantine');
  return { accept: true, folder: isJunk ? 'junk' : 'inbox' };
}

function fails({ dmarc, temporaryFailure }: AuthenticationResults, policy: 'quarantine' | 'reject'): boolean {
  return dmarc.result === 'fail' && dmarc.policy === policy && !temporaryFailure;
}

/**
 * Whether DMARC is undecided and the domain asks for enforcement. The sender may try again. To take
 * the message would let a forger in, who chooses which names are asked for: those of slow name
 * servers, or names below the author's domain that no server answers for.
 */
function isPolicyOpen({ dmarc, temporaryFailure }: AuthenticationResults): boolean {
  const isUndecided = dmarc.result === 'temperror' || (dmarc.result === 'fail' && temporaryFailure);
  return isUndecided && (dmarc.policy === 'reject' || dmarc.policy === 'quarantine');
}

function malformed(text: string): Verdict {
  return refuse({ code: 550, enhancedCode: '5.6.0', text, reason: 'malformed_message' });
}

function refuse(reply: Reply): Verdict {
  return { accept: false, reply };
}
