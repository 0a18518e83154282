import { queryClient } from '../../lib/query-client.ts';
import { readTokens } from '../../lib/session.ts';

/** Several reasons to catch up come together: the server is back, and so is the live connection. */
const TOGETHER_MS = 300;
/** All browsers of a host notice at the same moment that the server is back; they spread their questions over this time. */
const SPREAD_MS = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Fetches everything shown anew, once, after a time in which changes may have been missed. */
export function catchUp(): void {
  timer ??= setTimeout(
    () => {
      timer = undefined;
      // a person who signs in needs only what failed; another captcha would empty what they have typed
      const isNeeded = ({ state }: { state: { status: string } }) => readTokens() !== null || state.status === 'error';
      void queryClient.invalidateQueries({ predicate: isNeeded });
    },
    TOGETHER_MS + Math.random() * SPREAD_MS,
  );
}
