import { useEffect, useEffectEvent, useRef } from 'react';

interface OnceLoaded {
  /** Runs it now, or as soon as everything is loaded. */
  ask: () => void;
  /**
   * Takes back what waits, for example because the person goes on typing.
   * @returns whether something waited
   */
  takeBack: () => boolean;
  /** Whether something waits. */
  waits: () => boolean;
}

/**
 * Lets a key that takes the first fitting choice wait until all choices are loaded. Before that,
 * another one may seem to be the first.
 */
export function useOnceLoaded(isLoaded: boolean, run: () => void): OnceLoaded {
  const isAsked = useRef(false);
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    if (!isLoaded || !isAsked.current) return;
    isAsked.current = false;
    runLatest();
  }, [isLoaded]);
  return {
    ask: () => {
      if (isLoaded) run();
      else isAsked.current = true;
    },
    takeBack: () => {
      const wasAsked = isAsked.current;
      isAsked.current = false;
      return wasAsked;
    },
    waits: () => isAsked.current,
  };
}
