import { FirstPaint } from '../../components/feedback/FirstPaint.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import { markFirstScreen } from './first-screen.ts';

/**
 * The navigation and top bar around the pages. They are a chunk of their own, which the login page
 * does not need.
 */
export const Shell = lazyPart<object>(
  () => import('../shell/Shell.tsx').then((module) => ({ default: module.Shell })),
  undefined,
  FirstPaint,
);

/** What stands in the place of a page that a person may not or cannot see. */
export const NoPage = lazyPart(() => import('./NoPage.tsx'), markFirstScreen);

/** What stands in the place of all pages while the person could not be loaded. */
export const LoadFailure = lazyPart(() => import('./LoadFailure.tsx'));
