import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** The name of a list, under which its page size is kept, or of a heading of the navigation. */
const name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);

/** How many lists have their page size kept: the ones that were chosen last. */
export const mostPageSizes = 40;

/** What swiping a row of mail does. */
const swipe = z.enum(['archive', 'delete', 'read', 'none']);

const shape = {
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['comfortable', 'compact', 'relaxed']),
  /** Where an open message is shown: on a page of its own, or beside or below the list. */
  pane: z.enum(['off', 'right', 'bottom']),
  /** Folders list conversations instead of messages. */
  grouped: z.boolean(),
  /** What is shown after a message was archived or deleted. */
  afterwards: z.enum(['list', 'next', 'previous']),
  swipe_right: swipe,
  swipe_left: swipe,
  /** Messages begin as plain text. */
  plain_text: z.boolean(),
  /** Rows a page, by list. Lists that a call leaves out keep theirs. */
  page_sizes: z.record(name, z.number().int().min(1).max(500)),
  /** Headings of the navigation whose pages are hidden. */
  folded: z.array(name).max(20),
  /** Whether the navigation shows only its icons. */
  rail: z.boolean(),
  labels_folded: z.boolean(),
  folders_folded: z.boolean(),
};

/** How a person likes the web app to be, on all of their devices, as far as they have chosen. */
export const choicesDto = z.object(shape).partial();
export type ChoicesDto = z.infer<typeof choicesDto>;

/** The choices among stored values. What only another version can read is left out. */
export function readChoices(stored: Readonly<Record<string, unknown>>): ChoicesDto {
  const kept = Object.entries(choicesDto.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(stored[name]);
    return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
  });
  return Object.fromEntries(kept);
}

export const saveChoices = endpoint({
  method: 'PUT',
  path: '/account/choices',
  summary: 'Keeps choices of the caller about the web app; those that are left out stay',
  needs: 'self',
  body: z
    .strictObject(shape)
    .partial()
    .refine(({ page_sizes: sizes = {} }) => Object.keys(sizes).length <= mostPageSizes, {
      path: ['page_sizes'],
      message: 'Too many lists',
    }),
  answer: choicesDto,
});
