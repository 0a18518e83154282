import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { loadModule } from '../lib/load-module.ts';
import { PageSpinner } from './feedback/PageSpinner.tsx';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** A part of the app whose code is fetched when it is first shown. */
export interface LazyPart<P> {
  (props: P): ReactNode;
  /** Begins to fetch it. A failure is told where the part is shown. */
  prepare: () => void;
}

/**
 * A part that a screen cannot do without. When it cannot be fetched, the error boundary around it
 * says so; each appearance tries again.
 *
 * It is shown as soon as its code is there. `React.lazy` would wait: React replaces a fallback
 * 300 ms after the last one at the earliest, so parts within each other came 300 ms after each
 * other.
 * @param onShown is called when the part itself is on the page
 */
export function lazyPart<P extends object>(load: Load<P>, onShown?: () => void): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  const fetchIt = async (): Promise<ComponentType<P>> => {
    loaded ??= (await loadModule(load)).default;
    return loaded;
  };

  function Part(props: P): ReactNode {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failure, setFailure] = useState<unknown>(null);
    useEffect(() => {
      if (Loaded) return onShown?.();
      let isGone = false;
      fetchIt().then(
        (component) => !isGone && setLoaded(() => component),
        (error: unknown) => !isGone && setFailure(error),
      );
      return () => {
        isGone = true;
      };
    }, [Loaded]);
    if (failure !== null) throw failure;
    return Loaded ? createElement(Loaded, props) : <PageSpinner />;
  }
  Part.prepare = () => void fetchIt().catch(() => undefined);
  return Part;
}
