import { useEffect, useRef } from 'react';
import { restShortcuts, useShortcuts } from '../../../hooks/use-shortcuts.ts';

let isAsked = false;

/** Whether `/` was pressed while the search box was loading. Returns true only once. */
export function takeSearchAsked(): boolean {
  const was = isAsked;
  isAsked = false;
  return was;
}

/**
 * The placeholder of the search box until its code is loaded. Letters typed after `/` are meant for
 * the box, so they must not act on the list.
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
