import { builtInRole } from '@selvage/core/contracts/permissions';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { putIntoInbox } from '../support/put-into-inbox.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

const letter = 'Prices of the mill';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app, { roleNumber: builtInRole.admin });
  const body = `<table width="600"><tr><td>${'Combed cotton, ring-spun. '.repeat(60)}</td></tr></table>`;
  await putIntoInbox(host, ana, { subject: letter, body });
  page = await openTab(host, ana);
  await page.setViewportSize({ width: 390, height: 800 });
});

const bar = () => page.getByRole('navigation', { name: 'Menu' });

/** Where elements begin, each such place once. */
async function leftEdgesOf(elements: Locator): Promise<number[]> {
  const boxes = await Promise.all((await elements.all()).map((element) => element.boundingBox()));
  return [...new Set(boxes.map((box) => Math.round(box?.x ?? -1)))];
}

describe('on a phone', () => {
  it('a star is large enough for a finger', async () => {
    const star = await page.getByRole('button', { name: `Add star to ${letter}` }).boundingBox();
    expect(star).toMatchObject({ width: 32, height: 32 });
  });

  it('a mail that is wider than the screen is shrunk to fit, and on a wide screen it is not', async () => {
    await page.getByRole('link', { name: letter }).click();
    await page.getByRole('heading', { level: 1, name: letter }).waitFor();
    const frame = await (await page.locator('article iframe').elementHandle())?.contentFrame();
    if (!frame) throw new Error('the message has no frame');
    /** How far the text reaches over the right and the lower edge of its frame. */
    const over = () =>
      frame.evaluate<number[]>(`[document.documentElement.scrollWidth - document.documentElement.clientWidth,
        document.documentElement.scrollHeight - innerHeight]`);
    /** How wide the table is for the reader, and how much of the frame is below it. */
    const table = () =>
      frame.evaluate<number[]>(`(({ width, bottom }) => [Math.round(width), Math.round(innerHeight - bottom)])(
        document.querySelector('table').getBoundingClientRect())`);
    await expect.poll(over).toEqual([0, 0]);
    const [width = 0, below = 0] = await table();
    expect(width).toBeGreaterThan(300);
    expect(width).toBeLessThanOrEqual(366);
    expect(below).toBeLessThanOrEqual(16);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(async () => (await table())[0]).toBe(600);
    await expect.poll(over).toEqual([0, 0]);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(over).toEqual([0, 0]);
  });

  it('what is printed keeps its size', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).last().click();
    await page.getByRole('menuitem', { name: 'Print' }).click();
    const sheet = await (await page.locator('iframe[aria-hidden]').elementHandle())?.contentFrame();
    if (!sheet) throw new Error('nothing is printed');
    await sheet.waitForSelector('table', { state: 'attached' });
    await expect.poll(() => sheet.evaluate('document.readyState')).toBe('complete');
    expect(await sheet.evaluate('document.body.style.zoom')).toBe('');
  });

  it('the bar says to which folder the open message belongs, with all names on one line', async () => {
    await expect.poll(() => bar().locator('[aria-current=page]').allInnerTexts()).toEqual(['Inbox']);
    const tops = await page.evaluate<
      number[]
    >(`[...document.querySelector('nav[aria-label=Menu]').children].map((place) => {
      const range = document.createRange();
      range.selectNodeContents(place.lastChild);
      return range.getBoundingClientRect().top;
    })`);
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBe(1);
  });

  it('the values of a card stand in one column', async () => {
    await page.goto(`${host.url}/dashboard/user`);
    const card = page.getByRole('row', { name: /Ana Test/ });
    await card.waitFor();
    const values = card.getByRole('cell').locator('> span:first-child + *');
    expect(await values.count()).toBeGreaterThanOrEqual(4);
    expect(await leftEdgesOf(values)).toHaveLength(1);
  });
});
