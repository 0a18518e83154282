import type { EmailDto } from '@selvage/core/contracts/email';
import { writeMailbox } from '@selvage/core/mail/mailbox-text';
import { wordsOf } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';

type NamedSender = Pick<EmailDto, 'sender_name' | 'sender_email'>;

/** The name of the sender, or the address. A report of a mail server may have neither. */
export function senderIn({ sender_name: name, sender_email: address }: NamedSender): string {
  return name || address || wordsOf(mailListWords).unknownSender;
}

/** The sender in a text: name and address, as far as there are any. */
export function senderMailbox(sender: NamedSender): string {
  const { sender_name: name, sender_email: address } = sender;
  return address === '' ? senderIn(sender) : writeMailbox({ name: name === address ? '' : name, address });
}

/** Whether the message names an address that an answer to its sender can go to. */
export function hasAnswerAddress({
  sender_email: address,
  reply_to: replyTo,
}: Pick<EmailDto, 'sender_email' | 'reply_to'>): boolean {
  return address !== '' || replyTo.some((mailbox) => mailbox.includes('@'));
}
