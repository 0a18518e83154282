import { type Folder, isFolder } from './folders.ts';

/**
 * A message is always read at /dashboard/inbox/{id}, whichever list it was opened from.
 * The route state remembers that list, so that Back and the navigation still know it.
 */
interface Origin {
  from: string;
}

interface Place {
  pathname: string;
  state: unknown;
}

export function originOf({ pathname, state }: Place): string {
  if (typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string') {
    if (state.from.startsWith('/dashboard/')) return state.from;
  }
  const [, , folder] = pathname.split('/');
  return isFolder(folder) ? `/dashboard/${folder}` : '/dashboard/inbox';
}

export function folderOfLocation(place: Place): Folder {
  const [, , folder] = originOf(place).split(/[/?]/);
  return isFolder(folder) ? folder : 'inbox';
}
