import { domainOf } from '@selvage/core/mail/address-rules';
import { parseAddress } from '@selvage/core/mail/addresses';
import type { Reply } from '../reply.ts';

/**
 * The address that a person means. RFC 5321 4.5.1 demands that `postmaster` alone is taken: here
 * that of the person's own domain, as a submission server completes addresses (RFC 6409 4.2).
 */
export function completeRecipient(address: string, sender: string): string {
  return address.toLowerCase() === 'postmaster' ? `postmaster@${domainOf(sender)}` : address;
}

/** The reply that refuses RCPT TO, or null. The delivery finds out whether the mailbox exists. */
export function checkRecipient(address: string, taken: number, limit: number): Reply | null {
  if (taken >= limit) {
    return {
      code: 452,
      enhancedCode: '4.5.3',
      text: `Too many recipients: a message may have at most ${limit}`,
      reason: 'too_many_recipients',
    };
  }
  if (parseAddress(address)) return null;
  return {
    code: 553,
    enhancedCode: '5.1.3',
    text: 'The recipient is not a valid address',
    reason: 'malformed_message',
  };
}
