import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { abilities, ofCompany, requiredLine } from './records.ts';
import { mailboxAddress, userDto } from './users.ts';

/** The most people of a group. */
export const maxMembers = 500;

/** A group: an address that delivers to several people of a company. Times are ISO 8601, UTC. */
export const groupDto = z.object({
  _id: z.string(),
  name: z.string(),
  /** Lower-case address; it never changes. */
  address: z.string(),
  company_id: z.object({ _id: z.string(), name: z.string() }),
  /** How many people it has, without the deleted ones. */
  people: z.number().int(),
  active_status: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Raised by each change of a form; the form sends it back. */
  version: z.number().int(),
  abilities,
});
export type GroupDto = z.infer<typeof groupDto>;

/** A person of a group. */
export const groupMember = userDto.pick({ _id: true, fname: true, lname: true, email: true, active_status: true });

/** A group with its people by name, without the deleted ones. */
export const groupDetailDto = groupDto.extend({ members: z.array(groupMember) });
export type GroupDetailDto = z.infer<typeof groupDetailDto>;

const groupName = requiredLine('Name is required', 100);
const tooMany = `A group has at most ${maxMembers} people`;
const members = z.array(id).max(maxMembers, tooMany);

/** What the form of a new group sends. */
export const groupForm = z.object({
  name: groupName,
  /** The whole address, in a domain of the company. */
  address: mailboxAddress,
  company_id: ofCompany,
  /** Ids of people of the company. */
  members: members.default([]),
});

/** What the form of an existing group sends. Address and company never change. */
export const groupChange = z.object({
  name: groupName.optional(),
  active_status: z.boolean().optional(),
  /**
   * Ids of all its people from now on. Deleted people stay in it, for the day they are restored.
   */
  members: members.optional(),
  /** Ids of people that it has from now on, beside those that are in it or in `members`. */
  add_members: members.optional(),
  /** Ids of people that it no longer has, deleted ones among them. */
  remove_members: members.optional(),
  version: startVersion,
});
export type GroupChange = z.infer<typeof groupChange>;

const view = { model: 'user', action: 'view' } as const;
const params = z.object({ id });

export const listGroups = endpoint({
  method: 'GET',
  path: '/group/get/all',
  summary: 'The groups, by name unless told; searched by name and address',
  needs: view,
  ...asList({
    sort: ['name', 'address', 'createdAt'],
    defaultSort: 'name',
    filters: { company_id: id.optional() },
  }),
  answer: z.array(groupDto),
});

export const getGroup = endpoint({
  method: 'GET',
  path: '/group/get/:id',
  summary: 'One group with its people',
  needs: view,
  params,
  answer: groupDetailDto,
});

export const createGroup = endpoint({
  method: 'POST',
  path: '/group/create',
  summary: 'Adds an address that delivers to several people of a company',
  needs: { model: 'user', action: 'create' },
  body: groupForm,
  answer: groupDetailDto,
});

export const updateGroup = endpoint({
  method: 'PUT',
  path: '/group/update/:id',
  summary: 'Renames a group, switches it on or off, or changes its people; fields that are left out stay as they are',
  needs: { model: 'user', action: 'edit' },
  params,
  body: groupChange,
  answer: groupDetailDto,
});

export const removeGroup = endpoint({
  method: 'DELETE',
  path: '/group/delete/:id',
  summary: 'Deletes a group for good and frees its address; mail that it delivered stays with its people',
  needs: { model: 'user', action: 'delete' },
  params,
  answer: z.undefined(),
});
