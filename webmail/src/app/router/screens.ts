import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { loadModule } from '../../lib/load-module.ts';
import type { FetchAheadContext, Page, PageModule } from '../../lib/page.ts';

type Screen = LazyExoticComponent<ComponentType>;

const modules = new Map<Page['load'], Promise<PageModule>>();
const screens = new Map<Page['load'], Screen>();

/**
 * Fetches the code of a page once. A failure is forgotten, so that the next attempt fetches again.
 */
function fetchModule(load: Page['load']): Promise<PageModule> {
  const known = modules.get(load);
  if (known) return known;
  const asked = loadModule(load);
  modules.set(load, asked);
  asked.catch(() => {
    modules.delete(load);
    screens.delete(load);
  });
  return asked;
}

/** The component of a page. It suspends until its code is loaded. */
export function screenOf({ load }: Page): Screen {
  const screen = screens.get(load) ?? lazy(() => fetchModule(load));
  screens.set(load, screen);
  return screen;
}

/**
 * Fetches the code of a page and, with a context, its first data. The page itself shows a failure.
 */
export function fetchPageAhead({ load, around }: Page, context?: FetchAheadContext): void {
  around?.().catch(() => undefined);
  fetchModule(load)
    .then((module) => context && module.fetchAhead?.(context))
    .catch(() => undefined);
}
