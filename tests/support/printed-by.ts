import type { Frame, Page } from 'playwright-core';

/** The document that a page sends to the printer by a press. */
export async function printedBy(page: Page, press: () => Promise<unknown>): Promise<Frame> {
  // The frame of a message may come at the same time
  const isSheet = async (frame: Frame) => (await (await frame.frameElement()).getAttribute('aria-hidden')) === 'true';
  const attached = page.waitForEvent('frameattached', { predicate: isSheet });
  await press();
  const sheet = await attached;
  await sheet.waitForLoadState();
  return sheet;
}
