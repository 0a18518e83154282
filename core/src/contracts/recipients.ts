import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** A person or a group that a message can be written to. */
export const recipientDto = z.object({
  /** Empty when none is known. */
  name: z.string(),
  address: z.string(),
  /** A person or a group of the caller's company, or a recipient the caller has written to. */
  kind: z.enum(['colleague', 'group', 'written']),
});
export type RecipientDto = z.infer<typeof recipientDto>;

/**
 * The most that one call answers: `found` for a text, and `first` without one, which a window
 * keeps.
 */
export const mostRecipients = { found: 8, first: 40 } as const;

/**
 * Each word of `q` begins a word of the name or the address. Recipients to whom the caller writes
 * most come first, by how often and how lately; of equal ones, colleagues come first. Without `q`
 * the answer has the first ones of all.
 */
export const findRecipients = endpoint({
  method: 'GET',
  path: '/mail/recipients',
  summary: 'People and groups of the caller’s company, and people they have written to, by what is typed of them (D75)',
  needs: { model: 'sent', action: 'create' },
  query: z.object({ q: z.string().max(320).default('') }),
  answer: z.array(recipientDto),
});

export const forgetRecipient = endpoint({
  method: 'POST',
  path: '/mail/recipients/forget',
  summary: 'No longer offers an address that the caller has written to, until they write to it again (D75)',
  needs: { model: 'sent', action: 'create' },
  body: z.object({ address: z.string().trim().min(1, 'Name an address').max(320) }),
  answer: z.undefined(),
});
