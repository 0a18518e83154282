import { originOf } from '../../lib/origin.ts';
import { type PageMatch, pageAt } from '../page-registry.ts';

export interface Crumb {
  match: PageMatch;
  /** Where it leads: the address of the list as it was left, or the page's own address. */
  address: string;
}

interface Place {
  pathname: string;
  search: string;
  state: unknown;
}

/**
 * The pages from the top to the open one. Above a record is the list from which it was opened, with
 * page and filters, or else the list above its address. Ids are never shown: a page names its
 * record.
 */
export function crumbsOf({ pathname, search, state }: Place): Crumb[] {
  const origin = originOf({ state });
  const above = origin ? [origin] : prefixesOf(pathname).filter(isNoRecord);
  return [...above, `${pathname}${search}`].flatMap((address) => {
    const match = pageAt(pathOf(address));
    return match ? [{ match, address }] : [];
  });
}

const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** A word in the middle of an address, such as `view`, is no id of a record. */
const isNoRecord = (path: string): boolean => !pageAt(path)?.page.record;

function prefixesOf(pathname: string): string[] {
  const segments = pathname.split('/').filter(Boolean);
  return segments.slice(0, -1).map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
