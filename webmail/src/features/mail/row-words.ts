import type { EmailRowDto } from '@selvage/core/contracts/mail';
import { cut } from '../../lib/format.ts';

export const SUBJECT_LENGTH = 50;
export const PREVIEW_LENGTH = 120;

type Row = Pick<
  EmailRowDto,
  | 'send_status'
  | 'received_status'
  | 'sender_name'
  | 'sender_email'
  | 'recipient_emails_to'
  | 'recipient_emails_cc'
  | 'recipient_emails_bcc'
>;

/** Who a row is about: the recipients of what one sent, else the sender. */
export function peopleOf(row: Row): string {
  if (!row.send_status || row.received_status) return row.sender_name || row.sender_email || 'Unknown sender';
  const all = [...row.recipient_emails_to, ...row.recipient_emails_cc, ...row.recipient_emails_bcc];
  const [first, ...others] = all;
  if (!first) return 'No recipients';
  return others.length > 0 ? `To: ${first} +${others.length}` : `To: ${first}`;
}

export function subjectOf(row: { subject: string }): string {
  return row.subject.trim() || '(no subject)';
}

export function rowSubject(row: { subject: string }): string {
  return cut(subjectOf(row), SUBJECT_LENGTH);
}

export function rowPreview(row: { body: string }): string {
  return cut(row.body.replace(/\s+/g, ' ').trim(), PREVIEW_LENGTH);
}
