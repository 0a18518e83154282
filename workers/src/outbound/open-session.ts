import { judgeConnectFailure, type Outcome, policyFailure, type SmtpClientError, TransferCut } from './outcome.ts';
import type { SessionOptions } from './session-options.ts';
import { SmtpSession } from './smtp-session.ts';

/**
 * Opens a session. Where TLS is opportunistic and its handshake fails, the message goes in the
 * clear, as it would to a server without STARTTLS (RFC 7435).
 */
async function openOrFallBack(options: SessionOptions, ended: AbortSignal): Promise<SmtpSession> {
  try {
    return await SmtpSession.open(options, ended);
  } catch (error) {
    if (options.tls !== 'opportunistic' || !(error as SmtpClientError).isTlsFailure) throw error;
    return await SmtpSession.open({ ...options, tls: 'none' }, ended);
  }
}

/**
 * Opens a session, or returns the outcome of the failure.
 * @throws TransferCut when `ended` is aborted first
 */
export async function tryToOpen(options: SessionOptions, ended: AbortSignal): Promise<SmtpSession | Outcome> {
  try {
    return await openOrFallBack(options, ended);
  } catch (error) {
    if (ended.aborted) throw new TransferCut(false);
    const outcome = judgeConnectFailure(error as SmtpClientError, options.serverName);
    if ((error as SmtpClientError).isTlsFailure !== true) return outcome;
    if (!options.proof) return { ...outcome, reason: 'tls_required_failed' };
    return policyFailure(options.serverName, `not as the domain demands: ${outcome.reply}`);
  }
}
