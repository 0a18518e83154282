import { z } from 'zod';
import { limit, page } from './fields.ts';

/**
 * What a browser needs to know of a list to offer its orders and filters. The endpoint carries it
 * as plain values.
 */
export interface ListFacts {
  /** Names of the columns that the list can be sorted by. */
  sort: readonly string[];
  /** The default order: a column's name, with `-` before it for descending. */
  defaultSort: string;
  /** Query keys that narrow the list, beside `search`. */
  filters: readonly string[];
}

/** An order as a query string carries it: a column's name ascending, or `-name` descending. */
export type SortOrder<N extends string> = N | `-${N}`;

/** The most characters and words of a search. */
export const searchLimits = { characters: 200, words: 10 } as const;

/** The words of a search; a record is found when each of them is in one of its searched columns. */
export function searchWords(search: string): string[] {
  return search.split(/\s+/u).filter((word) => word !== '');
}

const search = z
  .string()
  .trim()
  .max(searchLimits.characters, `Search for at most ${searchLimits.characters} characters`)
  .refine((text) => searchWords(text).length <= searchLimits.words, `Search for at most ${searchLimits.words} words`)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

/**
 * The parts of an endpoint that answers one page of a list: its query and its facts. They are
 * spread into `endpoint()`.
 *
 * The query takes `page` (from 1), `limit` (1 to 100; the screen chooses which sizes it offers),
 * `search` (empty is none), `sort` (one of the names, or `-name`) and the filters. Anything else in
 * those fields is a 422 that names the field.
 */
export function asList<const N extends string, F extends z.ZodRawShape>(options: {
  sort: readonly [N, ...N[]];
  defaultSort: SortOrder<N>;
  /** Query keys of the list's own, e.g. `{ active_status: flag.optional() }`; `{}` for none. */
  filters: F;
}) {
  const { sort, defaultSort, filters } = options;
  const orders = sort.flatMap((name): SortOrder<N>[] => [name, `-${name}`]);
  const order = z.enum(orders, { error: `Sort by one of these: ${orders.join(', ')}` });
  const query = z.object({ page, limit, search, sort: order.default(defaultSort as never), ...filters });
  const list: ListFacts = { sort, defaultSort, filters: Object.keys(filters) };
  return { query, list, paged: true as const };
}
