import type { Frame, Page } from 'playwright-core';

/** Presses a button and returns the frame that the page prints. */
export async function printedBy(page: Page, press: () => Promise<unknown>): Promise<Frame> {
  // The frame that shows a message may be attached at the same time
  const isSheet = async (frame: Frame) => (await (await frame.frameElement()).getAttribute('aria-hidden')) === 'true';
  const attached = page.waitForEvent('frameattached', { predicate: isSheet });
  await press();
  const sheet = await attached;
  await sheet.waitForLoadState();
  return sheet;
}
