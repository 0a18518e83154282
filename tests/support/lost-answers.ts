import type { Page } from 'playwright-core';

/**
 * Lets the server receive and answer a page's calls to an address, but drops the answers, like a
 * broken connection. `*` in the address matches any text. The browser itself makes the calls, since
 * a handler in the test would lose the files in their bodies.
 * @returns a function that ends this, so that answers arrive again
 */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => {
    // The page may already be closed
    session.send('Fetch.failRequest', { requestId, errorReason: 'TimedOut' }).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: address, requestStage: 'Response' }] });
  return () => session.detach();
}
