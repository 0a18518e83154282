/** The folders that have a screen, in the order of the navigation. */
export const folderNames = ['inbox', 'starred', 'sent', 'archive', 'junk', 'trash'] as const;
export type Folder = (typeof folderNames)[number];

/** The row of the permission matrix that a folder goes by: Junk has mail as the inbox has (D46). */
export function modelOf(folder: Folder): Exclude<Folder, 'junk'> {
  return folder === 'junk' ? 'inbox' : folder;
}

export function isFolder(text: string | undefined): text is Folder {
  return folderNames.some((name) => name === text);
}
