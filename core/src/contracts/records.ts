import { z } from 'zod';
import { addressField, flag, oneLine } from './fields.ts';
import { isId } from './is-id.ts';

/** The state of a record of the console. A deleted one can be restored (D7). */
export const recordStates = ['active', 'inactive', 'deleted'] as const;
export type RecordState = (typeof recordStates)[number];

/**
 * Filters of a list whose records can be switched off and deleted. Without one the list has all
 * that are not deleted. `state` asks for one state; `deletedAt=true` and `active_status` are the
 * same in the words of the calls.
 */
export const stateFilters = {
  state: z.enum(recordStates).optional(),
  deletedAt: flag.optional(),
  active_status: flag.optional(),
};

/** The state fields of every record of the console. Times are ISO 8601, UTC. */
export const stateFields = {
  active_status: z.boolean(),
  /** When it was deleted; null while it is not. */
  deletedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

/**
 * What the caller may do with a record now, by permission and state. The server decides again when
 * it is done.
 */
export const abilities = z.object({
  edit: z.boolean(),
  delete: z.boolean(),
  restore: z.boolean(),
  /** To delete it for good; only after it was deleted. */
  erase: z.boolean(),
});
export type Abilities = z.infer<typeof abilities>;

/** A line of text that must not be empty. */
export const requiredLine = (required: string, length: number) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(length, `Maximum ${length} characters allowed`)
    .refine(...oneLine);

/** A line of text that may be left out; empty removes what was there. */
export const optionalLine = (length: number) =>
  z
    .string()
    .trim()
    .max(length, `Maximum ${length} characters allowed`)
    .refine(...oneLine)
    .optional();

/**
 * The company of a new record: the caller's own unless given. The form of a person who chooses
 * among companies sends an empty text until they have chosen.
 */
export const ofCompany = z
  .string({ error: 'Company selection is required' })
  .refine(isId, 'Company selection is required')
  .optional();

/** An email address that must be given. The words are those of the console's forms. */
export const requiredEmail = (required: string) => addressField({ required, invalid: 'Invalid email' });

/** A phone number of ten digits that may be left out; empty removes what was there. */
export const optionalPhone = z
  .string()
  .trim()
  .refine((text) => text === '' || !Number.isNaN(Number(text)), 'Phone number must be a number')
  .refine((text) => text === '' || /^\d*$/.test(text), 'Phone number must be an integer')
  .refine((text) => text === '' || /^\d{10}$/.test(text), 'Phone number must be exactly 10 digits')
  .optional();
