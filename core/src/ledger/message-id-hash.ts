import { createHash } from 'node:crypto';

/**
 * The number by which the ledger finds a message by its Message-ID after the message was removed,
 * or when it was refused: the first eight bytes of a hash, in decimal. The brackets of the
 * Message-ID, and the case of its letters, make no difference.
 */
export function messageIdHash(messageId: string): string {
  const bare = messageId.trim().replace(/^<(.*)>$/, '$1');
  return createHash('sha256').update(bare.toLowerCase()).digest().readBigUInt64BE().toString();
}
