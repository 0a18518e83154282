import { useEffect, useRef } from 'react';
import { restShortcuts, useShortcuts } from '../../../hooks/use-shortcuts.ts';

let isAsked = false;

/** Whether `/` was pressed while the search box was on its way. Answers true once. */
export function takeSearchAsked(): boolean {
  const was = isAsked;
  isAsked = false;
  return was;
}

/**
 * Stands in the place of the search box until its code is there. What a person types after `/` is
 * meant for the box: it must not act on the list.
 */
export function AwaitedSearchBox() {
  const endRest = useRef<(() => void) | null>(null);
  useShortcuts({
    '/': () => {
      isAsked = true;
      endRest.current = restShortcuts();
    },
  });
  useEffect(() => () => endRest.current?.(), []);
  return null;
}
