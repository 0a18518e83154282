import { mostPeople } from '@selvage/core/directory/count-group-people';
import type { Located, Resolution, UnreadGroup } from '@selvage/core/directory/resolve-recipient';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { LocalRecipient } from '@selvage/core/mailstore/entry-rows';
import type { Reply } from '../reply.ts';

/**
 * The result of one RCPT TO. A group is accepted as the people in it. No people are accepted for an
 * address that the envelope has already. A refusal names the company of the recipient, where that
 * is known.
 */
export type RecipientAnswer = { accept: LocalRecipient[] } | { refuse: Reply; companyId: string | null };

/** An answer, and the id of the group that the address leads to, if it does. */
export type Taken = RecipientAnswer & { groupId?: string };

/** The directory's look-ups. They throw when it can't be read, and the caller answers 451. */
export interface Directory {
  locate: (address: string) => Promise<Located>;
  readGroup: (group: UnreadGroup) => Promise<Resolution>;
}

interface Asked {
  address: string;
  /** The addresses of the envelope so far. A group counts once toward its limit. */
  taken: ReadonlySet<string>;
  /** How many people are behind them. */
  people: number;
  /** How groups were answered in this transaction. */
  groups: ReadonlyMap<string, RecipientAnswer>;
  limit: number;
  hostname: string;
}

/**
 * A transaction may have this many RCPT commands for each recipient that a message may have. An
 * address that is named again is no further recipient, yet Haraka keeps something for each command.
 */
const commandsPerRecipient = 10;

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

/** Answers one RCPT TO. */
export async function takeRecipient(asked: Asked, directory: Directory): Promise<Taken> {
  const address = withDomain(asked.address, asked.hostname);
  if (asked.taken.has(normaliseAddress(address) ?? '')) return { accept: [] };
  if (asked.taken.size >= asked.limit) return { refuse: tooMany, companyId: null };
  const located = await directory.locate(address);
  if (located.kind === 'group') return within(asked, answerTo(located));
  if (located.kind !== 'unread_group') return answerTo(located);
  const { groupId } = located;
  const known = asked.groups.get(groupId);
  const answer = known ? renamed(known, located) : answerTo(await directory.readGroup(located));
  return { ...within(asked, answer), groupId };
}

/** The answer to a group, for another address that leads to it. */
function renamed(answer: RecipientAnswer, { address, expandedBy: by }: UnreadGroup): RecipientAnswer {
  if ('refuse' in answer) return answer;
  const accept = answer.accept.map(({ expansion, ...person }) => ({
    ...person,
    address,
    ...(expansion && { expansion: { ...expansion, by } }),
  }));
  return { accept };
}

/**
 * Refuses a further group that would bring the people of the message above the limit. A group that
 * is its first recipient always fits. The limit of the envelope bounds single recipients.
 */
function within({ people }: Asked, answer: RecipientAnswer): RecipientAnswer {
  if ('refuse' in answer) return answer;
  const isOver = people > 0 && people + answer.accept.length > mostPeople;
  return isOver ? { refuse: tooMany, companyId: answer.accept[0]?.companyId ?? null } : answer;
}

function answerTo(resolution: Resolution): RecipientAnswer {
  switch (resolution.kind) {
    case 'deliver': {
      const { kind: _kind, ...person } = resolution;
      return { accept: [person] };
    }
    case 'group':
      return { accept: resolution.members };
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
