import type { OwnFolder } from '../mailstore/own-folders.ts';
import type { ArchivedFolder } from './layout.ts';

/*
 * The folders of a person as a Maildir has them (Maildir++), so that a mail program of a new host
 * shows those that the person made, each with its messages. The index has their true names.
 */

/** The place of each folder of the host in a Maildir. */
const placeOf: Record<Exclude<ArchivedFolder, 'own'>, string> = {
  inbox: 'cur',
  sent: '.Sent/cur',
  archive: '.Archive/cur',
  junk: '.Junk/cur',
  trash: '.Trash/cur',
  snoozed: '.Snoozed/cur',
  scheduled: '.Scheduled/cur',
};

/** The folders that a person made are below this one, apart from those of the host. */
const ownPlace = '.Own';
/** The bytes that a tar header has for the path before the name of a file. */
const mostPathBytes = 155;

type OwnPlaces = ReadonlyMap<string, string>;

/**
 * The places of the folders that a person made, by their ids.
 * @param mail the path of the person's Maildir
 */
export function placesOfOwn(folders: readonly Pick<OwnFolder, 'id' | 'name'>[], mail: string): OwnPlaces {
  const room = mostPathBytes - `${mail}/${ownPlace}.`.length;
  const taken = new Set<string>();
  return new Map(
    folders.map(({ id, name }) => {
      const plain = fitting(name, room);
      // Two names may become the same once the characters are replaced that no path has
      let free = plain;
      for (let n = 2; taken.has(free.toLowerCase()); n += 1) {
        const end = `-${n}`;
        free = fitting(name, room - end.length) + end;
      }
      taken.add(free.toLowerCase());
      return [id, `${ownPlace}.${free}/cur`];
    }),
  );
}

/** The place of a folder in a Maildir. An own folder that was deleted since has none to itself. */
export function placeIn(folder: ArchivedFolder, ownFolderId: string | null, own: OwnPlaces): string {
  if (folder !== 'own') return placeOf[folder];
  return own.get(String(ownFolderId)) ?? `${ownPlace}/cur`;
}

/** Encodes a name as other programs read it, shortened to the room that there is. */
function fitting(name: string, room: number): string {
  // A dot separates the levels of a Maildir; the others have a meaning in paths or lists
  const shown = name.toWellFormed().replaceAll(/[./\\:*?"<>|]/g, '-');
  const letters = [...shown];
  let encoded = encodeName(shown);
  while (encoded.length > room) {
    letters.pop();
    encoded = encodeName(letters.join(''));
  }
  return encoded;
}

/** RFC 3501 5.1.3: the modified UTF-7 in which Maildir++ and IMAP write names of folders. */
function encodeName(name: string): string {
  return name.replaceAll(/&|[^\x20-\x7e]+/g, (part) => {
    if (part === '&') return '&-';
    const utf16 = Buffer.from(part, 'utf16le').swap16();
    return `&${utf16.toString('base64').replaceAll('/', ',').replaceAll('=', '')}-`;
  });
}
