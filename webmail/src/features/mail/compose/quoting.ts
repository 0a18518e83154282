import type { EmailDto } from '@selvage/core/contracts/mail';
import DOMPurify from 'dompurify';
import { fullDate } from '../../../lib/format.ts';

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
  const options = { USE_PROFILES: { html: true }, FORBID_TAGS: ['style', 'form', 'input', 'button'] };
  const page = new DOMParser().parseFromString(DOMPurify.sanitize(body, options), 'text/html');
  for (const image of page.querySelectorAll('img:not([alt])')) image.setAttribute('alt', 'Picture');
  return page.body.innerHTML;
}

function senderWords(email: Pick<Original, 'sender_name' | 'sender_email'>): string {
  return email.sender_name ? `${email.sender_name} <${email.sender_email}>` : email.sender_email;
}

export function replyPrefill(email: Original, own: string, isToAll: boolean): Prefill {
  const attribution = `On ${fullDate(email.createdAt)}, ${senderWords(email)} wrote:`;
  return {
    ...answerRecipients(email, own, isToAll),
    bcc: [],
    subject: prefixSubject('Re', email.subject),
    body: `<div><br></div><div><br></div><div>${escapeHtml(attribution)}</div><blockquote>${quotedHtml(email.body)}</blockquote>`,
  };
}

export function forwardPrefill(email: Original): Prefill {
  const lines = [
    '---------- Forwarded message ----------',
    `From: ${senderWords(email)}`,
    `Date: ${fullDate(email.createdAt)}`,
    `Subject: ${email.subject}`,
    `To: ${email.recipient_emails_to.join(', ')}`,
    ...(email.recipient_emails_cc.length > 0 ? [`Cc: ${email.recipient_emails_cc.join(', ')}`] : []),
  ];
  const head = lines.map((line) => `<div>${escapeHtml(line)}</div>`).join('');
  return {
    to: [],
    cc: [],
    bcc: [],
    subject: prefixSubject('Fwd', email.subject),
    body: `<div><br></div><div><br></div>${head}<div><br></div><div>${quotedHtml(email.body)}</div>`,
  };
}

/** The editor's HTML as it goes out: without the editor's own marks, with quoted pictures at their places again. */
export function outgoingHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const image of page.querySelectorAll('img[data-remote-src]')) {
    image.setAttribute('src', image.getAttribute('data-remote-src') ?? '');
  }
  for (const element of page.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) if (name.startsWith('data-')) element.removeAttribute(name);
  }
  return page.body.innerHTML;
}

/** Whether somebody wrote anything: text or a picture. */
export function isBlankHtml(html: string): boolean {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return (page.body.textContent ?? '').replace(/[\s\u200b]/g, '') === '' && !page.querySelector('img');
}
