import { type RefObject, useEffect } from 'react';

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])';

/** Whether the Tab key stops inside: at something that is shown and not disabled. */
function hasStop(pane: HTMLElement): boolean {
  return [...pane.querySelectorAll(FOCUSABLE)].some((element) => element.getClientRects().length > 0);
}

/**
 * Makes a pane a stop of the Tab key while it scrolls and nothing in it is one: the arrow keys then
 * scroll it.
 */
export function useKeyboardScroll(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pane = ref.current;
    if (!pane) return;
    const judge = (): void => {
      const scrolls = pane.scrollHeight > pane.clientHeight;
      if (scrolls && !hasStop(pane)) pane.tabIndex = 0;
      else pane.removeAttribute('tabindex');
    };
    judge();
    window.addEventListener('resize', judge);
    return () => window.removeEventListener('resize', judge);
  });
}
