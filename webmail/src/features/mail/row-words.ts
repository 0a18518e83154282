import type { EmailRowDto } from '@selvage/core/contracts/email';
import { readMailbox } from '@selvage/core/mail/mailbox-text';
import { cut } from '../../lib/format.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';
import type { RowPeople } from './People.tsx';
import { senderIn } from './senders.ts';

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
  | 'recipients_count'
>;

type RowRecipients = Pick<Row, `recipient_emails_${'to' | 'cc' | 'bcc'}` | 'recipients_count'>;

/** The moment by which lists order a message: when it came, or came back. ISO 8601. */
export function placedAt(row: Pick<EmailRowDto, 'createdAt' | 'returned_at'>): string {
  return row.returned_at ?? row.createdAt;
}

/** The people a row is about: the recipients of a message that the person sent, else its sender. */
export function peopleOf(row: Row): RowPeople {
  return !row.send_status || row.received_status ? { names: [senderIn(row)] } : recipientsIn(row);
}

/** The writers of a conversation, by first names where there are several. */
export function writersOf(row: EmailRowDto): RowPeople {
  const people = row.thread?.people ?? [];
  if (people.length === 0 || (row.send_status && !row.received_status)) return peopleOf(row);
  const t = wordsOf(mailListWords);
  const isAlone = people.length === 1;
  const nameIn = (name: string): string => (name === '' ? t.unknownSender : isAlone ? name : firstNameOf(name));
  return { names: people.map(({ name, is_me }) => (is_me ? t.me : nameIn(name))) };
}

function firstNameOf(name: string): string {
  // An address, or a name like "Last, First", is not shortened
  if (name.includes('@') || name.includes(',')) return name;
  return name.trim().split(/\s+/)[0] ?? name;
}

/** The people that a message or a draft is for. The row may name only the first of them. */
export function recipientsIn(row: RowRecipients): RowPeople {
  const t = wordsOf(mailListWords);
  const [first] = [...row.recipient_emails_to, ...row.recipient_emails_cc, ...row.recipient_emails_bcc];
  if (!first) return { names: [t.noRecipients] };
  const others = row.recipients_count - 1;
  const say = others > 0 ? t.toMore : t.to;
  return { names: [nameOf(first)], say: (name) => say({ first: name, others }) };
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
