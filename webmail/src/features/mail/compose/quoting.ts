import type { EmailDto } from '@selvage/core/contracts/email';
import { escapeHtml } from '@selvage/core/mail/escape-html';
import { readMailbox } from '@selvage/core/mail/mailbox-text';
import { blankLine, lineHtml } from '../../../components/editor/editor-html.ts';
import { fullDate } from '../../../lib/format.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import type { PreparedMail } from '../../../lib/prepared-mail.ts';
import { parseSanitized } from '../../../lib/sanitize.ts';
import { quoteWords } from '../../../words/compose.ts';
import { senderMailbox } from '../senders.ts';
import { prefixSubject } from '../subject-prefix.ts';
import { plainAddress } from './from-address.ts';
import { inlineSheet, removeHidden } from './inline-sheet.ts';
import { quoteHead, signatureHtml } from './signature.ts';

/** The initial content of a compose window. Recipients are mailboxes, as the API gives them. */
export interface Prefill {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body: string;
}

function withoutAddresses(mailboxes: string[], left: readonly string[]): string[] {
  const seen = new Set(left.map(keyOf));
  return mailboxes.filter((mailbox) => {
    const key = keyOf(mailbox);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * The mailboxes of other people. Mail to the person's own address with a `+tag` reaches the person
 * as well, so it is left out too.
 */
function withoutOwn(mailboxes: string[], own: readonly string[]): string[] {
  const addresses = new Set(own.map(plainAddress));
  return mailboxes.filter((mailbox) => !addresses.has(plainAddress(mailbox)));
}

/** The key under which two mailboxes count as the same person. */
function keyOf(mailbox: string): string {
  return (readMailbox(mailbox)?.address ?? mailbox).toLowerCase();
}

type Original = Pick<
  EmailDto,
  | 'sender_name'
  | 'sender_email'
  | 'recipient_emails_to'
  | 'recipient_emails_cc'
  | 'reply_to'
  | 'send_status'
  | 'received_status'
  | 'subject'
  | 'body'
  | 'sheet'
  | 'createdAt'
>;

/**
 * The recipients of an answer. The person who answers is not among them, unless they wrote only to
 * themselves.
 */
export function answerRecipients(
  email: Original,
  own: readonly string[],
  isToAll: boolean,
): Pick<Prefill, 'to' | 'cc'> {
  const isFromOwn = withoutOwn([email.sender_email], own).length === 0;
  // A contact form sends from the person's own address, and names its visitor in Reply-To
  const replyTo = withAddress(email.reply_to);
  const hasOtherWriter = withoutOwn(replyTo, own).length > 0;
  const isOwn = email.send_status || (isFromOwn && !hasOtherWriter);
  const sender = email.sender_email === '' ? [] : [senderMailbox(email)];
  const senders = replyTo.length > 0 ? replyTo : sender;
  // An answer to a message that the person sent goes to the same people again
  const direct = isOwn ? email.recipient_emails_to : senders;
  const others = isOwn ? email.recipient_emails_cc : [...email.recipient_emails_to, ...email.recipient_emails_cc];
  const to = withoutAddresses(withoutOwn(withAddress(direct), own), []);
  const cc = isToAll ? withoutAddresses(withoutOwn(withAddress(others), own), to) : [];
  if (to.length > 0) return { to, cc };
  return { to: cc.length > 0 ? cc : direct.slice(0, 1), cc: [] };
}

/** Without names alone, such as "Undisclosed recipients", which no mail can be sent to. */
function withAddress(mailboxes: readonly string[]): string[] {
  return mailboxes.filter((mailbox) => readMailbox(mailbox)?.address.includes('@'));
}

/**
 * HTML of an earlier message or draft for the editor. Pictures inside the message keep their links,
 * which the server turns into parts of the new message. Remote pictures stay unloaded
 * (`data-remote-src`) until the answer is sent.
 */
export function quotedHtml(body: string): string {
  return parseQuoted(body).body.innerHTML;
}

function parseQuoted(body: string): Document {
  const page = parseSanitized(body, { forbid: ['style', 'form', 'input', 'button'] });
  const { picture } = wordsOf(quoteWords);
  for (const image of page.querySelectorAll('img:not([alt])')) image.setAttribute('alt', picture);
  return page;
}

/** The text of a message as its reader sees it, without hidden elements. */
function quotedMessage({ body, sheet }: Pick<Original, 'body' | 'sheet'>): string {
  const page = parseQuoted(body);
  inlineSheet(page, sheet);
  removeHidden(page);
  const style = page.body.getAttribute('style');
  return style === null ? page.body.innerHTML : `<div style="${escapeHtml(style)}">${page.body.innerHTML}</div>`;
}

/** An empty line to write in, and the signature below it. `signature` is sanitised HTML. */
export function startOfText(signature: string): string {
  return `${blankLine}${signature ? blankLine : ''}${signatureHtml(signature)}`;
}

/** A new message; `prepared` comes from a page of the app or from a `mailto:` link. */
export function newPrefill(prepared: PreparedMail | undefined, signature: string): Prefill {
  const { to = [], cc = [], subject, text } = prepared ?? { subject: '', text: '' };
  const lines = text === '' ? [] : text.split('\n');
  const html = lines.map((line) => (line === '' ? blankLine : lineHtml(escapeHtml(line)))).join('');
  return { to, cc, bcc: [], subject, body: `${html}${startOfText(signature)}` };
}

export function replyPrefill(email: Original, own: readonly string[], isToAll: boolean, signature: string): Prefill {
  const values = { date: fullDate(email.createdAt), sender: senderMailbox(email) };
  const attribution = wordsOf(quoteWords).attribution(values);
  return {
    ...answerRecipients(email, own, isToAll),
    bcc: [],
    subject: prefixSubject('Re', email.subject),
    body: `${startOfAnswer(signature)}${quoteHead(escapeHtml(attribution))}<blockquote>${quotedMessage(email)}</blockquote>`,
  };
}

function startOfAnswer(signature: string): string {
  return signature ? startOfText(signature) : `${startOfText('')}${blankLine}`;
}

export function forwardPrefill(email: Original, signature: string): Prefill {
  const t = wordsOf(quoteWords);
  const people = (mailboxes: string[]): string => mailboxes.join(', ');
  const lines = [
    t.forwarded,
    t.from({ sender: senderMailbox(email) }),
    t.date({ date: fullDate(email.createdAt) }),
    t.subject({ subject: email.subject }),
    t.to({ people: people(email.recipient_emails_to) }),
    ...(email.recipient_emails_cc.length > 0 ? [t.cc({ people: people(email.recipient_emails_cc) })] : []),
  ];
  const [first = '', ...others] = lines.map(escapeHtml);
  const head = `${quoteHead(first)}${others.map((line) => lineHtml(line)).join('')}`;
  return {
    to: [],
    cc: [],
    bcc: [],
    subject: prefixSubject('Fwd', email.subject),
    body: `${startOfAnswer(signature)}${head}${blankLine}<div>${quotedMessage(email)}</div>`,
  };
}

/** Messages that are forwarded as files. Several have no subject in common. */
export function wholePrefill(originals: readonly Pick<EmailDto, 'subject'>[], signature: string): Prefill {
  const [first] = originals;
  const subject = first && originals.length === 1 ? prefixSubject('Fwd', first.subject) : '';
  return { to: [], cc: [], bcc: [], subject, body: startOfText(signature) };
}
