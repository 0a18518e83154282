import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';

/** The most folders that one person makes. */
export const mostOwnFolders = 100;

/**
 * Names that the host uses for folders. No person's own folder has one of them, in whatever case.
 */
export const takenFolderNames: readonly string[] = [
  'inbox',
  'starred',
  'sent',
  'archive',
  'junk',
  'spam',
  'trash',
  'draft',
  'drafts',
  'scheduled',
  'snoozed',
  'all',
  'anywhere',
];

/** A folder that the caller made (D63). */
export const ownFolderDto = z.object({
  _id: z.string(),
  name: z.string(),
  /** Messages in it. */
  total: z.number().int(),
  unread: z.number().int(),
});
export type OwnFolderDto = z.infer<typeof ownFolderDto>;

/**
 * The form in which names are compared. Names that differ only in case, or in the Unicode form of
 * their letters, have the same key. The key fits its column. The name is cut first, since
 * normalising many accents takes quadratic time.
 */
export function folderNameKey(name: string): string {
  return name.slice(0, 255).normalize('NFKC').toLowerCase().slice(0, 255).toWellFormed();
}

// Line breaks, lone surrogates, and characters that are invisible or change the direction of text
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]/u;

/** What the form of a folder sends. */
export const ownFolderForm = z.object({
  name: z
    .string({ error: 'Please enter a name' })
    .trim()
    .min(1, 'Please enter a name')
    .max(60, 'At most 60 characters')
    .refine((value) => !unseen.test(value), 'One line without control characters')
    .refine((value) => !value.includes('"'), 'A name has no double quotes')
    .refine((value) => !takenFolderNames.includes(folderNameKey(value)), 'Your mailbox has a folder of this name'),
});

export const listOwnFolders = endpoint({
  method: 'GET',
  path: '/mail/folders/get/all',
  summary: 'The folders that the caller made with their counts, by name',
  needs: 'self',
  answer: z.array(ownFolderDto),
});

export const createOwnFolder = endpoint({
  method: 'POST',
  path: '/mail/folders/create',
  summary: `Makes a folder; at most ${mostOwnFolders} (D63)`,
  needs: 'self',
  body: ownFolderForm,
  answer: ownFolderDto,
});

export const renameOwnFolder = endpoint({
  method: 'PUT',
  path: '/mail/folders/update/:id',
  summary: 'Gives a folder of the caller another name',
  needs: 'self',
  params: z.object({ id }),
  body: ownFolderForm,
  answer: ownFolderDto,
});

export const removeOwnFolder = endpoint({
  method: 'DELETE',
  path: '/mail/folders/delete/:id',
  summary: 'Deletes a folder of the caller; its messages are moved to the trash soon',
  needs: 'self',
  params: z.object({ id }),
  answer: z.undefined(),
});

/** Where messages were before a move: what the call needs to move them back. */
export const formerPlace = z.object({
  folder_id: z.string().nullable(),
  archive_status: z.boolean(),
  junk_status: z.boolean(),
  trash_status: z.boolean(),
});

/**
 * With `folder_id` null, messages leave the person's own folders: they go to the inbox, Sent or
 * Snoozed. A flag that is left out is false, so that messages leave the archive, Junk and the
 * trash. No move puts a message into Junk that the person has sent. With `whole_threads` each id
 * stands for its conversation in its folder, up to that message, as in `status_change`; while
 * `is_left` is true the client calls again. `touched` names the messages that were elsewhere
 * before, by their former place: the same call with it moves them back.
 */
export const moveMessages = endpoint({
  method: 'PUT',
  path: '/mail/move',
  summary: 'Moves up to 500 messages into a folder that the caller made, all or none, or conversations (D63)',
  needs: 'self',
  body: z.object({
    email_id: z.array(id).min(1, 'email_id is required').max(500, 'At most 500 messages at once'),
    folder_id: id.nullable(),
    archive_status: z.boolean().default(false),
    junk_status: z.boolean().default(false),
    trash_status: z.boolean().default(false),
    whole_threads: z.boolean().optional(),
  }),
  answer: z.object({
    /** How many messages were moved. */
    changed: z.number().int(),
    touched: z.array(z.object({ from: formerPlace, email_ids: z.array(z.string()) })),
    is_left: z.boolean(),
  }),
});
