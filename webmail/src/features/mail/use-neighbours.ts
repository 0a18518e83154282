import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { mayFetchAhead } from '../../lib/load-module.ts';
import { originOf } from '../../lib/origin.ts';
import { placeAt } from './mail-place.ts';
import { placeIn, rememberPlace } from './list-place.ts';
import { useMailChoices } from './mail-choices.ts';
import { askedPage, folderQuery } from './page-of-mail.ts';
import { usePane } from './pane.ts';
import { emailQuery } from './queries.ts';
import { addressOf, isMessage } from './search/found-place.ts';
import { SEARCH_PATH } from './search/search-path.ts';
import { searchQuery } from './search/search-query.ts';

/** The message before or after the open one, in the list from which that was opened. */
interface Neighbour {
  id: string;
  /** The address of its page. */
  to: string;
  /** The index of the message on its page. */
  index: number;
  /** The address of its page of the list. */
  from: string;
}

interface Neighbours {
  /** Opens the newer message; null at the beginning of the list. */
  previous: (() => void) | null;
  next: (() => void) | null;
}

/** A page of the list from which the message was opened. */
interface ListedPage {
  rows: Pick<Neighbour, 'id' | 'to' | 'index'>[];
  totalPages: number;
}

/**
 * The messages before and after the open one, across the ends of the list's page. The next one is
 * fetched ahead. A message that was opened neither from a folder nor from a search has none.
 */
export function useNeighbours(id: string): Neighbours {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { state } = useLocation();
  const pane = usePane();
  const last = useRef<Found | null>(null);
  const origin = originOf({ state: state as unknown }) ?? pane?.listAddress ?? null;
  const found = useFound(id, origin, last.current === null);
  // A message that has just left the list keeps the neighbours that it had
  if (found !== null) last.current = found;
  const { previous, next } = last.current ?? { previous: null, next: null };

  const nextId = next?.id;
  useEffect(() => {
    if (nextId !== undefined && mayFetchAhead()) void client.prefetchQuery(emailQuery(nextId));
  }, [client, nextId]);

  const opener = (neighbour: Neighbour | null): (() => void) | null => {
    if (neighbour === null) return null;
    return () => {
      const { from, to, index } = neighbour;
      rememberPlace(from, { scrollTop: placeIn(from)?.scrollTop ?? 0, rowId: neighbour.id, index });
      // Replaces the history entry, so that Back leads to the list
      void navigate(to, { state: { from }, replace: true });
    };
  };
  return { previous: opener(previous), next: opener(next) };
}

type Found = Record<'previous' | 'next', Neighbour | null>;

/**
 * @param mayBeFurther whether the message may be on the page behind the one that it was opened
 *   from. A list keeps its rows in place while a person is at work in it, and new mail pushes some
 *   of them to the next page meanwhile.
 */
function useFound(id: string, origin: string | null, mayBeFurther: boolean): Found | null {
  const { page } = askedPage(new URL(origin ?? '/', window.location.origin).searchParams);
  const { found, isFurther } = useFoundOn(id, origin, page);
  const further = useFoundOn(id, origin, isFurther && mayBeFurther ? page + 1 : null);
  return found ?? further.found;
}

/** Looks for a message on one page of the list; `isFurther` says that only later pages are left. */
function useFoundOn(
  id: string,
  origin: string | null,
  page: number | null,
): { found: Found | null; isFurther: boolean } {
  const { pathname, searchParams } = new URL(origin ?? '/', window.location.origin);
  const here = useListedPage(origin, page);
  const index = here?.rows.findIndex((row) => row.id === id) ?? -1;
  const isLast = here !== undefined && index === here.rows.length - 1;
  const before = useListedPage(origin, page !== null && index === 0 && page > 1 ? page - 1 : null);
  const behind = useListedPage(origin, page !== null && isLast && page < here.totalPages ? page + 1 : null);
  if (here === undefined || page === null) return { found: null, isFurther: false };
  if (index < 0) return { found: null, isFurther: page < here.totalPages };
  // A page that was loaded earlier may overlap with this one, if a message has come or gone since
  const isElsewhere = (row: { id: string }): boolean => !here.rows.some((other) => other.id === row.id);

  const at = (row: ListedPage['rows'][number] | undefined, number: number): Neighbour | null => {
    if (!row) return null;
    const parameters = new URLSearchParams(searchParams);
    if (number === 1) parameters.delete('page');
    else parameters.set('page', String(number));
    const search = parameters.toString();
    return { ...row, from: search ? `${pathname}?${search}` : pathname };
  };
  const found = {
    previous: index > 0 ? at(here.rows[index - 1], page) : at(before?.rows.findLast(isElsewhere), page - 1),
    next: isLast ? at(behind?.rows.find(isElsewhere), page + 1) : at(here.rows[index + 1], page),
  };
  return { found, isFurther: false };
}

/**
 * The messages of one page of a folder or of a search.
 * @param page null for no page
 */
function useListedPage(origin: string | null, page: number | null): ListedPage | undefined {
  const { isGrouped } = useMailChoices();
  const { pathname } = useLocation();
  const { pathname: listPath, searchParams } = new URL(origin ?? '/', window.location.origin);
  const { limit } = askedPage(searchParams);
  const asked = { page: page ?? 1, limit };
  const place = origin === null ? null : placeAt(listPath);
  const listed = useQuery({
    ...folderQuery(place ?? 'inbox', asked, isGrouped),
    enabled: page !== null && place !== null,
    placeholderData: undefined,
  }).data;
  const found = useQuery({
    ...searchQuery(searchParams.get('q') ?? '', asked),
    enabled: page !== null && listPath === SEARCH_PATH,
    placeholderData: undefined,
  }).data;
  // With a page of null, the cache may still hold data of another query
  if (page === null) return undefined;
  if (listPath === SEARCH_PATH) {
    // A draft has no page of its own
    const rows = found?.rows.flatMap((row, index) =>
      isMessage(row) ? { id: row._id, to: addressOf(row), index } : [],
    );
    return rows && { rows, totalPages: Math.ceil((found?.total ?? 0) / limit) };
  }
  const rows = listed?.rows.map(({ _id: id }, index) => ({ id, to: pathname.replace(/[^/]+$/, id), index }));
  return rows && { rows, totalPages: listed?.pagination.totalPages ?? 0 };
}
