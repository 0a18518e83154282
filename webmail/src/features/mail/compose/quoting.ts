import type { EmailDto } from '@selvage/core/contracts/mail';
import { fullDate } from '../../../lib/format.ts';
import { parseSanitized } from '../../../lib/sanitize.ts';
import { blankLine, quoteHead, signatureHtml } from './signature.ts';

/** A message as the dialog starts with it. */
export interface Prefill {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  body: string;
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** `Re: ` or `Fwd: ` before the subject, unless it stands there already. */
export function prefixSubject(prefix: 'Re' | 'Fwd', subject: string): string {
  const known = prefix === 'Re' ? /^re\s*:/i : /^(fwd?|wg)\s*:/i;
  const text = subject.trim();
  return known.test(text) ? text : `${prefix}: ${text}`;
}

function withoutAddresses(addresses: string[], left: string[]): string[] {
  const seen = new Set(left.map((address) => address.toLowerCase()));
  return addresses.filter((address) => {
    const key = address.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** An address as a chip needs it, whatever display name stands around it. */
function bare(address: string): string {
  return (/<([^<>]+)>\s*$/.exec(address)?.[1] ?? address).trim();
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
  | 'createdAt'
>;

/** Who an answer goes to: never oneself, except when one wrote only to oneself. */
export function answerRecipients(email: Original, own: string, isToAll: boolean): Pick<Prefill, 'to' | 'cc'> {
  const isOwn = email.sender_email.toLowerCase() === own.toLowerCase();
  const senders = email.reply_to.length > 0 ? email.reply_to : [email.sender_email];
  // answering one's own sent message goes on writing to the same people
  const direct = (isOwn ? email.recipient_emails_to : senders).map(bare);
  const others = isOwn ? email.recipient_emails_cc : [...email.recipient_emails_to, ...email.recipient_emails_cc];
  const to = withoutAddresses(direct, [own]);
  if (to.length === 0 && !isToAll) return { to: direct.slice(0, 1), cc: [] };
  const cc = isToAll ? withoutAddresses(others.map(bare), [own, ...to]) : [];
  return to.length > 0 ? { to, cc } : { to: cc, cc: [] };
}

/**
 * The quoted text. Pictures of the message itself stay under their links, which the server turns into parts of the new message;
 * remote pictures stay unloaded (`data-remote-src`) until the answer is sent.
 */
export function quotedHtml(body: string): string {
  const page = parseSanitized(body, { forbid: ['style', 'form', 'input', 'button'] });
  for (const image of page.querySelectorAll('img:not([alt])')) image.setAttribute('alt', 'Picture');
  return page.body.innerHTML;
}

function senderWords(email: Pick<Original, 'sender_name' | 'sender_email'>): string {
  return email.sender_name ? `${email.sender_name} <${email.sender_email}>` : email.sender_email;
}

/** Room to write in, and the signature below it; `signature` is fit to be shown. */
export function startOfText(signature: string): string {
  return `${blankLine}${signature ? blankLine : ''}${signatureHtml(signature)}`;
}

export function replyPrefill(email: Original, own: string, isToAll: boolean, signature: string): Prefill {
  const attribution = `On ${fullDate(email.createdAt)}, ${senderWords(email)} wrote:`;
  return {
    ...answerRecipients(email, own, isToAll),
    bcc: [],
    subject: prefixSubject('Re', email.subject),
    body: `${startOfAnswer(signature)}${quoteHead(escapeHtml(attribution))}<blockquote>${quotedHtml(email.body)}</blockquote>`,
  };
}

function startOfAnswer(signature: string): string {
  return signature ? startOfText(signature) : `${startOfText('')}${blankLine}`;
}

export function forwardPrefill(email: Original, signature: string): Prefill {
  const lines = [
    '---------- Forwarded message ----------',
    `From: ${senderWords(email)}`,
    `Date: ${fullDate(email.createdAt)}`,
    `Subject: ${email.subject}`,
    `To: ${email.recipient_emails_to.join(', ')}`,
    ...(email.recipient_emails_cc.length > 0 ? [`Cc: ${email.recipient_emails_cc.join(', ')}`] : []),
  ];
  const [first = '', ...others] = lines.map(escapeHtml);
  const head = `${quoteHead(first)}${others.map((line) => `<div>${line}</div>`).join('')}`;
  return {
    to: [],
    cc: [],
    bcc: [],
    subject: prefixSubject('Fwd', email.subject),
    body: `${startOfAnswer(signature)}${head}${blankLine}<div>${quotedHtml(email.body)}</div>`,
  };
}
