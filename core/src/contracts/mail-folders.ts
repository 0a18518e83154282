import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import { labelDto } from './labels.ts';
import { ownFolderDto } from './own-folders.ts';
import { mailboxUse } from './plan.ts';

/** Every folder, in the order of the navigation. */
export const folderNames = [
  'inbox',
  'starred',
  'sent',
  'archive',
  'junk',
  'trash',
  'draft',
  'scheduled',
  'snoozed',
] as const;
export type FolderName = (typeof folderNames)[number];

/** A folder of the host, or one that its owner made, by its id (D63). */
export type FolderKey = FolderName | `own:${string}`;

/** Starred shows nothing that is in these (D18). */
export const outsideStarred: ReadonlySet<string> = new Set<FolderName>(['junk', 'trash', 'draft', 'scheduled']);

/** The folder totals and labels that the navigation shows, and how full the mailbox is. */
export const getFolderTotals = endpoint({
  method: 'GET',
  path: '/mail/totals',
  summary: 'Messages and unread messages in each folder and label of the logged-in person',
  needs: 'self',
  answer: z.object({
    ...(Object.fromEntries(
      folderNames.map((name) => [name, z.object({ total: z.number().int(), unread: z.number().int() })]),
    ) as Record<FolderName, z.ZodObject<{ total: z.ZodNumber; unread: z.ZodNumber }>>),
    labels: z.array(labelDto),
    own_folders: z.array(ownFolderDto),
    storage: mailboxUse,
  }),
});

/**
 * With `whole_threads` each id stands for its conversation in its folder, up to that message: later
 * messages stay as they are. Conversations may be long, so they are changed in batches; while
 * `is_left` is true the client calls again. `touched` names the messages that had other values
 * before, so that the client can undo the change. With `from` only messages are changed that are
 * still in this folder: one that another window has restored since the person asked for the
 * deletion stays.
 */
export const changeStatus = endpoint({
  method: 'PUT',
  path: '/mail/status_change',
  summary: 'Sets flags on up to 500 messages, all or none (D23, D46), or on conversations',
  needs: 'self',
  body: z
    .object({
      email_id: z.array(id).min(1, 'email_id is required').max(500, 'At most 500 messages at once'),
      read_status: z.boolean().optional(),
      star_status: z.boolean().optional(),
      archive_status: z.boolean().optional(),
      trash_status: z.boolean().optional(),
      delete_status: z.boolean().optional(),
      junk_status: z.boolean().optional(),
      whole_threads: z.boolean().optional(),
      from: z.enum(['trash', 'junk']).optional(),
    })
    .refine((body) => Object.keys(body).some((name) => name.endsWith('_status')), 'Name at least one status'),
  answer: z.object({
    changed: z.number().int(),
    /** With `whole_threads` alone. */
    touched: z.array(z.string()).optional(),
    is_left: z.boolean().optional(),
  }),
});

/** The folders that can be changed as a whole. Starred shows messages of several. */
export const wholeFolders = ['inbox', 'snoozed', 'sent', 'archive', 'junk', 'trash'] as const;
/** One of them, or one that its owner made, by its id (D63). */
export const wholeFolder = z.union([z.enum(wholeFolders), z.templateLiteral(['own:', z.string().regex(/^\d{1,20}$/)])]);
export type WholeFolder = z.infer<typeof wholeFolder>;

/** A position in a folder: messages that come later are after it. */
export const mark = z.string().regex(/^\d{1,10}$/, 'Not a mark');

export const markFolder = endpoint({
  method: 'GET',
  path: '/mail/folder_mark',
  summary: 'What a folder has now, and the mark up to which `folder_status` changes it',
  needs: 'self',
  query: z.object({ folder: wholeFolder }),
  answer: z.object({ until: mark, total: z.number().int(), unread: z.number().int() }),
});

/**
 * Messages that came into the folder after the mark stay as they are. A large folder takes several
 * calls: while `is_left` is true, the client calls again with the answered `until`. Each call is
 * complete when it is answered, so a client that stops has changed only the newer messages.
 * `touched` names the messages that had the other value, so that the client can undo the change.
 */
export const changeFolder = endpoint({
  method: 'PUT',
  path: '/mail/folder_status',
  summary: 'Sets one flag on all messages of a folder, the newest first, for some seconds at most (D50)',
  needs: 'self',
  body: z
    .object({
      folder: wholeFolder,
      /** From `folder_mark`, then from the answer before. */
      until: mark,
      read_status: z.boolean().optional(),
      star_status: z.boolean().optional(),
      archive_status: z.boolean().optional(),
      trash_status: z.boolean().optional(),
      junk_status: z.boolean().optional(),
      /** Deletes for good. */
      delete_status: z.literal(true).optional(),
    })
    .refine(
      (body) => Object.entries(body).filter(([name, on]) => name.endsWith('_status') && on !== undefined).length === 1,
      'Name one status',
    ),
  answer: z.object({
    touched: z.array(z.string()),
    /** Messages that were looked at, changed or not. */
    seen: z.number().int(),
    until: mark,
    is_left: z.boolean(),
  }),
});

/** The body and the answer of a call that empties a folder. */
const emptying = {
  body: z.object({
    /** From `folder_mark`: what has come since then stays. Unless given, what is there now goes. */
    until: mark.optional(),
  }),
  answer: z.object({ removed: z.number().int(), is_left: z.boolean(), until: mark }),
};

/**
 * A large trash takes several calls: while `is_left` is true, the client calls again with the
 * answered `until`, so that what came into the trash meanwhile stays there.
 */
export const emptyTrash = endpoint({
  method: 'POST',
  path: '/mail/empty_trash',
  summary: 'Deletes what is in the trash of the logged-in person for good, for some seconds at most',
  needs: { model: 'trash', action: 'delete' },
  ...emptying,
});

/** As `emptyTrash`. Junk has the permissions of the inbox (D46). */
export const emptyJunk = endpoint({
  method: 'POST',
  path: '/mail/empty_junk',
  summary: 'Deletes what is in Junk of the logged-in person for good, for some seconds at most',
  needs: { model: 'inbox', action: 'delete' },
  ...emptying,
});
