import { mostInRow } from '@selvage/core/contracts/email';
import { cutToBytes } from '@selvage/core/mail/cut-text';
import { readMailbox, writeMailbox } from '@selvage/core/mail/mailbox-text';

/*
 * Strangers write the texts in a list. A page with their longest texts would be megabytes, so a row
 * has only the beginning of each, which is more than any list has room for.
 */

/** How many bytes (UTF-8) of each text are kept. */
const longest = { name: 48, address: 64, sender: 120, subject: 240, preview: 400, file: 80 };

/** The beginning of a text, with `…` at its end if the text was cut. */
export function cutForRow(text: string, kind: keyof typeof longest): string {
  const cut = cutToBytes(text, longest[kind]);
  return cut === text ? text : `${cut.trimEnd()}…`;
}

interface RowTexts {
  recipient_emails_to: readonly string[];
  recipient_emails_cc: readonly string[];
  recipient_emails_bcc: readonly string[];
  subject: string;
}

/** The subject and the first recipients of a message, cut for a row. */
export function presentRowTexts(texts: RowTexts) {
  const [to, cc, bcc] = [texts.recipient_emails_to, texts.recipient_emails_cc, texts.recipient_emails_bcc];
  const first = (mailboxes: readonly string[], before: number): string[] =>
    mailboxes.slice(0, Math.max(0, mostInRow - before)).map(cutMailbox);
  return {
    recipient_emails_to: first(to, 0),
    recipient_emails_cc: first(cc, to.length),
    recipient_emails_bcc: first(bcc, to.length + cc.length),
    subject: cutForRow(texts.subject, 'subject'),
  };
}

function cutMailbox(text: string): string {
  const { name, address } = readMailbox(text) ?? { name: '', address: text };
  return writeMailbox({ name: cutForRow(name, 'name'), address: cutForRow(address, 'address') });
}
