import type { EmailRowDto } from '@selvage/core/contracts/email';
import type { FolderFilter } from '@selvage/core/contracts/mail';
import type { Folder } from './folders.ts';

/** The filter that makes the list call answer with a folder. */
export const filterOf: Record<Folder, FolderFilter> = {
  inbox: 'received_status',
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
>;

/**
 * Whether a message with these flags is listed in the folder; the same rule as the server's (D18,
 * D46).
 */
export function belongsTo(folder: Folder, flags: Flags): boolean {
  if (flags.delete_status) return false;
  if (flags.junk_status && !flags.trash_status) return folder === 'junk';
  switch (folder) {
    case 'inbox':
      return flags.received_status && !flags.archive_status && !flags.trash_status;
    case 'sent':
      return flags.send_status && !flags.archive_status && !flags.trash_status;
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

/** Says whether a message can be reported as junk, or be taken out of Junk. */
export function mayBeJunk(flags: Flags): boolean {
  return flags.received_status && !flags.trash_status && !flags.delete_status;
}
