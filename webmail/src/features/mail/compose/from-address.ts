import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { EmailDto } from '@selvage/core/contracts/email';
import { readMailbox } from '@selvage/core/mail/mailbox-text';

type Writer = Pick<CurrentUserDto, 'email' | 'aliases'>;
type Original = Pick<
  EmailDto,
  'sender_email' | 'send_status' | 'recipient_emails_to' | 'recipient_emails_cc' | 'delivered_to'
>;

/** The addresses that a person may send from, the mailbox first. */
export function ownAddresses({ email, aliases }: Writer): string[] {
  return [email, ...aliases];
}

/**
 * The address that an answer comes from: the one that the message was written to, or that the
 * person wrote it from. Null for the mailbox.
 */
export function fromOfAnswer(email: Original, writer: Writer): string | null {
  const own = ownAddresses(writer);
  const { send_status: isSent, sender_email: sender, delivered_to: way } = email;
  const mailboxes = isSent ? [sender] : [...email.recipient_emails_to, ...email.recipient_emails_cc];
  const named = [...mailboxes, ...(way ? [way] : [])].map(plainAddress);
  const found = named.map((address) => own.find((one) => plainAddress(one) === address)).find(Boolean);
  return found === undefined || found === writer.email ? null : found;
}

/** An address as it leads to its mailbox: without a `+tag`, in lower case. */
export function plainAddress(mailbox: string): string {
  const address = (readMailbox(mailbox)?.address ?? mailbox).toLowerCase();
  return address.replace(/\+[^@]*(?=@[^@]*$)/, '');
}
