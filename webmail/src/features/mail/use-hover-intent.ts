import { useEffect, useRef } from 'react';
import { mayFetchAhead } from '../../lib/load-module.ts';

const AFTER_MS = 200;

/**
 * Runs something for the element that the pointer rests on. Passing over many runs nothing: what a
 * message needs is costly to read, and a hand on its way through a list opens none of them.
 */
export function useHoverIntent(run: (id: string) => void) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    enter: (id: string): void => {
      clearTimeout(timer.current);
      if (mayFetchAhead()) timer.current = window.setTimeout(() => run(id), AFTER_MS);
    },
    leave: (): void => clearTimeout(timer.current),
  };
}
