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
  const above = origin ? [origin] : prefixesOf(pathname);
  return [...above, `${pathname}${search}`].flatMap((address) => {
    const path = address.split('?')[0] ?? '';
    const match = pageAt(path);
    // A word such as `view` in the middle of an address is no record
    const isNone = !match || (path !== pathname && match.page.record);
    return isNone ? [] : [{ match, address }];
  });
}

function prefixesOf(pathname: string): string[] {
  const segments = pathname.split('/').filter(Boolean);
  return segments.slice(0, -1).map((_segment, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
