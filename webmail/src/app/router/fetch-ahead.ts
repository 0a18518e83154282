import { currentUserQuery } from '../../lib/current-user.ts';
import { mayFetchAhead } from '../../lib/load-module.ts';
import { START } from '../../lib/landing.ts';
import { queryClient } from '../../lib/query-client.ts';
import { readTokens } from '../../lib/session.ts';
import { pageAt, pages } from '../page-registry.ts';
import { Shell } from './parts.ts';
import { fetchPageAhead } from './screens.ts';

const INBOX = '/dashboard/inbox';
const SIGN_IN = '/auth/sign-in';

/**
 * Fetches all that the screen at an address needs at the same time, instead of one after the other
 * during rendering.
 */
export function fetchAhead({ pathname, search }: Location): void {
  const match = pageAt(['/', START].includes(pathname) ? INBOX : pathname);
  const isSignedIn = readTokens() !== null;
  if (match?.page.frame === 'anyone' || (match?.page.frame === 'signed-out' && !isSignedIn)) {
    fetchPageAhead(match.page);
  } else if (isSignedIn) {
    void queryClient.prefetchQuery(currentUserQuery);
    if (match?.page.frame === 'shell') Shell.prepare();
    const context = { client: queryClient, search: new URLSearchParams(search) };
    if (match) fetchPageAhead(match.page, { ...context, params: match.params });
  } else {
    fetchPath(SIGN_IN);
  }
}

/**
 * Fetches the screens that are likely to be opened next, if the line is good. The caller waits for
 * a quiet moment.
 */
export function fetchNext(): void {
  if (!mayFetchAhead()) return;
  Shell.prepare();
  for (const page of pages) if (page.isNext) fetchPageAhead(page);
}

/**
 * Fetches the code of the page that a link leads to. Called when the pointer or the focus reaches
 * the link.
 */
export function fetchPath(path: string): void {
  const match = pageAt(path.split('?')[0] ?? path);
  if (match) fetchPageAhead(match.page);
}
