import { ChunkError } from './load-module.ts';

const MOST_A_PAGE = 5;
const LONGEST = 2_000;
let reported = 0;

/**
 * Tells the server that the app broke, so that its operator hears of it before a person complains. Sends the fault's own
 * words and the address of the screen, never what the screen shows. At most a few times for each opening of the app.
 */
export function reportFault(fault: unknown): void {
  // a file that is gone is news to the browser alone: the server has a newer one
  if (fault instanceof ChunkError || reported >= MOST_A_PAGE) return;
  reported += 1;
  const { message, stack } = fault instanceof Error ? fault : { message: String(fault), stack: undefined };
  const body = {
    message: message.slice(0, LONGEST),
    stack: stack?.slice(0, LONGEST),
    path: window.location.pathname,
  };
  fetch('/api/v1/client-errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}
