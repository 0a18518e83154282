import type { EmailDto } from '@selvage/core/contracts/email';
import { fullDate } from '../../lib/format.ts';
import { isolated, wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { paperDocument } from './paper-document.ts';
import { senderIn } from './senders.ts';
import { imagesPathOf } from './shown-pictures.ts';
import { isForward } from './subject-prefix.ts';

let sheet: HTMLIFrameElement | null = null;

/**
 * Prints a document from a hidden frame. The frame is isolated like that of a message on the
 * screen, but may also open the print dialog.
 */
export function printDocument(source: string): void {
  sheet?.remove();
  const frame = document.createElement('iframe');
  sheet = frame;
  frame.title = wordsOf(readingWords).print;
  frame.setAttribute('sandbox', 'allow-scripts allow-modals');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.style.cssText = 'position:fixed;inset:auto 0 0 auto;width:0;height:0;border:0;visibility:hidden';
  frame.srcdoc = source;
  frame.addEventListener('load', () => frame.contentWindow?.postMessage('print', '*'));
  document.body.append(frame);
}

/** Prints the whole message with its subject and people. */
export function printMessage(email: EmailDto): void {
  printDocument(paperDocument({ ...paperOf(email), head: [email.subject, ...headLines(email)] }));
}

/** A message as the documents for printing take it. */
export function paperOf(email: EmailDto) {
  const { body: html, sheet: styles, look, subject } = email;
  const { origin } = window.location;
  return { html, sheet: styles, look, imagesPath: imagesPathOf(email), origin, isForward: isForward(subject) };
}

/** Who sent a message, when and to whom, a line for each. */
export function headLines(email: EmailDto): string[] {
  const t = wordsOf(readingWords);
  const { sender_email: address, recipient_emails_to: to, recipient_emails_cc: cc } = email;
  const name = senderIn(email);
  const sender = address === '' || name === address ? name : `${isolated(name)} <${address}>`;
  const all = (mailboxes: string[]): string => mailboxes.map(isolated).join(', ');
  const lines = [t.from({ sender }), fullDate(email.createdAt)];
  if (to.length > 0) lines.push(t.to({ addresses: all(to) }));
  if (cc.length > 0) lines.push(t.cc({ addresses: all(cc) }));
  return lines;
}
