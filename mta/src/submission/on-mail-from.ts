import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { Reply } from '../reply.ts';

/**
 * The reply that refuses MAIL FROM, or null. A person sends from the account's own address only.
 */
export function checkOwnAddress(address: string, own: string): Reply | null {
  if (normaliseAddress(address) === normaliseAddress(own)) return null;
  return {
    code: 553,
    enhancedCode: '5.7.1',
    text: 'You can send from your own address only',
    reason: 'not_allowed_to_send_as',
  };
}
