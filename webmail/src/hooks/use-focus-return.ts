import { useEffect, useState } from 'react';
import { giveToHeading, isFocusLost } from '../lib/lost-focus.ts';

/** An element that has the focus, and its row in a list if it stands in one. */
interface Place {
  element: HTMLElement;
  list: Element | null;
  /** The position of the row among those that can have the focus. */
  index: number;
}

const focusable = '[data-row-link], a[href], button:not(:disabled), input:not(:disabled)';
/**
 * When the element with the focus leaves the page, the rest of the page has this time to move the
 * focus by itself.
 */
const LEAVING_MS = 100;

/**
 * Gives the focus back to where it was before a dialog that is unmounted rather than closed. If the
 * focus was in a row that has left its list, such as a deleted one, the row in its place gets the
 * focus. Without another row, the heading of the page gets it, and so it does if something else had
 * the focus and is gone.
 */
export function useFocusReturn(): void {
  // Read while rendering: by the time effects run, the dialog has taken the focus
  const [before] = useState(() => placeOf(document.activeElement));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (isFocusLost() && before) giveTo(before);
        followFocus();
      });
    },
    [before],
  );
}

function placeOf(element: Element | null): Place | null {
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const row = element.closest('tbody > tr, li');
  const list = row?.parentElement ?? null;
  return { element, list, index: row && list ? rowsOf(list).indexOf(row) : -1 };
}

function rowsOf(list: Element): Element[] {
  return [...list.children].filter((row) => row.querySelector(focusable) !== null);
}

function giveTo({ element, list, index }: Place): void {
  if (element.isConnected) return element.focus();
  if (!list) {
    setTimeout(() => isFocusLost() && giveToHeading(), LEAVING_MS);
    return;
  }
  const rows = list.isConnected ? rowsOf(list) : [];
  const next = rows[Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>(focusable);
  if (next) next.focus();
  else giveToHeading();
}

/** If the row with the focus leaves its list, the row in its place gets the focus. */
export function followFocus(): void {
  const now = placeOf(document.activeElement);
  if (now?.list) followLeaving(now);
}

/** Waits until the row with the focus leaves its list, or the person moves the focus. */
function followLeaving(place: Place): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    if (place.element.isConnected || timer !== undefined) return;
    timer = setTimeout(() => {
      stop();
      if (isFocusLost()) giveTo(place);
    }, LEAVING_MS);
  });
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', stop);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', stop);
}
