import { type ComponentType, useEffect, useState } from 'react';
import { loadModule } from '../lib/load-module.ts';

export type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/** A component that is fetched once, by the first screen that needs it. */
interface LazyComponent<P> {
  /** Begins to fetch it. A failure is told where the component is shown. */
  prepare: () => void;
  isReady: () => boolean;
  /**
   * The component, or null until it is there. Each appearance tries again after a failure.
   * @param onFailure the same function at each rendering
   */
  useComponent: (onFailure: (error: unknown) => void) => ComponentType<P> | null;
}

export function lazyComponent<P>(load: Load<P>): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const fetchIt = async (): Promise<ComponentType<P>> => {
    loaded ??= (await loadModule(load)).default;
    return loaded;
  };

  function useComponent(onFailure: (error: unknown) => void): ComponentType<P> | null {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (Loaded) return;
      let isGone = false;
      fetchIt().then(
        (component) => !isGone && setLoaded(() => component),
        (error: unknown) => !isGone && onFailure(error),
      );
      return () => {
        isGone = true;
      };
    }, [Loaded, onFailure]);
    return Loaded;
  }

  return { prepare: () => void fetchIt().catch(() => undefined), isReady: () => loaded !== null, useComponent };
}
