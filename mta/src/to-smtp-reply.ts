import { AppError } from '@selvage/core/errors';
import { reasonOfError, textOfError } from '@selvage/core/outbound/refusal-of-error';
import { log } from '@selvage/core/log';
import { noRoomOf } from '@selvage/core/mailstore/require-room';
import { largerThanMailbox, mailboxFull, tooMuchAtOnce, ourFailure, type Reply } from './reply.ts';

/**
 * The SMTP reply for each HTTP status, for errors whose code has no reply of its own in `codesOf`.
 * Any other status below 500 is refused for good with 550 5.6.0.
 */
const byStatus: Record<number, Codes> = {
  // RFC 5321 4.3.2: 553 is an answer to MAIL and RCPT, and none to DATA
  403: { code: 550, enhancedCode: '5.7.1' },
  413: { code: 552, enhancedCode: '5.3.4' },
  429: { code: 450, enhancedCode: '4.7.1' },
};

const lineTooLong: Codes = { code: 554, enhancedCode: '5.6.0' };
const tooManyPeople: Codes = { code: 550, enhancedCode: '5.5.3' };

type Codes = Pick<Reply, 'code' | 'enhancedCode'>;

/**
 * The one place of the submission door where an error becomes a reply. An unexpected error is a
 * failure of this host, so the peer keeps the mail and tries again.
 */
export function toSmtpReply(error: unknown): Reply {
  if (!(error instanceof AppError)) {
    log.error('a command failed', { error });
    return ourFailure;
  }
  if (error.code === 'too_much_at_once') return tooMuchAtOnce;
  if (error.status >= 500) log.error('a command failed', { error });
  const { code, enhancedCode } = codesOf(error);
  return { code, enhancedCode, text: textOfError(error), reason: reasonOfError(error) };
}

function codesOf(error: AppError): Codes {
  if (error.status >= 500) return ourFailure;
  const room = noRoomOf(error);
  if (room !== null) return room === 'never' ? largerThanMailbox : mailboxFull;
  if (error.code === 'line_too_long') return lineTooLong;
  if (error.code === 'too_many_people') return tooManyPeople;
  return byStatus[error.status] ?? { code: 550, enhancedCode: '5.6.0' };
}
