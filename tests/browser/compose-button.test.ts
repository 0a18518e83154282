import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const ana = await buildMailbox(host.app);
  const body = Array.from({ length: 40 }, (_, line) => `<p>Line ${line}</p>`).join('');
  for (let number = 1; number <= 14; number++) {
    await receive(systemContext(host.app), [ana], { subject: `Linen ${number}` });
  }
  await receive(systemContext(host.app), [ana], { subject: 'Wool', body });
  page = await openTab(host, ana);
});

const frame = () => page.locator('article iframe').boundingBox();
const heightOfText = () =>
  page
    .frameLocator('iframe')
    .locator('html')
    .evaluate((root) => root.scrollHeight);
const button = () => page.getByRole('button', { name: 'Compose Email' });

const places = [
  ['found messages', '/dashboard/search?q=wool'],
  ['scheduled messages', '/dashboard/scheduled'],
] as const;

async function openMessage(): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('link', { name: /Wool/ }).click();
  await page.getByRole('heading', { name: 'Wool' }).waitFor();
  await page.frameLocator('iframe').getByText('Line 39').waitFor();
}

async function writesByKey(): Promise<void> {
  const compose = new ComposePage(page);
  await page.keyboard.press('c');
  await compose.window().waitFor();
  await compose.press('Close');
  await compose.window().waitFor({ state: 'detached' });
}

/** Where the text of the open message ends on a page that was scrolled down. */
async function endOfText(): Promise<number> {
  await page.locator('article').evaluate((pane) => pane.scrollTo(0, 100_000));
  const { y, height } = (await frame()) ?? { y: Number.NaN, height: 0 };
  return y + height;
}

describe('the button to write with', { timeout: 120_000 }, () => {
  it.each(places)('stands on the page of %s, where c does the same', async (name, path) => {
    await page.goto(`${host.url}${path}`);
    await button().waitFor();
    expect(await problemsInAllLooks(page, `compose-on-${name.replace(' ', '-')}`)).toEqual({});
    await writesByKey();
  });

  it('is not on the page of drafts, where c does the same', async () => {
    await page.goto(`${host.url}/dashboard/draft`);
    await page.getByRole('heading', { name: 'Draft Mail' }).waitFor();
    await writesByKey();
    expect(await button().count()).toBe(0);
  });

  it('leaves the last row of a list free on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${host.url}/dashboard/inbox`);
    const rows = page.getByRole('list', { name: 'Messages' });
    await rows.getByText('Linen 14', { exact: true }).waitFor();
    await rows.evaluate((list) => list.parentElement?.scrollTo(0, 100_000));
    const [row, round] = [await rows.getByRole('listitem').last().boundingBox(), await button().boundingBox()];
    expect((row?.y ?? Number.NaN) + (row?.height ?? 0)).toBeLessThanOrEqual(round?.y ?? 0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stands beside the actions of an open message, where c does the same', async () => {
    await openMessage();
    await button().waitFor();
    expect(await problemsInAllLooks(page, 'compose-on-message')).toEqual({});
    await writesByKey();
  });

  it('is round on a phone, and leaves the end of a message free', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openMessage();
    const { y = 0, ...size } = (await button().boundingBox()) ?? {};
    expect(size).toMatchObject({ width: 52, height: 52 });
    // The frame gets the height of its text a moment after the text is there
    await until('all of the text is shown', async () => (await heightOfText()) <= ((await frame())?.height ?? 0));
    await expect.poll(endOfText).toBeLessThanOrEqual(y);
  });
});
