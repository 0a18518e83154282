import type { Frame, Page } from 'playwright-core';

/** Presses a button and returns the frame that the page prints. */
export async function printedBy(page: Page, press: () => Promise<unknown>): Promise<Frame> {
  // The frame that shows a message may be attached at the same time, and be gone again
  const isSheet = async (frame: Frame) => {
    const element = await frame.frameElement().catch(() => null);
    return (await element?.getAttribute('aria-hidden')) === 'true';
  };
  const attached = page.waitForEvent('frameattached', { predicate: isSheet });
  await press();
  const sheet = await attached;
  await sheet.waitForLoadState();
  return sheet;
}
