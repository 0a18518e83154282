import { type Folder, isFolder } from './folders.ts';

interface Place {
  pathname: string;
  state: unknown;
}

/**
 * The list a message was opened from. It is always read at /dashboard/inbox/{id}; the route state (`{ from }`) remembers the list, so that
 * Back and the navigation still know it.
 */
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
