import { systemContext } from '@selvage/core/context/context';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { endOfTransitions, problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { write } from '../support/threads.ts';

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

const lines = Array.from({ length: 80 }, (_, index) => `Line ${index}.`).join('\r\n');

/** A conversation of two long messages, on a phone. What comes late waits until it is let. */
async function openSlowly(late: string): Promise<{ page: Page; arrive: () => void }> {
  const ana = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  for (const name of ['One', 'Two']) {
    await write(ctx, ana, { root: 'a', subject: name, from: `${name} <p@x.test>`, body: lines });
  }
  const page = await openTab(host, ana);
  await page.setViewportSize({ width: 390, height: 844 });
  let arrive = (): void => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(late, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.getByRole('link', { name: /Two/ }).click();
  await partOf(page, 'Two').locator('iframe').waitFor();
  return { page, arrive };
}

const partOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Conversation' }).getByRole('article', { name });

const more = (page: Page): Locator => partOf(page, 'Two').getByRole('button', { name: 'More', exact: true });

describe('a report whose sender has no address', () => {
  it('says who is unknown, offers no block, and is answered to an address that its reader enters', async () => {
    const ana = await buildMailbox(host.app);
    await write(systemContext(host.app), ana, { root: 'a', subject: 'Undelivered', from: '<>' });
    await write(systemContext(host.app), ana, { root: 'a', subject: 'Undelivered', from: '<>' });
    const page = await openTab(host, ana);
    await page.getByRole('link', { name: /Unknown sender.*Undelivered/ }).click();
    const part = partOf(page, 'Unknown sender').last();
    await part.locator('iframe').waitFor();
    // The frame of the message above may still grow, and would carry the button away from a click
    await part.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'View source' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Block|like this/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
    await page.getByText('This message gives no address to reply to. Enter one for your reply.').first().waitFor();
    const compose = new ComposePage(page);
    await compose.window().getByRole('button', { name: 'Show quoted text' }).waitFor();
    const inTo = compose.window().getByRole('list', { name: 'To: recipients' }).getByRole('listitem');
    // The field alone, without a person before it
    expect(await inTo.count()).toBe(1);
    expect(await problemsInAllLooks(page, 'no-sender')).toEqual({});
  });
});

describe('the menu of a message', () => {
  it('stays where it opened while the page grows, so that a finger meets what it aims at', async () => {
    const { page, arrive } = await openSlowly('**/api/v1/**replies=0*');
    await more(page).click();
    const item = page.getByRole('menuitem', { name: 'View source' });
    await item.waitFor();
    // It has come to rest in its place, where it slides to
    await expect.poll(() => page.locator('[role=menu] :focus').count()).toBe(1);
    await page.evaluate(endOfTransitions);
    const aimed = await item.boundingBox();
    const before = await more(page).boundingBox();
    arrive();
    const frame = partOf(page, 'One').locator('iframe');
    await expect.poll(async () => (await frame.boundingBox())?.height ?? 0).toBeGreaterThan(1000);
    // The button has been carried off
    await expect.poll(async () => (await more(page).boundingBox())?.y ?? 0).toBeGreaterThan((before?.y ?? 0) + 500);
    // The bar of a phone's browser folds: all that stands by another thing is placed anew
    await page.setViewportSize({ width: 390, height: 900 });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await item.boundingBox()).toEqual(aimed);
    await page.mouse.click((aimed?.x ?? 0) + 20, (aimed?.y ?? 0) + 10);
    const source = page.getByRole('dialog', { name: 'Source of the message' });
    await source.getByText('The names of the earlier messages of the conversation').waitFor();
    expect(await problemsInAllLooks(page, 'source')).toEqual({});
  });

  it('opens for a person who presses again because it has not come yet', async () => {
    const { page, arrive } = await openSlowly('**/assets/RowMenu-*.js');
    await more(page).click();
    await more(page).click();
    arrive();
    await page.getByRole('menuitem', { name: 'View source' }).waitFor();
    await more(page).click();
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });
});
