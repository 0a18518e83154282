import type { EmailDto } from '@selvage/core/contracts/email';
import { fullDate } from '../../lib/format.ts';
import { isolated, wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';
import { frameDocument } from './mail-frame.ts';
import { imagesPathOf } from './shown-pictures.ts';

let sheet: HTMLIFrameElement | null = null;

/**
 * Prints the whole message with its subject and people, from a frame of its own that is not seen:
 * the same document behind the same glass, which may also open the print dialog.
 */
export function printMessage(email: EmailDto): void {
  sheet?.remove();
  const frame = document.createElement('iframe');
  sheet = frame;
  frame.title = wordsOf(readingWords).print;
  frame.setAttribute('sandbox', 'allow-scripts allow-modals');
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  frame.style.cssText = 'position:fixed;inset:auto 0 0 auto;width:0;height:0;border:0;visibility:hidden';
  frame.srcdoc = frameDocument({
    html: email.body,
    sheet: email.sheet,
    look: email.look,
    isDark: false,
    imagesPath: imagesPathOf(email),
    origin: window.location.origin,
    head: headLines(email),
  });
  frame.addEventListener('load', () => frame.contentWindow?.postMessage('print', '*'));
  document.body.append(frame);
}

function headLines(email: EmailDto): string[] {
  const t = wordsOf(readingWords);
  const { sender_name: name, sender_email: address, recipient_emails_to: to, recipient_emails_cc: cc } = email;
  const sender = name ? `${isolated(name)} <${address}>` : address;
  const all = (mailboxes: string[]): string => mailboxes.map(isolated).join(', ');
  const lines = [email.subject, t.from({ sender }), fullDate(email.createdAt)];
  if (to.length > 0) lines.push(t.to({ addresses: all(to) }));
  if (cc.length > 0) lines.push(t.cc({ addresses: all(cc) }));
  return lines;
}
