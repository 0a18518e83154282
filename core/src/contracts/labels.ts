import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/** The colours of labels. The web app has a tone of each for light and for dark. */
export const labelColours = [
  'red',
  'orange',
  'yellow',
  'lime',
  'green',
  'teal',
  'cyan',
  'blue',
  'purple',
  'pink',
  'brown',
  'grey',
] as const;
export type LabelColour = (typeof labelColours)[number];

/** The most labels of one person. */
export const mostLabels = 200;

/** A label of the caller (D60). It shows nothing that is in Junk, the trash, or not sent yet. */
export const labelDto = z.object({
  _id: z.string(),
  name: z.string(),
  colour: z.enum(labelColours),
  /** How many messages it shows. */
  total: z.number().int(),
  unread: z.number().int(),
});
export type LabelDto = z.infer<typeof labelDto>;

/** What the form of a label sends. */
export const labelForm = z.object({
  name: z
    .string({ error: 'Please enter a name' })
    .trim()
    .min(1, 'Please enter a name')
    .max(100, 'At most 100 characters')
    .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'One line without control characters'),
  colour: z.enum(labelColours, { error: 'Choose one of the colours' }),
});

export const listLabels = endpoint({
  method: 'GET',
  path: '/mail/labels/get/all',
  summary: 'The labels of the caller with their counts, by name',
  needs: 'self',
  answer: z.array(labelDto),
});

export const createLabel = endpoint({
  method: 'POST',
  path: '/mail/labels/create',
  summary: `Makes a label; at most ${mostLabels} (D60)`,
  needs: 'self',
  body: labelForm,
  answer: labelDto,
});

export const updateLabel = endpoint({
  method: 'PUT',
  path: '/mail/labels/update/:id',
  summary: 'Gives a label another name or colour',
  needs: 'self',
  params: z.object({ id }),
  body: labelForm.partial(),
  answer: labelDto,
});

export const removeLabel = endpoint({
  method: 'DELETE',
  path: '/mail/labels/delete/:id',
  summary: 'Deletes a label; its messages stay, and lose it soon',
  needs: 'self',
  params: z.object({ id }),
  answer: z.undefined(),
});

const named = z.array(id).max(20, 'At most 20 labels at once').default([]);

/**
 * With `whole_threads` each id stands for its conversation in its folder, up to that message, as in
 * `status_change`; while `is_left` is true the client calls again. `touched` names the messages
 * that each label was really put on or taken from, so that the client can undo the change.
 */
export const changeLabels = endpoint({
  method: 'PUT',
  path: '/mail/label_change',
  summary: 'Puts labels on up to 500 messages, or takes them away, all or none, or on conversations (D60)',
  needs: 'self',
  body: z
    .object({
      email_id: z.array(id).min(1, 'email_id is required').max(500, 'At most 500 messages at once'),
      add: named,
      remove: named,
      whole_threads: z.boolean().optional(),
    })
    .refine(({ add, remove }) => add.length + remove.length > 0, { error: 'Name at least one label', path: ['add'] })
    .refine(({ add, remove }) => !add.some((one) => remove.includes(one)), {
      error: 'A label is added or removed, not both',
      path: ['remove'],
    }),
  answer: z.object({
    /** How many messages were changed. */
    changed: z.number().int(),
    touched: z.array(z.object({ label_id: z.string(), email_ids: z.array(z.string()) })),
    is_left: z.boolean(),
  }),
});
