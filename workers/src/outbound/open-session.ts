import { cleanReply, judgeConnectFailure, type Outcome, type SmtpClientError } from './outcome.ts';
import type { SessionOptions } from './session-options.ts';
import { SmtpSession } from './smtp-session.ts';

/**
 * Opens a session with opportunistic TLS: an unproven certificate is better than none. When the
 * handshake itself fails, the message goes in the clear, as it would to a server without STARTTLS
 * (RFC 7435).
 */
async function openOpportunistically(options: SessionOptions, ended: AbortSignal): Promise<SmtpSession> {
  try {
    return await SmtpSession.open(options, ended);
  } catch (error) {
    if (options.tls !== 'opportunistic' || !(error as SmtpClientError).isTlsFailure) throw error;
    return await SmtpSession.open({ ...options, tls: 'none' }, ended);
  }
}

/** Opens a session, or returns the outcome of the failure. */
export async function tryToOpen(options: SessionOptions, ended: AbortSignal): Promise<SmtpSession | Outcome> {
  try {
    return await openOpportunistically(options, ended);
  } catch (error) {
    const outcome = judgeConnectFailure(error as SmtpClientError, options.serverName);
    if ((error as SmtpClientError).isTlsFailure !== true) return outcome;
    if (!options.proof) return { ...outcome, reason: 'tls_required_failed' };
    return policyFailure(options.serverName, `not as the domain demands: ${outcome.reply}`);
  }
}

/** The outcome for a server that a domain's policy rules out. Another server may do. */
export function policyFailure(host: string, text: string): Outcome {
  // RFC 3463 3.8: X.7.5 is a failure of cryptography
  return { kind: 'unreachable', reason: 'tls_policy', reply: cleanReply(`451 4.7.5 ${text}`), host };
}
