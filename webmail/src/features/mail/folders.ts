/** The folders that have a screen, in the order of the navigation. */
export const folderNames = ['inbox', 'snoozed', 'starred', 'sent', 'archive', 'junk', 'trash'] as const;
export type Folder = (typeof folderNames)[number];

/**
 * The row of the permission matrix that a folder goes by: Junk has mail as the inbox has (D46), and
 * what is snoozed is on its way back there (D61).
 */
export function modelOf(folder: Folder): Exclude<Folder, 'junk' | 'snoozed'> {
  return folder === 'junk' || folder === 'snoozed' ? 'inbox' : folder;
}

export function isFolder(text: string | undefined): text is Folder {
  return folderNames.some((name) => name === text);
}
