import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { giveToHeading, isFocusLost } from '../../lib/lost-focus.ts';
import { placeIn, rememberPlace } from './list-place.ts';

const LINKS = '[data-row-link]';

/**
 * Whether the focus is in a compose window, a field or a dialog. Keys typed there are not meant for
 * rows.
 */
function isElsewhere(): boolean {
  const places = '[data-beside] *, [role="dialog"] *, [role="alertdialog"] *, input, textarea, [contenteditable]';
  return document.activeElement?.matches(places) ?? false;
}

interface RowFocus<Row> {
  /** The row that had the focus last: the keys act on it. */
  focusedRow: () => Row | undefined;
  rememberFocus: (id: string) => void;
  /** Moves the focus to the row below (1) or above (-1). */
  move: (step: 1 | -1) => void;
}

/**
 * Which row of a list the keys act on. When that row leaves, the row in its place gets the focus,
 * or the heading when no row is left. When the person returns to a list, the scroll position and
 * the focus are restored.
 * @param address the list's address, under which its place is remembered
 */
export function useRowFocus<Row extends { _id: string }>(
  rows: readonly Row[],
  scrollRef: RefObject<HTMLElement | null>,
  address: string,
): RowFocus<Row> {
  const lastId = useRef<string | null>(null);
  const lastIndex = useRef(-1);
  const links = (): HTMLElement[] => [...(scrollRef.current?.querySelectorAll<HTMLElement>(LINKS) ?? [])];
  const focusAt = (index: number): void => {
    const all = links();
    all[Math.min(Math.max(index, 0), all.length - 1)]?.focus();
  };

  const goBack = useEffectEvent((): void => {
    const place = placeIn(address);
    if (!scrollRef.current || !place) return;
    scrollRef.current.scrollTop = place.scrollTop;
    if (isElsewhere()) return;
    const index = rows.findIndex((row) => row._id === place.rowId);
    focusAt(index >= 0 ? index : place.index);
  });
  useEffect(() => goBack(), []);

  useEffect(() => {
    const scroller = scrollRef.current;
    const leave = (): void => {
      if (!scroller) return;
      rememberPlace(address, { scrollTop: scroller.scrollTop, rowId: lastId.current, index: lastIndex.current });
    };
    scroller?.addEventListener('click', leave, { capture: true });
    scroller?.addEventListener('keydown', leave, { capture: true });
    return () => {
      scroller?.removeEventListener('click', leave, { capture: true });
      scroller?.removeEventListener('keydown', leave, { capture: true });
    };
  }, [address, scrollRef]);

  // The row with the focus has left the list, and the focus would fall to the page
  useEffect(() => {
    const isGone = lastId.current !== null && !rows.some((row) => row._id === lastId.current);
    if (!isGone || !isFocusLost()) return;
    if (rows.length > 0) focusAt(lastIndex.current);
    else giveToHeading();
  });
  // The list itself leaves with its last row, and the heading of the page stays
  useLayoutEffect(
    () => () => {
      const heading = document.querySelector('main h1');
      setTimeout(() => lastId.current !== null && heading?.isConnected && isFocusLost() && giveToHeading());
    },
    [],
  );

  return {
    focusedRow: () => rows.find((row) => row._id === lastId.current),
    rememberFocus: (id) => {
      lastId.current = id;
      lastIndex.current = rows.findIndex((row) => row._id === id);
    },
    move: (step) => {
      const index = rows.findIndex((row) => row._id === lastId.current);
      if (index >= 0) focusAt(index + step);
      else focusAt(step > 0 ? Math.max(lastIndex.current, 0) : lastIndex.current - 1);
    },
  };
}
