import { z } from 'zod';
import { addRules } from './add-rules.ts';
import { endpoint } from './endpoint.ts';
import { id, oneLine, startVersion } from './fields.ts';
import { mark } from './mail-folders.ts';

/**
 * A sender whose mail the caller finds in Junk: an address, or a domain with all below it (D46).
 */
export const blockedSenderDto = z.object({ _id: z.string(), address: z.string(), createdAt: z.string() });
export type BlockedSenderDto = z.infer<typeof blockedSenderDto>;

export const listBlocked = endpoint({
  method: 'GET',
  path: '/mailsetting/blocked/get/all',
  summary: 'The senders whose mail the caller finds in Junk, by address',
  needs: { model: 'accountsettings', action: 'view' },
  answer: z.array(blockedSenderDto),
});

export const blockSender = endpoint({
  method: 'POST',
  path: '/mailsetting/blocked/add',
  summary: 'Puts mail of an address or of a domain into Junk from now on; a repeat changes nothing',
  needs: addRules,
  body: z.object({ address: z.string().trim().min(1, 'Name an address or a domain').max(254) }),
  answer: blockedSenderDto,
});

export const unblockSender = endpoint({
  method: 'DELETE',
  path: '/mailsetting/blocked/delete/:id',
  summary: 'No longer puts mail of a sender into Junk',
  needs: { model: 'accountsettings', action: 'delete' },
  params: z.object({ id }),
  answer: z.undefined(),
});

/** The most filters of one person. */
export const mostFilters = 100;

const text = z
  .string()
  .trim()
  .max(200, 'At most 200 characters')
  .refine((value) => !/\p{Cc}/u.test(value), 'One line without control characters')
  .optional();

/**
 * What a message must have: each given text, anywhere in its field, whatever the case. An empty
 * text is no condition.
 */
export const filterConditions = z
  .object({
    /** In the sender's name or address. */
    from: text,
    /** In the recipients of To and Cc, or in the address that it came in by. */
    to: text,
    subject: text,
    /** In the name of the list that it came by (RFC 2919). */
    list_id: text,
  })
  .refine((given) => Object.values(given).some(Boolean), {
    error: 'Say what the messages have in common',
    path: ['from'],
  });
export type FilterConditions = z.infer<typeof filterConditions>;

/** What happens to a message that fits. */
export const filterActions = z
  .object({
    move_to: z.enum(['archive', 'junk', 'trash']).optional(),
    /** The id of a folder that the caller made, into which they go (D63). */
    folder: id.optional(),
    star: z.boolean().optional(),
    mark_read: z.boolean().optional(),
    /** Forwards it to the address that has agreed to get copies of the caller's mail (D35). */
    forward: z.boolean().optional(),
    /** The id of a label of the caller, which the messages get (D60). */
    label: id.optional(),
    /** No filter after this one looks at the message. */
    stop: z.boolean().optional(),
  })
  .refine(({ move_to, ...rest }) => move_to !== undefined || Object.values(rest).some(Boolean), {
    error: 'Say what happens to the messages',
    path: ['move_to'],
  })
  .refine(({ move_to, folder }) => move_to === undefined || folder === undefined, {
    error: 'Name one folder',
    path: ['folder'],
  });
export type FilterActions = z.infer<typeof filterActions>;

/** What the form of a filter sends. */
export const filterForm = z.object({
  name: z
    .string({ error: 'Please enter a name' })
    .trim()
    .min(1, 'Please enter a name')
    .max(100, 'At most 100 characters')
    .refine(...oneLine),
  conditions: filterConditions,
  actions: filterActions,
});

/** A filter of the caller. */
export const filterDto = z.object({
  _id: z.string(),
  name: z.string(),
  is_on: z.boolean(),
  conditions: filterConditions,
  actions: filterActions,
  /** Raised by each change, but not by another order; a form sends it back. */
  version: z.number().int(),
});
export type FilterDto = z.infer<typeof filterDto>;

export const listFilters = endpoint({
  method: 'GET',
  path: '/mailsetting/filters/get/all',
  summary: 'The filters of the caller, in the order in which they work',
  needs: { model: 'accountsettings', action: 'view' },
  answer: z.array(filterDto),
});

export const createFilter = endpoint({
  method: 'POST',
  path: '/mailsetting/filters/create',
  summary: `Adds a filter behind the others; at most ${mostFilters}`,
  needs: addRules,
  body: filterForm,
  answer: filterDto,
});

export const updateFilter = endpoint({
  method: 'PUT',
  path: '/mailsetting/filters/update/:id',
  summary: 'Changes a filter, or switches it on or off',
  needs: { model: 'accountsettings', action: 'edit' },
  params: z.object({ id }),
  body: filterForm.partial().extend({ is_on: z.boolean().optional(), version: startVersion }),
  answer: filterDto,
});

export const orderFilters = endpoint({
  method: 'PUT',
  path: '/mailsetting/filters/order',
  summary: 'Puts all filters of the caller into another order',
  needs: { model: 'accountsettings', action: 'edit' },
  body: z.object({ filter_ids: z.array(id).min(1).max(mostFilters) }),
  answer: z.undefined(),
});

/** How far a look through the inbox has come, which takes several calls where it is large. */
const inboxProgress = {
  /** Messages that were looked at. */
  seen: z.number().int(),
  until: mark,
  is_left: z.boolean(),
};

/**
 * Counts for some seconds at most, the newest messages first. `until` is from `folder_mark`, then
 * from the answer before; while `is_left` is true, the client calls again.
 */
export const countFitting = endpoint({
  method: 'POST',
  path: '/mailsetting/filters/count',
  summary: 'How many messages in the inbox of the caller a filter would fit (D46)',
  needs: 'self',
  body: z.object({ conditions: filterConditions, until: mark }),
  answer: z.object({ fitting: z.number().int(), ...inboxProgress }),
});

/**
 * Takes several calls, as `countFitting` does. If a client stops, what was done stays done. No
 * message is forwarded, and no other filter is applied.
 */
export const applyFilter = endpoint({
  method: 'PUT',
  path: '/mailsetting/filters/apply/:id',
  summary: 'Does what a filter says to the messages in the inbox that it fits, for some seconds at most (D46)',
  needs: 'self',
  params: z.object({ id }),
  body: z.object({ until: mark }),
  answer: z.object({ changed: z.number().int(), ...inboxProgress }),
});

export const removeFilter = endpoint({
  method: 'DELETE',
  path: '/mailsetting/filters/delete/:id',
  summary: 'Deletes a filter',
  needs: { model: 'accountsettings', action: 'delete' },
  params: z.object({ id }),
  answer: z.undefined(),
});
