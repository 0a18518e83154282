import type { ReactNode } from 'react';
import { type LazyPart, lazyPart } from '../../components/lazy-part.tsx';
import type { FetchAheadContext, Page } from '../../lib/page.ts';
import { markFirstScreen } from './first-screen.ts';

const screens = new Map<Page['load'], LazyPart<object>>();
const arounds = new Map<NonNullable<Page['around']>, LazyPart<{ children: ReactNode }>>();

/** The component of a page. */
export function screenOf({ load }: Page): LazyPart<object> {
  const screen = screens.get(load) ?? lazyPart(load, markFirstScreen);
  screens.set(load, screen);
  return screen;
}

/** The component of what stands around several pages. */
export function aroundOf(load: NonNullable<Page['around']>): LazyPart<{ children: ReactNode }> {
  const around = arounds.get(load) ?? lazyPart(load);
  arounds.set(load, around);
  return around;
}

/**
 * Fetches the code of a page and, with a context, its first data. The page itself shows a failure.
 */
export function fetchPageAhead(page: Page, context?: FetchAheadContext): void {
  if (page.around) aroundOf(page.around).prepare();
  screenOf(page).prepare();
  if (!context) return;
  page
    .load()
    .then((module) => module.fetchAhead?.(context))
    .catch(() => undefined);
}
