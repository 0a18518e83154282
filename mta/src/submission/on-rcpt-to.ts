import { parseAddress } from '@selvage/core/mail/addresses';
import type { Reply } from '../reply.ts';

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
    reason: 'unknown_recipient',
  };
}
