import type { Page } from 'playwright-core';

/** Calls of a page that the server does not see yet. */
interface HeldCalls {
  /** Resolves with the first call. */
  asked: Promise<void>;
  /** Passes them on, and waits for the first answer. */
  letGo: () => Promise<void>;
}

/** Holds all calls of a page to the addresses that fit the pattern, such as a slow line would. */
export async function holdCalls(page: Page, pattern: string): Promise<HeldCalls> {
  const isHeld = Promise.withResolvers<void>();
  const wasAsked = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    wasAsked.resolve();
    await isHeld.promise;
    await route.continue();
  });
  const letGo = async (): Promise<void> => {
    const answered = page.waitForResponse(pattern);
    isHeld.resolve();
    await answered;
    await page.unroute(pattern);
  };
  return { asked: wasAsked.promise, letGo };
}
