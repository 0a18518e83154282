import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { emailAddress, id } from './fields.ts';

/** What takes mail for names that a domain does not have. */
export const catchAllDto = z.object({
  domain_id: z.string(),
  domain_name: z.string(),
  /** Address of the person's mailbox or of the group; null where such mail is refused. */
  address: z.string().nullable(),
});
export type CatchAllDto = z.infer<typeof catchAllDto>;

/** What the form of a domain's catch-all sends. */
export const catchAllForm = z.object({
  /** Address of a person or a group of the domain's company; empty for none. */
  address: z.union([z.literal(''), emailAddress]),
});

const params = z.object({ id });

export const getCatchAll = endpoint({
  method: 'GET',
  path: '/domain/catch_all/:id',
  summary: 'Where mail goes for names that a domain does not have',
  needs: { model: 'domain', action: 'view' },
  params,
  answer: catchAllDto,
});

export const setCatchAll = endpoint({
  method: 'PUT',
  path: '/domain/catch_all/:id',
  summary: 'Sends mail for names that a domain does not have to a person or a group of its company, or refuses it',
  needs: { model: 'domain', action: 'edit' },
  params,
  body: catchAllForm,
  answer: catchAllDto,
});
