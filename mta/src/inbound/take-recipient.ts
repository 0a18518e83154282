import type { Resolution } from '@selvage/core/directory/resolve-recipient';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import type { Reply } from '../reply.ts';

/** What becomes of one RCPT TO. */
export type RecipientAnswer = { accept: LocalRecipient } | { refuse: Reply };

const tooMany: Reply = {
  code: 452,
  enhancedCode: '4.5.3',
  text: 'Too many recipients, send the rest in another transaction',
  reason: 'too_many_recipients',
};
const relayDenied: Reply = { code: 550, enhancedCode: '5.7.1', text: 'Relaying denied', reason: 'relay_denied' };

/**
 * Answers one RCPT TO. `resolve` throws when the directory can't be asked. The caller answers 451
 * then.
 */
export async function takeRecipient(
  input: { address: string; taken: number; limit: number; hostname: string },
  resolve: (address: string) => Promise<Resolution>,
): Promise<RecipientAnswer> {
  if (input.taken >= input.limit) return { refuse: tooMany };
  const resolution = await resolve(withDomain(input.address, input.hostname));
  switch (resolution.kind) {
    case 'deliver': {
      const { userId, companyId, address } = resolution;
      return { accept: { userId, companyId, address } };
    }
    case 'relay':
      return { refuse: relayDenied };
    case 'reject':
    case 'defer': {
      const { code, enhancedCode, text, reason } = resolution;
      return { refuse: { code, enhancedCode, text, reason } };
    }
  }
}

/** RFC 5321 4.5.1: `postmaster` alone is this host's. */
function withDomain(address: string, hostname: string): string {
  return address.toLowerCase() === 'postmaster' ? `postmaster@${hostname}` : address;
}
