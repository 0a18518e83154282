import { AppError } from '../errors.ts';
import { noRoomOf } from '../mailstore/require-room.ts';
import type { Reason } from '../ledger/reasons.ts';

/** The reason for each HTTP status; for any other one below 500 the message is malformed. */
const byStatus: Record<number, Reason> = {
  401: 'not_allowed_to_send_as',
  403: 'not_allowed_to_send_as',
  413: 'message_too_large',
  429: 'rate_limited',
};

/** Why a message was not accepted, as a reason of the ledger. */
export function reasonOfError(error: unknown): Reason {
  if (!(error instanceof AppError)) return 'internal_error';
  if (error.code === 'too_much_at_once') return 'rate_limited';
  if (error.code === 'too_many_people') return 'too_many_recipients';
  if (error.status >= 500) return 'internal_error';
  const room = noRoomOf(error);
  if (room !== null) return room === 'now' ? 'mailbox_full' : 'message_too_large';
  // The web app reports in the field `from` that the person may not use an address
  if (error.fields?.['from'] !== undefined) return 'not_allowed_to_send_as';
  return byStatus[error.status] ?? 'malformed_message';
}

/**
 * The text of an error in one line, with the problems of its fields that the text does not name.
 */
export function textOfError({ publicText, fields }: AppError): string {
  const problems = Object.values(fields ?? {}).filter((problem) => !publicText.includes(problem));
  return [publicText, ...problems].join(' ').replace(/\s+/g, ' ').slice(0, 400);
}
