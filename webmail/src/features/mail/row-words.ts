import type { EmailRowDto } from '@selvage/core/contracts/email';
import { readMailbox } from '@selvage/core/mail/mailbox-text';
import { cut } from '../../lib/format.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';

const SUBJECT_LENGTH = 50;
const PREVIEW_LENGTH = 120;

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

/** The moment by which lists order a message: when it came, or came back. ISO 8601. */
export function placedAt(row: Pick<EmailRowDto, 'createdAt' | 'returned_at'>): string {
  return row.returned_at ?? row.createdAt;
}

/** The people a row is about: the recipients of a message that the person sent, else its sender. */
export function peopleOf(row: Row): string {
  const t = wordsOf(mailListWords);
  if (!row.send_status || row.received_status) return row.sender_name || row.sender_email || t.unknownSender;
  return recipientsIn(row);
}

/** The writers of a conversation, by first names where there are several. */
export function writersOf(row: EmailRowDto): string {
  const people = row.thread?.people ?? [];
  if (people.length === 0 || (row.send_status && !row.received_status)) return peopleOf(row);
  const t = wordsOf(mailListWords);
  const isAlone = people.length === 1;
  return people.map(({ name, is_me }) => (is_me ? t.me : isAlone ? name : firstNameOf(name))).join(', ');
}

function firstNameOf(name: string): string {
  // an address, or "Last, First", is not cut
  if (name.includes('@') || name.includes(',')) return name;
  return name.trim().split(/\s+/)[0] ?? name;
}

/** The people that a message or a draft is for. */
export function recipientsIn(row: Pick<Row, `recipient_emails_${'to' | 'cc' | 'bcc'}`>): string {
  const t = wordsOf(mailListWords);
  const all = [...row.recipient_emails_to, ...row.recipient_emails_cc, ...row.recipient_emails_bcc];
  const [first, ...others] = all;
  if (!first) return t.noRecipients;
  return others.length > 0 ? t.toMore({ first: nameOf(first), others: others.length }) : t.to({ first: nameOf(first) });
}

function nameOf(mailbox: string): string {
  return readMailbox(mailbox)?.name || mailbox;
}

export function subjectOf(row: { subject: string }): string {
  return row.subject.trim() || wordsOf(mailListWords).noSubject;
}

export function rowSubject(row: { subject: string }): string {
  return cut(subjectOf(row), SUBJECT_LENGTH);
}

export function rowPreview(row: { body: string }): string {
  return cut(row.body.replace(/\s+/g, ' ').trim(), PREVIEW_LENGTH);
}
