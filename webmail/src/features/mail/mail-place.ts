import { type Folder, isFolder } from './folders.ts';

/** A list of the mailbox: a folder, the label of an id (D60), or a folder of one's own (D63). */
export type MailPlace = Folder | `label:${string}` | `own:${string}`;

/** The label that a list shows; null for a folder. */
export function labelIn(place: MailPlace): string | null {
  return place.startsWith('label:') ? place.slice(6) : null;
}

/** The id of the folder of one's own that a list shows; null for any other. */
export function ownFolderIn(place: MailPlace): string | null {
  return place.startsWith('own:') ? place.slice(4) : null;
}

/** The list that an address names; null for any other page, and for one of a message. */
export function placeAt(pathname: string): MailPlace | null {
  const [, , name, id] = pathname.split('/');
  if (name === 'label') return id ? `label:${id}` : null;
  if (name === 'folder') return id ? `own:${id}` : null;
  return isFolder(name) ? name : null;
}
