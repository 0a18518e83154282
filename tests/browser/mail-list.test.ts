import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { UserPermission } from '@selvage/core/models/user-permission';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, openTab, signIn } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

const ROWS = 50;
const widths = [1280, 390];

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const ana = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  const long = 'about the second shipment, which left Tuticorin on Monday and should arrive within nine days';
  for (let number = 1; number <= ROWS; number += 1) {
    await receive(ctx, [ana], { subject: `Message ${number} ${long}`, body: `Please confirm the count, ${long}.` });
  }
  page = await openTab(host, ana);
});

/** Opens the inbox with all of its rows on one page. */
async function openInbox(width: number): Promise<void> {
  await page.setViewportSize({ width, height: width > 500 ? 800 : 844 });
  await page.goto(`${host.url}/dashboard/inbox?limit=${ROWS}`);
  await page.getByRole('listitem').filter({ hasText: 'Message 1 about' }).waitFor();
}

/** The panes that scroll up and down, by how far. */
const scrolling = `[...document.querySelectorAll('*')].filter((part) => {
  const { overflowY } = getComputedStyle(part);
  const scrolls = part === document.scrollingElement || overflowY === 'auto' || overflowY === 'scroll';
  return scrolls && part.scrollHeight > part.clientHeight + 1;
}).map((part) => part.tagName + ' ' + (part.scrollHeight - part.clientHeight))`;

/**
 * How far the window and the frame of the app can be scrolled, also by a script or a focus that
 * does not ask.
 */
const scrolledAway = `{
  const frame = [document.documentElement, document.body, ...document.querySelectorAll('#root, #root > *, main')];
  for (const part of frame) part.scrollTo(0, 10_000);
  Math.max(...frame.map((part) => part.scrollTop));
}`;

interface Styled {
  getComputedStyle(part: unknown): { borderRadius: string };
}

describe('a folder with many messages', () => {
  it.each(widths)('has one scrollbar, and the app never scrolls away, at %i px', async (width) => {
    await openInbox(width);
    expect(await page.evaluate(scrolling)).toHaveLength(1);
    // the last row's tick and its hidden words lie far below the window
    await page.getByRole('checkbox', { name: /Message 1 about/ }).focus();
    expect(await page.evaluate(scrolledAway)).toBe(0);
  });

  it.each(widths)('is sound at %i px, in light and dark', async (width) => {
    await openInbox(width);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The page follows the system's look a moment later
      await page.waitForSelector(`html[data-theme=${colorScheme}]`, { state: 'attached' });
      expect([colorScheme, ...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([colorScheme]);
    }
  });

  it('has a round button to write with on a small screen, and second lines of the full width', async () => {
    await openInbox(390);
    const compose = page.getByRole('button', { name: 'Compose Email' });
    const box = await compose.boundingBox();
    expect(box).toMatchObject({ width: 52, height: 52 });
    const radius = await compose.evaluate(
      (button) => (globalThis as unknown as Styled).getComputedStyle(button).borderRadius,
    );
    expect(Number.parseInt(radius)).toBeGreaterThanOrEqual(26);
    const row = page.getByRole('link', { name: /Message 7 about/ });
    const [date, text] = [row.locator('time'), row.getByText(/Message 7 about/)];
    const rightOf = async (part: typeof row): Promise<number> => {
      const { x = 0, width = 0 } = (await part.boundingBox()) ?? {};
      return x + width;
    };
    await expect.poll(() => rightOf(text)).toBeCloseTo(await rightOf(date), 0);
  });

  it('shows nothing that a person may not do, and asks the server for none of it', async () => {
    const dora = await buildMailbox(host.app);
    const owner = { companyId: dora.company.id, userId: dora.user.id };
    await UserPermission.create({ ...owner, model: 'inbox', canView: true, canEdit: false });
    await receive(systemContext(host.app), [dora], { subject: 'Only to read' });
    const other = await (await openBrowser()).newPage();
    const changes: string[] = [];
    other.on('request', (request) => {
      if (request.url().includes('status_change')) changes.push(request.url());
    });
    await signIn(other, host, dora);
    const row = other.getByRole('listitem').filter({ hasText: 'Only to read' });
    await row.getByRole('button', { name: /Add star/, disabled: true }).waitFor();
    await row.getByRole('link').click();
    await other.getByRole('button', { name: 'Reply', exact: true }).waitFor();
    await expect.poll(() => other.getByRole('button', { name: 'Archive' }).count()).toBe(0);
    await other.keyboard.press('e');
    await other.getByRole('button', { name: 'Back', exact: true }).click();
    await row.waitFor();
    expect(changes).toEqual([]);
  });
});
