import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { mark, wholeFolder } from './mail-folders.ts';
import { formerPlace } from './own-folders.ts';

/** How far a change of a folder has come. */
const progress = {
  /** Messages that were looked at, changed or not. */
  seen: z.number().int(),
  until: mark,
  is_left: z.boolean(),
};

/**
 * Takes several calls, as `folder_status` does. With `folder_id` null, messages leave the person's
 * own folders. `touched` names the messages that were elsewhere before, by their former place:
 * `move` with it moves them back.
 */
export const moveFolder = endpoint({
  method: 'PUT',
  path: '/mail/folder_move',
  summary:
    'Moves all messages of a folder into one that the caller made, or out of one, for some seconds at most (D63)',
  needs: 'self',
  body: z.object({
    folder: wholeFolder,
    /** From `folder_mark`, then from the answer before. */
    until: mark,
    folder_id: id.nullable(),
  }),
  answer: z.object({
    touched: z.array(z.object({ from: formerPlace, email_ids: z.array(z.string()) })),
    ...progress,
  }),
});

/**
 * Takes several calls, as `folder_status` does. `touched` names the messages that the label was
 * really put on or taken from, so that the client can undo the change.
 */
export const labelFolder = endpoint({
  method: 'PUT',
  path: '/mail/folder_label',
  summary: 'Puts a label on all messages of a folder, or takes it off, for some seconds at most (D60)',
  needs: 'self',
  body: z.object({
    folder: wholeFolder,
    /** From `folder_mark`, then from the answer before. */
    until: mark,
    label_id: id,
    is_on: z.boolean(),
  }),
  answer: z.object({ touched: z.array(z.string()), ...progress }),
});
