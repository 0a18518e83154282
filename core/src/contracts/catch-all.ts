import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { emailAddress, id, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { abilities } from './records.ts';

/** What takes mail for names that a domain does not have. */
export const catchAllDto = z.object({
  domain_id: z.string(),
  domain_name: z.string(),
  /** Address of the person's mailbox or of the group; null where such mail is refused. */
  address: z.string().nullable(),
  /** The person or the group that has the address; null where such mail is refused. */
  target: z.object({ kind: z.enum(['person', 'group']), _id: z.string(), name: z.string() }).nullable(),
  /** Of the domain; the form sends it back. */
  version: z.number().int(),
});
export type CatchAllDto = z.infer<typeof catchAllDto>;

/** A domain in the list of catch-alls. */
export const catchAllRowDto = catchAllDto.extend({
  company_id: z.object({ _id: z.string(), name: z.string() }),
  abilities: abilities.pick({ edit: true }),
});
export type CatchAllRowDto = z.infer<typeof catchAllRowDto>;

/** What the form of a domain's catch-all sends. */
export const catchAllForm = z.object({
  /** Address of a person or a group of the domain's company; empty for none. */
  address: z.union([z.literal(''), emailAddress]),
});

const params = z.object({ id });

export const listCatchAlls = endpoint({
  method: 'GET',
  path: '/domain/catch_all/get/all',
  summary: 'The domains with their catch-alls, by name unless told; searched by domain. Deleted domains are left out',
  needs: { model: 'domain', action: 'view' },
  ...asList({ sort: ['domain_name'], defaultSort: 'domain_name', filters: { company_id: id.optional() } }),
  answer: z.array(catchAllRowDto),
});

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
  body: catchAllForm.extend({ version: startVersion }),
  answer: catchAllDto,
});
