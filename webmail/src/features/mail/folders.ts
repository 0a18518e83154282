import type { EmailRowDto, FolderFilter } from '@selvage/core/contracts/mail';

export const folderNames = ['inbox', 'starred', 'sent', 'archive', 'trash'] as const;
export type Folder = (typeof folderNames)[number];

interface FolderInfo {
  /** Heading of its screen. */
  title: string;
  /** Its name in the navigation. */
  label: string;
  filter: FolderFilter;
  /** What to say below 'No emails found'. */
  emptyHint: string;
}

export const folderInfo: Record<Folder, FolderInfo> = {
  inbox: {
    title: 'Inbox Mail',
    label: 'Inbox',
    filter: 'received_status',
    emptyHint: 'New messages appear here by themselves.',
  },
  starred: {
    title: 'Starred Mail',
    label: 'Starred',
    filter: 'star_status',
    emptyHint: 'Press the star beside a message to find it here.',
  },
  sent: {
    title: 'Sent Mail',
    label: 'Sent',
    filter: 'send_status',
    emptyHint: 'What you send appears here, with what became of it.',
  },
  archive: {
    title: 'Archive Mail',
    label: 'Archive',
    filter: 'archive_status',
    emptyHint: 'Archived messages leave the inbox and stay here.',
  },
  trash: {
    title: 'Trash Mail',
    label: 'Trash',
    filter: 'trash_status',
    emptyHint: 'Messages you delete wait here and can be restored.',
  },
};

export function isFolder(text: string | undefined): text is Folder {
  return folderNames.some((name) => name === text);
}

type Flags = Pick<
  EmailRowDto,
  'received_status' | 'send_status' | 'star_status' | 'archive_status' | 'trash_status' | 'delete_status'
>;

/** Whether a message with these flags is listed in the folder; the same rule as the server's. */
export function belongsTo(folder: Folder, flags: Flags): boolean {
  if (flags.delete_status) return false;
  switch (folder) {
    case 'inbox':
      return flags.received_status && !flags.archive_status && !flags.trash_status;
    case 'sent':
      return flags.send_status && !flags.archive_status && !flags.trash_status;
    case 'starred':
      return flags.star_status && !flags.trash_status;
    case 'archive':
      return flags.archive_status && !flags.trash_status;
    case 'trash':
      return flags.trash_status;
  }
}
