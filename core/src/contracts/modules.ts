import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { asList } from './list.ts';

/** A row of every permission matrix (D5). Times are ISO 8601, UTC. */
export const moduleDto = z.object({
  _id: z.string(),
  name: z.string(),
  /** The code checks its flags, so it is neither renamed nor deleted. */
  is_built_in: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** What the caller may do with it. */
  abilities: z.object({ edit: z.boolean(), delete: z.boolean() }),
});
export type ModuleDto = z.infer<typeof moduleDto>;

/** What the form of a module sends. */
export const moduleForm = z.object({
  name: z
    .string({ error: 'Module name is required' })
    .trim()
    .min(1, 'Module name is required')
    .max(64, 'Maximum 64 characters allowed')
    .regex(/^[\w-]*$/, 'Module name can only contain letters, digits, underscores and hyphens'),
});

const params = z.object({ id });

export const listModules = endpoint({
  method: 'GET',
  path: '/module/get/all',
  summary: 'The modules, by name unless told; searched by name; for people of the provider',
  needs: { model: 'module', action: 'view' },
  ...asList({ sort: ['name', 'updatedAt'], defaultSort: 'name', filters: {} }),
  answer: z.array(moduleDto),
});

export const createModule = endpoint({
  method: 'POST',
  path: '/module/add',
  summary: "Adds a row to every matrix: on for the provider's Super Admin, off for all others",
  needs: { model: 'module', action: 'create' },
  body: moduleForm,
  answer: moduleDto,
});

export const updateModule = endpoint({
  method: 'PUT',
  path: '/module/update/:id',
  summary: 'Renames an added module, in every matrix',
  needs: { model: 'module', action: 'edit' },
  params,
  body: moduleForm,
  answer: moduleDto,
});

export const removeModule = endpoint({
  method: 'DELETE',
  path: '/module/delete/:id',
  summary: 'Deletes an added module with its rows of all matrices',
  needs: { model: 'module', action: 'delete' },
  params,
  answer: z.undefined(),
});
