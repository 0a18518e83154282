import { attachmentLimits } from '@selvage/core/contracts/mail';
import { AppError, invalid } from '@selvage/core/errors';
import { type Addr, isValidAddress } from '@selvage/core/mail/addresses';
import { readMailbox } from '@selvage/core/mail/mailbox-text';
import type { UploadedFile } from '../http/uploads.ts';

/** Recipients as the caller names them, one mailbox in each text. */
export interface TypedRecipients {
  recipient_emails_to: string[];
  recipient_emails_cc: string[];
  recipient_emails_bcc: string[];
}

/** The parsed recipients. */
export interface Recipients {
  to: Addr[];
  cc: Addr[];
  bcc: Addr[];
}

/**
 * Reads the recipients, each `ana@example.org` or `Ana <ana@example.org>`. A text that could be
 * read in two ways is refused: a guess could write to the wrong person.
 * @throws 422 naming every text that is not one mailbox
 */
export function readRecipients(typed: TypedRecipients): Recipients {
  const problems: Record<string, string> = {};
  const read = (name: keyof TypedRecipients): Addr[] =>
    typed[name].flatMap((text, index) => {
      if (text.trim() === '') return [];
      const mailbox = readMailbox(text);
      if (mailbox && isValidAddress(mailbox.address)) return [mailbox];
      problems[`${name}.${index}`] = `${text.slice(0, 320)} is not an email address`;
      return [];
    });
  const recipients = {
    to: read('recipient_emails_to'),
    cc: read('recipient_emails_cc'),
    bcc: read('recipient_emails_bcc'),
  };
  const count = recipients.to.length + recipients.cc.length + recipients.bcc.length;
  if (count === 0 && Object.keys(problems).length === 0) {
    problems['recipient_emails_to'] = 'At least one recipient is required';
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return recipients;
}

/**
 * Refuses files over their limit instead of dropping them silently (D19).
 * @throws 413 naming the file and the limit
 */
export function checkFiles(files: UploadedFile[]): void {
  for (const file of files) {
    const isImage = file.contentType.startsWith('image/');
    const limit = isImage ? attachmentLimits.image : attachmentLimits.other;
    if (file.size <= limit) continue;
    const text = `"${file.name}" is too large: ${isImage ? 'a picture' : 'a file'} may be at most ${limit / 1_048_576} MB.`;
    throw new AppError({ status: 413, code: 'attachment_too_large', publicText: text, fields: { attachments: text } });
  }
}
