import { type Folder, isFolder } from './folders.ts';

/**
 * A list of the mailbox: a folder of the host, a label by its id (D60), or one of the person's own
 * folders by its id (D63).
 */
export type MailPlace = Folder | `label:${string}` | `own:${string}`;

/** The label that a list shows; null for a folder. */
export function labelIn(place: MailPlace): string | null {
  return place.startsWith('label:') ? place.slice(6) : null;
}

/** The id of the person's own folder that a list shows; null for any other list. */
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
