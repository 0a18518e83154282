import { createHash } from 'node:crypto';

/**
 * By this number the ledger finds a message by its Message-ID after the message is gone, or when it
 * was refused: the first eight bytes of a hash, in decimal. Whether the text has its brackets, and
 * the case of its letters, make no difference.
 */
export function messageIdHash(messageId: string): string {
  const bare = messageId.trim().replace(/^<(.*)>$/, '$1');
  return createHash('sha256').update(bare.toLowerCase()).digest().readBigUInt64BE().toString();
}
