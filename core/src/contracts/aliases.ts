import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { mailboxAddress } from './users.ts';

/** The most aliases of a person. */
export const maxAliases = 100;

/** A further address of a person. Times are ISO 8601, UTC. */
export const aliasDto = z.object({
  _id: z.string(),
  /** Lower-case address. */
  address: z.string(),
  createdAt: z.string(),
});
export type AliasDto = z.infer<typeof aliasDto>;

/** What the form of a new alias sends. */
export const aliasForm = z.object({
  /** The whole address, in a domain of the person's company. */
  address: mailboxAddress,
});

const params = z.object({ id });
const edit = { model: 'user', action: 'edit' } as const;

export const listAliases = endpoint({
  method: 'GET',
  path: '/user/aliases/:id',
  summary: 'The aliases of a person, by address',
  needs: { model: 'user', action: 'view' },
  params,
  answer: z.array(aliasDto),
});

export const createAlias = endpoint({
  method: 'POST',
  path: '/user/aliases/:id',
  summary: 'Gives a person a further address; its mail comes to their mailbox, and they may send from it',
  needs: edit,
  params,
  body: aliasForm,
  answer: aliasDto,
});

export const removeAlias = endpoint({
  method: 'DELETE',
  path: '/alias/delete/:id',
  summary: 'Takes an alias from its person and frees the address',
  needs: edit,
  params,
  answer: z.undefined(),
});
