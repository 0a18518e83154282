import type { Page } from 'playwright-core';

/**
 * Lets the server get and answer a page's calls to an address, and loses the answers, as a line
 * does that breaks. `*` stands for any text. The calls are as the browser makes them: handling them
 * in the test would lose the files in their bodies.
 * @returns ends it: answers come again
 */
export async function loseAnswers(page: Page, address: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => {
    // the page may be gone by then
    session.send('Fetch.failRequest', { requestId, errorReason: 'TimedOut' }).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: address, requestStage: 'Response' }] });
  return () => session.detach();
}
