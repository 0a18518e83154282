import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
  page = await openTab(host, await buildMailbox(host.app));
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  await compose.open();
  await compose.field('To').fill('ana@x.test, bo@x.test,');
  await expect.poll(() => compose.recipients()).toEqual(['ana@x.test', 'bo@x.test']);
});

const chip = (address: string) => compose.window().getByRole('button', { name: address, exact: true });
const hasFocus = (address: string) => chip(address).evaluate((one) => one === one.ownerDocument.activeElement);

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

describe('a recipient in another field', () => {
  it('is moved there by the keyboard, and keeps the focus', async () => {
    await chip('ana@x.test').focus();
    await page.keyboard.press('Alt+ArrowDown');
    const inToAndCc = async () => [await compose.recipients(), await compose.recipients('Cc')];
    await expect.poll(inToAndCc).toEqual([['bo@x.test'], ['ana@x.test']]);
    await until('it has the focus in Cc', () => hasFocus('ana@x.test'));
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => compose.recipients('Bcc')).toEqual(['ana@x.test']);
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => compose.recipients()).toEqual(['bo@x.test', 'ana@x.test']);
    await until('it has the focus', () => hasFocus('ana@x.test'));
    await discard();
  });

  it('is dragged there, to a field that was not shown before', async () => {
    const from = await chip('bo@x.test').boundingBox();
    if (!from) throw new Error('no chip');
    await page.mouse.move(from.x + 10, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 20, from.y + 12, { steps: 4 });
    await compose.field('Bcc').waitFor();
    const to = await compose.field('Bcc').boundingBox();
    if (!to) throw new Error('no field');
    await page.mouse.move(to.x + 30, to.y + 8, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => compose.recipients('Bcc')).toEqual(['bo@x.test']);
    expect(await compose.recipients()).toEqual(['ana@x.test']);
    await expect.poll(() => compose.field('Cc').count()).toBe(0);
    await discard();
  });
});
