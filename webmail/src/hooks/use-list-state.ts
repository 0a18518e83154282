import { type ListFacts, searchLimits } from '@selvage/core/contracts/list';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { readPageSize, rememberPageSize } from '../lib/page-sizes.ts';

const SEARCH_AFTER_MS = 300;

/**
 * What a list can be asked for: its contract says how it is sorted and narrowed, the screen how
 * many rows it offers.
 */
export interface ListOptions {
  /** The list's name, under which the chosen page size is remembered. */
  name: string;
  /** Rows a page to choose from. */
  sizes: readonly number[];
  defaultSize?: number;
  /** `list` of the contract; a list without it has one order and no filters. */
  facts?: ListFacts | undefined;
}

/**
 * A list's position and conditions. All of them stand in the address: a reload, a link and the way
 * back find the same rows.
 */
export interface ListState {
  page: number;
  limit: number;
  sizes: readonly number[];
  /**
   * A column of the contract, `-name` for descending; undefined where the list has one order alone.
   */
  sort: string | undefined;
  /** What is searched for. */
  search: string;
  /** What stands in the search box; it becomes `search` 300 ms after the last key. */
  searchText: string;
  filters: Record<string, string>;
  /** A search or a filter is set: an empty list then says something else. */
  isNarrowed: boolean;
  goTo: (page: number, options?: { replaces?: boolean }) => void;
  setLimit: (limit: number) => void;
  setSort: (sort: string) => void;
  setSearchText: (text: string) => void;
  setFilter: (name: string, value: string, options?: { replaces?: boolean }) => void;
  clear: () => void;
  /** The query of the call. */
  query: Record<string, string | number>;
}

function numberIn(text: string | null): number | null {
  const value = Number(text);
  return text !== null && Number.isInteger(value) && value >= 1 && value <= 1_000_000_000 ? value : null;
}

const noFacts = { sort: [], defaultSort: undefined, filters: [] };

type Change = Record<string, string | number | null>;

/** Keeps a list's page, page size, search, order and filters in the address. */
export function useListState(options: ListOptions): ListState {
  const { name, sizes, facts } = options;
  const { sort: sorts, defaultSort, filters: filterNames } = facts ?? noFacts;
  const [parameters, change] = useChangedParameters();
  const search = (parameters.get('search') ?? '').slice(0, searchLimits.characters);
  const fallbackSize = readPageSize(name, sizes) ?? options.defaultSize ?? sizes[0] ?? 10;
  const asked = numberIn(parameters.get('limit'));
  const limit = sizes.find((size) => size === asked) ?? fallbackSize;
  const page = numberIn(parameters.get('page')) ?? 1;
  const sort = sorts.find((column) => [column, `-${column}`].includes(parameters.get('sort') ?? ''))
    ? (parameters.get('sort') ?? undefined)
    : defaultSort;
  const filters = Object.fromEntries(filterNames.map((filter) => [filter, parameters.get(filter) ?? '']));

  const setSearch = useCallback((text: string) => change({ search: text.trim(), page: null }, true), [change]);
  const [searchText, setSearchText] = useDebouncedText(search, setSearch);

  return {
    page,
    limit,
    sizes,
    sort,
    search,
    searchText,
    filters,
    isNarrowed: search !== '' || Object.values(filters).some(Boolean),
    goTo: (next, { replaces = false } = {}) => change({ page: next === 1 ? null : next }, replaces),
    setLimit: (next) => {
      rememberPageSize(name, next);
      change({ limit: next, page: null });
    },
    setSort: (next) => change({ sort: next === defaultSort ? null : next, page: null }),
    setSearchText,
    setFilter: (filter, value, { replaces = false } = {}) => change({ [filter]: value, page: null }, replaces),
    clear: () => {
      setSearchText('');
      change({ ...Object.fromEntries(filterNames.map((filter) => [filter, null])), search: null, page: null });
    },
    query: withoutEmpty({ page, limit, search, sort: sort ?? '', ...filters }),
  };
}

/**
 * The conditions in the address, and what changes some of them. A change adds to the one before,
 * which the address may not show yet: a page that is slow to follow would take it back.
 */
function useChangedParameters(): [URLSearchParams, (changes: Change, replaces?: boolean) => void] {
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const latest = useRef(parameters);
  /** Addresses that were asked for and not shown yet, the oldest first. */
  const awaited = useRef<string[]>([]);
  useEffect(() => {
    const shown = awaited.current.lastIndexOf(String(parameters));
    // One that was not asked for here, as by the Back button, ends the wait for all others
    awaited.current = shown === -1 ? [] : awaited.current.slice(shown + 1);
    if (awaited.current.length === 0) latest.current = parameters;
  }, [parameters]);
  const change = useCallback(
    (changes: Change, replaces = false): void => {
      latest.current = changed(latest.current, changes);
      awaited.current.push(String(latest.current));
      // The state knows the way back to where the person came from
      setParameters(latest.current, { replace: replaces, state });
    },
    [setParameters, state],
  );
  return [parameters, change];
}

function changed(old: URLSearchParams, changes: Change): URLSearchParams {
  const next = new URLSearchParams(old);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

function withoutEmpty(query: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/**
 * Text that is told 300 ms after the last key. A value that changes from outside, as by the Back
 * button, replaces the text, but one that was told from here does not: a page that is slow to
 * follow would take what was typed since.
 */
function useDebouncedText(value: string, tell: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  /** What was told and is not shown yet, the oldest first. */
  const [told, setTold] = useState<readonly string[]>([]);
  if (value !== shown) {
    setShown(value);
    const at = told.lastIndexOf(value);
    setTold(at === -1 ? [] : told.slice(at + 1));
    if (at === -1 && value !== text.trim()) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => {
      setTold((before) => [...before, text.trim()]);
      tell(text);
    }, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, value, tell]);
  return [text, setText];
}
