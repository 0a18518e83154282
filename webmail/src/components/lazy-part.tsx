import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { PageSpinner } from './feedback/PageSpinner.tsx';
import { type Load, lazyComponent } from './lazy-component.ts';

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
 * @param Waiting is shown until then
 */
export function lazyPart<P extends object>(
  load: Load<P>,
  onShown?: () => void,
  Waiting: ComponentType = PageSpinner,
): LazyPart<P> {
  const { prepare, useComponent } = lazyComponent(load);
  function Part(props: P): ReactNode {
    const [failure, setFailure] = useState<unknown>(null);
    const Loaded = useComponent(setFailure);
    useEffect(() => {
      if (Loaded) onShown?.();
    }, [Loaded]);
    if (failure !== null) throw failure;
    return Loaded ? createElement(Loaded, props) : <Waiting />;
  }
  return Object.assign(Part, { prepare });
}
