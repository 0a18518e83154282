import { AppError } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { noRoomOf } from '@selvage/core/mailstore/require-room';
import { largerThanMailbox, mailboxFull, noRoom, ourFailure, type Reply } from './reply.ts';

/**
 * The SMTP reply for each HTTP status. Any other status below 500 is refused for good with 550
 * 5.6.0.
 */
const byStatus: Record<number, Pick<Reply, 'code' | 'enhancedCode' | 'reason'>> = {
  401: { code: 535, enhancedCode: '5.7.8', reason: 'not_allowed_to_send_as' },
  403: { code: 553, enhancedCode: '5.7.1', reason: 'not_allowed_to_send_as' },
  413: { code: 552, enhancedCode: '5.3.4', reason: 'message_too_large' },
  429: { code: 450, enhancedCode: '4.7.1', reason: 'rate_limited' },
};

const lineTooLong = { code: 554, enhancedCode: '5.6.0', reason: 'malformed_message' } as const;

/**
 * The one place of the submission door where an error becomes a reply. An unexpected error is a
 * failure of this host, so the peer keeps the mail and tries again.
 */
export function toSmtpReply(error: unknown): Reply {
  if (!(error instanceof AppError)) {
    log.error('a command failed', { error });
    return ourFailure;
  }
  if (error.code === 'too_much_at_once') return noRoom;
  if (error.status >= 500) {
    log.error('a command failed', { error });
    return { ...ourFailure, text: textOf(error) };
  }
  if (error.code === mailboxFull.reason) return { ...mailboxFull, text: textOf(error) };
  if (noRoomOf(error) === 'never') return { ...largerThanMailbox, text: textOf(error) };
  if (error.code === 'line_too_long') return { ...lineTooLong, text: textOf(error) };
  const how = byStatus[error.status] ?? { code: 550, enhancedCode: '5.6.0', reason: 'malformed_message' as const };
  return { ...how, text: textOf(error) };
}

/** Adds the problem of each field: a mail program shows nothing but this line. */
function textOf({ publicText, fields }: AppError): string {
  const problems = Object.values(fields ?? {});
  return [publicText, ...problems].join(' ').replace(/\s+/g, ' ').slice(0, 400);
}
