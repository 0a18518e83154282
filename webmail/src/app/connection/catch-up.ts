import type { Query } from '@tanstack/react-query';
import { queryClient } from '../../lib/query-client.ts';
import { readTokens } from '../../lib/session.ts';

/**
 * Several reasons to catch up come together, for example when the server and the live connection
 * are back.
 */
const TOGETHER_MS = 300;
/**
 * All browsers of a host notice at the same moment that the server is back. They spread their
 * requests over this time.
 */
const SPREAD_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Fetches all shown data again, once, after a time in which changes may have been missed. Data that
 * the server looks up elsewhere (`meta: { isLookUp: true }`) is fetched again only if its last load
 * failed. Otherwise the person must ask for it.
 */
export function catchUp(): void {
  timer ??= setTimeout(
    () => {
      timer = undefined;
      // A person at the login page needs only what failed. A new captcha would empty what they have
      // typed
      const isNeeded = ({ state, meta }: Pick<Query, 'state' | 'meta'>) =>
        state.status === 'error' || (readTokens() !== null && meta?.['isLookUp'] !== true);
      void queryClient.invalidateQueries({ predicate: isNeeded });
    },
    TOGETHER_MS + Math.random() * SPREAD_MS,
  );
}
