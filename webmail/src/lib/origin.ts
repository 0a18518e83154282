import type { Location } from 'react-router-dom';

type Place = Pick<Location, 'pathname' | 'search' | 'state'>;

/** Route state of a link that leads from a list to one of its records. */
export interface FromList {
  from: string;
}

/**
 * The route state of a list's links: the address of the list with page and filters, so that the
 * record's page knows the way back.
 */
export function fromHere({ pathname, search }: Place): FromList {
  return { from: `${pathname}${search}` };
}

/** The address of the list that a record was opened from; null when it was not opened from one. */
export function originOf({ state }: Pick<Place, 'state'>): string | null {
  const from: unknown = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' && from.startsWith('/dashboard/') ? from : null;
}

/**
 * Where "back" leads: to the list from which the record was opened, else to the address above this
 * one.
 */
export function wayBack(place: Place): string {
  return originOf(place) ?? (place.pathname.replace(/\/[^/]+\/?$/, '') || '/');
}
