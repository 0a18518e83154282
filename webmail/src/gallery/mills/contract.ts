import { endpoint } from '@selvage/core/contracts/endpoint';
import { id } from '@selvage/core/contracts/fields';
import { asList } from '@selvage/core/contracts/list';
import { z } from 'zod';

/**
 * The gallery has no session. A call of the product would name its flag instead: `{ model:
 * 'domain', action: 'view' }`.
 */
const needs = 'public';

/** The states of a mill. */
export const millStates = ['running', 'starting', 'stopped', 'sold'] as const;
const state = z.enum(millStates);

/** A spinning mill. */
export const millDto = z.object({
  _id: z.string(),
  name: z.string(),
  town: z.string(),
  spindles: z.number().int(),
  state,
  /** ISO 8601, UTC. */
  opened: z.string(),
});
export type MillDto = z.infer<typeof millDto>;

/** The body that the form of a mill sends. */
export const millForm = z.object({
  name: z.string().trim().min(2, 'Mill name must be at least 2 characters long').max(100),
  town: z.string().trim().min(1, 'Town is required').max(100),
  spindles: z.number({ error: 'Spindles are required' }).int().min(1, 'A mill has one spindle at least').max(999_999),
});

export const listMills = endpoint({
  method: 'GET',
  path: '/mill/get/all',
  summary: 'The mills, by name unless told; searched by name and town',
  needs,
  ...asList({
    sort: ['name', 'town', 'spindles', 'opened'],
    defaultSort: 'name',
    filters: { state: state.optional() },
  }),
  answer: z.array(millDto),
});

export const createMill = endpoint({
  method: 'POST',
  path: '/mill/create',
  summary: 'Adds a mill',
  needs,
  body: millForm,
  answer: millDto,
});

export const removeMill = endpoint({
  method: 'DELETE',
  path: '/mill/delete/:id',
  summary: 'Deletes a mill',
  needs,
  params: z.object({ id }),
  answer: z.undefined(),
});
