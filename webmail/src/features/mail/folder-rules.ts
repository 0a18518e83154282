import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { FolderFilter } from '@selvage/core/contracts/mail';
import type { Folder } from './folders.ts';
import { labelIn, type MailPlace, ownFolderIn } from './mail-place.ts';
import { labelsOf } from './labels/row-labels.ts';

/** The filter that makes the list call answer with a folder. */
export const filterOf: Record<Folder, FolderFilter> = {
  inbox: 'received_status',
  snoozed: 'snoozed_status',
  starred: 'star_status',
  sent: 'send_status',
  archive: 'archive_status',
  junk: 'junk_status',
  trash: 'trash_status',
};

type Flags = Pick<
  EmailRowDto,
  | 'received_status'
  | 'send_status'
  | 'star_status'
  | 'archive_status'
  | 'trash_status'
  | 'delete_status'
  | 'junk_status'
  | 'snoozed_status'
> & {
  /** Left out for a message in none. */
  own_folder?: string | null;
};

/**
 * Whether a message with these flags is listed in the folder; the same rule as the server's (D18,
 * D46, D61).
 */
export function belongsTo(folder: Folder, flags: Flags): boolean {
  if (flags.delete_status) return false;
  if (flags.junk_status && !flags.trash_status) return folder === 'junk';
  switch (folder) {
    case 'inbox':
      return flags.received_status && isLoose(flags) && !flags.snoozed_status;
    case 'snoozed':
      return flags.snoozed_status && isLoose(flags);
    case 'sent':
      return flags.send_status && isLoose(flags);
    case 'starred':
      return flags.star_status && !flags.trash_status;
    case 'archive':
      return flags.archive_status && !flags.trash_status;
    case 'junk':
      return false;
    case 'trash':
      return flags.trash_status;
  }
}

/**
 * Whether the messages of a list are all in one folder. `place` is null for a list of messages from
 * several folders.
 */
export function areIn(folder: Folder, place: MailPlace | null, rows: readonly Flags[]): boolean {
  return place === null ? rows.length > 0 && rows.every((row) => belongsTo(folder, row)) : place === folder;
}

/**
 * Whether a message is neither archived, nor in the trash, nor in one of the person's own folders.
 */
function isLoose({ archive_status, trash_status, own_folder }: Flags): boolean {
  return !archive_status && !trash_status && !own_folder;
}

/** Whether a message is listed in a folder, or under a label. */
export function isListedIn(place: MailPlace, row: Flags & { labels: readonly string[] }): boolean {
  const label = labelIn(place);
  const own = ownFolderIn(place);
  if (own !== null) return isInOwn(own, row);
  if (label === null) return belongsTo(place as Folder, row);
  return !row.delete_status && !row.trash_status && !row.junk_status && labelsOf(row).includes(label);
}

/** Whether a message with these flags is in the person's own folder with this id (D63). */
export function isInOwn(id: string, flags: Flags): boolean {
  return (
    flags.own_folder === id &&
    !flags.archive_status &&
    !flags.junk_status &&
    !flags.trash_status &&
    !flags.delete_status
  );
}

/** Says whether a message can go to the archive or leave it: trash and Junk win over it (D18). */
export function mayBeArchived(flags: Flags): boolean {
  return belongsTo('archive', { ...flags, archive_status: true });
}

/** Says whether a message can be reported as junk, or be taken out of Junk. */
export function mayBeJunk(flags: Flags): boolean {
  return flags.received_status && !flags.trash_status && !flags.delete_status;
}
