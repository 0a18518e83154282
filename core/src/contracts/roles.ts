import { z } from 'zod';
import { permissionEntry } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { id, startVersion } from './fields.ts';
import { asList } from './list.ts';
import { abilities, requiredLine, stateFields, stateFilters } from './records.ts';

/** A role of a company. Times are ISO 8601, UTC. */
export const roleDto = z.object({
  _id: z.string(),
  role_name: z.string(),
  /** Number within the company; 0, 1 and 2 are the built-in roles. */
  role_id: z.number().int(),
  company_id: z.object({ _id: z.string(), name: z.string() }),
  /** The rows of its matrix. A module without a row has no flag. */
  permissions: z.array(permissionEntry),
  /** How many people have the role, without the deleted ones. */
  people: z.number().int(),
  /** What its people need to log in besides the password; null while they need nothing. */
  two_factor: z.object({ since: z.string(), grace_days: z.number().int() }).nullable(),
  ...stateFields,
  /** Raised by each change of a form; the form sends it back. */
  version: z.number().int(),
  /**
   * Built-in roles have no `edit`; a second factor can be required of their people all the same.
   */
  abilities: abilities.extend({ require_two_factor: z.boolean() }),
});
export type RoleDto = z.infer<typeof roleDto>;

const roleName = requiredLine('Role name is required', 100);

/** What the form of a new role sends. */
export const roleForm = z.object({
  role_name: roleName,
  company_id: z.string({ error: 'Company ID is required' }).min(1, 'Company ID is required').pipe(id),
  /** The next free number of the company unless given. */
  role_id: z
    .number({ error: 'Role ID must be a whole number' })
    .int('Role ID must be a whole number')
    .min(0, 'Role ID must be a whole number')
    .max(999_999, 'Role ID must be at most 999999')
    .optional(),
  active_status: z.boolean().optional(),
});

/** What the form of an existing role sends. Number and company never change. */
export const roleChange = z.object({
  role_name: roleName.optional(),
  /** The present number; another one is refused. */
  role_id: z.number().optional(),
  /** The present company; another one is refused. */
  company_id: id.optional(),
  active_status: z.boolean().optional(),
  version: startVersion,
});

/** The most days of grace. */
export const maxGraceDays = 90;

const wholeDays = `Grace period in days must be a whole number from 0 to ${maxGraceDays}`;

/** What the form of a role's second factor sends. */
export const roleTwoFactorForm = z.object({
  required: z.boolean(),
  /** Days that its people may go on without a second factor. */
  grace_days: z.number({ error: wholeDays }).int(wholeDays).min(0, wholeDays).max(maxGraceDays, wholeDays).default(0),
  version: startVersion,
});

const view = { model: 'role', action: 'view' } as const;
const params = z.object({ id });

export const listRoles = endpoint({
  method: 'GET',
  path: '/role/get/all',
  summary: 'The roles, by name unless told; searched by name',
  needs: view,
  ...asList({
    sort: ['role_name', 'role_id', 'createdAt'],
    defaultSort: 'role_name',
    filters: { company_id: id.optional(), ...stateFilters },
  }),
  answer: z.array(roleDto),
});

export const getRole = endpoint({
  method: 'GET',
  path: '/role/get/:id',
  summary: 'One role, deleted or not',
  needs: view,
  params,
  answer: roleDto,
});

export const createRole = endpoint({
  method: 'POST',
  path: '/role/add/roles',
  summary: 'Adds a role to a company, without any permission',
  needs: { model: 'role', action: 'create' },
  body: roleForm,
  answer: roleDto,
});

export const updateRole = endpoint({
  method: 'PUT',
  path: '/role/update/:id',
  summary: 'Renames a role, or switches it on or off; switched off, its people are logged out',
  needs: { model: 'role', action: 'edit' },
  params,
  body: roleChange,
  answer: roleDto,
});

export const requireTwoFactor = endpoint({
  method: 'PUT',
  path: '/role/two_factor/:id',
  summary:
    'Says whether the people of a role need a second factor; after the days of grace, ' +
    'those without one can do nothing but set it up',
  needs: { model: 'role', action: 'edit' },
  params,
  body: roleTwoFactorForm,
  answer: roleDto,
});

export const removeRole = endpoint({
  method: 'DELETE',
  path: '/role/delete/:id',
  summary: 'Deletes a role that no person has, until it is restored',
  needs: { model: 'role', action: 'delete' },
  params,
  answer: roleDto,
});

export const restoreRole = endpoint({
  method: 'PATCH',
  path: '/role/restore/:id',
  summary: 'Brings a deleted role back as it was',
  needs: { model: 'role', action: 'edit' },
  params,
  answer: roleDto,
});

export const eraseRole = endpoint({
  method: 'DELETE',
  path: '/role/permanent-delete/:id',
  summary: 'Deletes a deleted role for good',
  needs: { model: 'role', action: 'delete' },
  params,
  answer: z.undefined(),
});
