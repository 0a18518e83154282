import type { EmailDto } from '@selvage/core/contracts/email';
import { fullDate } from '../../lib/format.ts';
import { isolated, wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { conversationDocument, paperDocument } from './mail-frame.ts';
import { subjectOf } from './row-words.ts';
import { senderIn } from './senders.ts';
import { imagesPathOf } from './shown-pictures.ts';
import { isForward } from './subject-prefix.ts';

let sheet: HTMLIFrameElement | null = null;

/**
 * Prints a document from a hidden frame. The frame is isolated like that of a message on the
 * screen, but may also open the print dialog.
 */
function printDocument(source: string): void {
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

/** Messages of a conversation, oldest first. */
export interface Printed {
  messages: readonly EmailDto[];
  /** How many older messages were left out for lack of room. */
  left: number;
  /** Whether quotes are printed. */
  hasQuotes: boolean;
}

/**
 * Prints messages as one document: the subject of the conversation, then each with its people.
 * @param email the open message
 */
export function printConversation(email: EmailDto, { messages, left, hasQuotes }: Printed): void {
  const t = wordsOf(readingWords);
  const papers = messages.map((message) => ({ ...paperOf(message), head: headLines(message) }));
  const lines = [t.conversationOf(messages.length), ...(left > 0 ? [t.notPrinted(left)] : [])];
  const { origin } = window.location;
  printDocument(conversationDocument(papers, { subject: subjectOf(email), lines, origin, hasQuotes }));
}

function paperOf(email: EmailDto) {
  const { body: html, sheet: styles, look, subject } = email;
  const { origin } = window.location;
  return { html, sheet: styles, look, imagesPath: imagesPathOf(email), origin, isForward: isForward(subject) };
}

function headLines(email: EmailDto): string[] {
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
