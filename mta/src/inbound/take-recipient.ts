import type { Resolution } from '@selvage/core/directory/resolve-recipient';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import type { Reply } from '../reply.ts';

/**
 * The result of one RCPT TO. A group is accepted as the people in it. A refusal names the company
 * of the recipient, where that is known.
 */
export type RecipientAnswer = { accept: LocalRecipient[] } | { refuse: Reply; companyId: string | null };

/**
 * A transaction may have this many RCPT commands for each recipient that a message may have. An
 * address that is named again is no further recipient, yet Haraka keeps something for each command.
 */
const commandsPerRecipient = 10;

/**
 * A message takes no further group that would bring its people above this number. A group that is
 * its first recipient always fits. The limit of the envelope bounds single recipients.
 */
export const mostPeople = 1000;

const tooMany: Reply = {
  code: 452,
  enhancedCode: '4.5.3',
  text: 'Too many recipients, send the rest in another transaction',
  reason: 'too_many_recipients',
};
const tooManyCommands: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Too many RCPT commands in one transaction; closing the connection',
  reason: 'too_many_recipients',
};
const relayDenied: Reply = {
  code: 550,
  enhancedCode: '5.7.1',
  text: 'Relaying denied: this host does not accept mail for that domain',
  reason: 'relay_denied',
};

/**
 * The reply that ends the connection of a peer with too many RCPT commands in a transaction, or
 * null.
 */
export function refuseEndlessCommands(commands: number, limit: number): Reply | null {
  return commands > limit * commandsPerRecipient ? tooManyCommands : null;
}

/**
 * Answers one RCPT TO. `taken` counts the addresses of the envelope so far, and `people` the people
 * behind them: a group counts once toward the envelope's limit. `resolve` throws when the directory
 * can't be read. The caller then answers 451.
 */
export async function takeRecipient(
  input: { address: string; taken: number; people: number; limit: number; hostname: string },
  resolve: (address: string) => Promise<Resolution>,
): Promise<RecipientAnswer> {
  if (input.taken >= input.limit) return { refuse: tooMany, companyId: null };
  const resolution = await resolve(withDomain(input.address, input.hostname));
  switch (resolution.kind) {
    case 'deliver': {
      const { kind: _kind, ...person } = resolution;
      return { accept: [person] };
    }
    case 'group': {
      const { members } = resolution;
      const isOver = input.people > 0 && input.people + members.length > mostPeople;
      return isOver ? { refuse: tooMany, companyId: members[0]?.companyId ?? null } : { accept: members };
    }
    case 'relay':
      return { refuse: relayDenied, companyId: null };
    case 'reject':
    case 'defer': {
      const { code, enhancedCode, text, reason, companyId } = resolution;
      return { refuse: { code, enhancedCode, text, reason }, companyId };
    }
  }
}

/** RFC 5321 4.5.1: `postmaster` alone is this host's. */
function withDomain(address: string, hostname: string): string {
  return address.toLowerCase() === 'postmaster' ? `postmaster@${hostname}` : address;
}
