import { type FolderKey, folderNames, outsideStarred } from '../contracts/mail-folders.ts';
import type { EntryFolder } from '../models/mailbox-entry.ts';
import type { FolderChange } from './change-folders.ts';

/** The flags that a person may set (D23, D46). */
export const settableFlags = [
  'readStatus',
  'starStatus',
  'archiveStatus',
  'trashStatus',
  'deleteStatus',
  'junkStatus',
] as const;

/** The flags that decide in which folders an entry is shown, and how it counts there. */
export const entryFlags = [...settableFlags, 'sendStatus', 'draftStatus', 'scheduledStatus', 'snoozedStatus'] as const;
export type EntryFlags = Record<(typeof entryFlags)[number], boolean> & {
  /** The custom folder that the entry is in, or goes back to (D63). */
  ownFolderId: string | null;
};

/** The flags of a received entry that its owner has not touched. */
export const noFlags = {
  ...Object.fromEntries(entryFlags.map((name) => [name, false])),
  ownFolderId: null,
} as EntryFlags;

/** The flags of an entry alone. */
export function flagsOf(entry: EntryFlags): EntryFlags {
  const ownFolderId = entry.ownFolderId ? String(entry.ownFolderId) : null;
  return { ...Object.fromEntries(entryFlags.map((name) => [name, entry[name]])), ownFolderId } as EntryFlags;
}

/**
 * The folder of an entry (D18). Deleted wins over scheduled, scheduled over trash, trash over
 * draft, draft over junk, junk over archive, archive over a custom folder, and a custom folder over
 * snoozed; any other entry is sent or received. A message that a person sends to themselves has two
 * entries, so one entry is never both.
 */
export function folderOf(flags: Omit<EntryFlags, 'readStatus' | 'starStatus'>): EntryFolder {
  if (flags.deleteStatus) return 'gone';
  if (flags.scheduledStatus) return 'scheduled';
  if (flags.trashStatus) return 'trash';
  if (flags.draftStatus) return 'draft';
  if (flags.junkStatus) return 'junk';
  if (flags.archiveStatus) return 'archive';
  if (flags.ownFolderId !== null) return 'own';
  if (flags.snoozedStatus) return 'snoozed';
  return flags.sendStatus ? 'sent' : 'inbox';
}

/** The folder of an entry, with the id of a custom folder. */
export function keyOf(flags: Omit<EntryFlags, 'readStatus' | 'starStatus'>): FolderKey | 'gone' {
  const folder = folderOf(flags);
  return folder === 'own' ? `own:${flags.ownFolderId}` : folder;
}

/** The folders whose entries Starred and labels show, as a list in SQL (D18, D60). */
export const shownFoldersInSql = [...folderNames, 'own']
  .filter((name) => name !== 'starred' && !outsideStarred.has(name))
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * The folders that count an entry: its own, and Starred if it has the star and Starred shows
 * entries of that folder (D18).
 */
export function countedIn(flags: EntryFlags): FolderKey[] {
  const folder = keyOf(flags);
  if (folder === 'gone') return [];
  return flags.starStatus && !outsideStarred.has(folder) ? [folder, 'starred'] : [folder];
}

/**
 * How the counts of an owner's folders change when an entry changes from `before` (null: it is new)
 * to `after`. The folder of the entry is included even if its counts stay the same. `size` is that
 * of its message in bytes; it matters only when the entry comes into a folder or leaves one.
 */
export function folderChanges(
  owner: { companyId: string; userId: string },
  before: EntryFlags | null,
  { after, size }: { after: EntryFlags; size: number },
): FolderChange[] {
  const count = (flags: EntryFlags, sign: 1 | -1): FolderChange[] =>
    countedIn(flags).map((folder) => ({
      ...owner,
      folder,
      total: sign,
      unread: flags.readStatus ? 0 : sign,
      // Starred shows entries of other folders, which count the bytes. The folder of drafts counts
      // the text and the files of a draft, and not the message made of them as well
      bytes: folder === 'starred' || folder === 'draft' ? 0 : sign * size,
    }));
  const to = keyOf(after);
  const comes = to !== 'gone' && (before === null || keyOf(before) !== to);
  const arrival: FolderChange[] = comes ? [{ ...owner, folder: to, total: 0, unread: 0, arrivals: 1 }] : [];
  return [...(before === null ? [] : count(before, -1)), ...count(after, 1), ...arrival];
}
