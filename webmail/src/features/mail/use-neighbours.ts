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

/** A message beside the open one, in the list from which that was opened. */
interface Neighbour {
  id: string;
  /** Where it stands on its page. */
  index: number;
  /** The address of its page of the list. */
  from: string;
}

interface Neighbours {
  /** Opens the newer message; null at the beginning of the list. */
  previous: (() => void) | null;
  next: (() => void) | null;
}

/**
 * The messages beside the open one, across the ends of the list's page. The next one is fetched
 * ahead. A message that was not opened from a folder has none.
 */
export function useNeighbours(id: string): Neighbours {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const pane = usePane();
  const found = useFound(id, originOf({ state: state as unknown }) ?? pane?.listAddress ?? null);
  const last = useRef(found);
  // a message that has just left the list keeps the neighbours that it had
  if (found !== null) last.current = found;
  const { previous, next } = last.current ?? { previous: null, next: null };

  const nextId = next?.id;
  useEffect(() => {
    if (nextId !== undefined && mayFetchAhead()) void client.prefetchQuery(emailQuery(nextId));
  }, [client, nextId]);

  const opener = (neighbour: Neighbour | null): (() => void) | null => {
    if (neighbour === null) return null;
    return () => {
      const { from, index } = neighbour;
      rememberPlace(from, { scrollTop: placeIn(from)?.scrollTop ?? 0, rowId: neighbour.id, index });
      // in place of this one: "back" leads to the list
      void navigate(pathname.replace(/[^/]+$/, neighbour.id), { state: { from }, replace: true });
    };
  };
  return { previous: opener(previous), next: opener(next) };
}

function useFound(id: string, origin: string | null): Record<'previous' | 'next', Neighbour | null> | null {
  const { isGrouped } = useMailChoices();
  const { pathname, searchParams } = new URL(origin ?? '/', window.location.origin);
  const place = placeAt(pathname);
  const folder = place ?? 'inbox';
  const isFromFolder = origin !== null && place !== null;
  const { page, limit } = askedPage(searchParams);
  const pageQuery = (number: number, enabled: boolean) => ({
    ...folderQuery(folder, { page: number, limit }, isGrouped),
    enabled: enabled && isFromFolder,
    placeholderData: undefined,
  });
  const here = useQuery(pageQuery(page, true)).data;
  const index = here?.rows.findIndex((row) => row._id === id) ?? -1;
  const isLast = here !== undefined && index === here.rows.length - 1;
  const before = useQuery(pageQuery(page - 1, index === 0 && page > 1)).data;
  const behind = useQuery(pageQuery(page + 1, isLast && page < here.pagination.totalPages)).data;
  if (here === undefined || index < 0) return null;
  // a page that was read before may overlap with this one, when a message has come or gone since
  const isElsewhere = ({ _id }: { _id: string }): boolean => !here.rows.some((row) => row._id === _id);

  const at = (rows: readonly { _id: string }[] | undefined, place: number, number: number): Neighbour | null => {
    const row = rows?.[place];
    if (!row) return null;
    const parameters = new URLSearchParams(searchParams);
    if (number === 1) parameters.delete('page');
    else parameters.set('page', String(number));
    const search = parameters.toString();
    return { id: row._id, index: place, from: search ? `${pathname}?${search}` : pathname };
  };
  return {
    previous:
      index > 0
        ? at(here.rows, index - 1, page)
        : at(before?.rows, before?.rows.findLastIndex(isElsewhere) ?? -1, page - 1),
    next: isLast
      ? at(behind?.rows, behind?.rows.findIndex(isElsewhere) ?? -1, page + 1)
      : at(here.rows, index + 1, page),
  };
}
