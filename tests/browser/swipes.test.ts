import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { readTotals } from '@selvage/core/mailstore/totals';
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const PHONE = { width: 390, height: 844 };
const ROWS = 30;

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

/** A person with a phone, whose fingers come through the browser's own input. */
async function newPhone(messages = ROWS) {
  const mailbox = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  for (let number = messages; number >= 1; number -= 1) {
    await receive(ctx, [mailbox], { subject: `Bale ${number} of wool` });
  }
  const page = await openTab(host, mailbox);
  await page.setViewportSize(PHONE);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.goto(`${host.url}/dashboard/inbox?limit=50`);
  await rowOf(page, 1).waitFor();
  const has = (wanted: { inbox?: number; archive?: number; trash?: number }): Promise<unknown> =>
    until(`folders with ${JSON.stringify(wanted)}`, async () => {
      const totals = await readTotals(ctx, String(mailbox.user.id));
      return Object.entries(wanted).every(([name, number]) => totals[name as 'inbox'].total === number) || null;
    });
  return { mailbox, ctx, page, cdp, has };
}

const rowOf = (page: Page, number: number) => page.getByRole('link', { name: new RegExp(`Bale ${number} of`) });
const hintOf = (page: Page) => page.locator('[data-swipe]');

/** Puts a finger on a row and moves it, in steps as a finger does. It stays there. */
async function drag(page: Page, cdp: CDPSession, number: number, by: { x?: number; y?: number }): Promise<void> {
  const box = await rowOf(page, number).boundingBox();
  const from = { x: (box?.x ?? 0) + 150, y: (box?.y ?? 0) + 20 };
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  const steps = 10;
  for (let step = 1; step <= steps; step += 1) {
    const at = { x: from.x + ((by.x ?? 0) * step) / steps, y: from.y + ((by.y ?? 0) * step) / steps };
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at] });
  }
}

/** Drags a row until its hint shows: a busy browser may take the finger for one that scrolls. */
async function dragToHint(page: Page, cdp: CDPSession, number: number, x: number, words: RegExp | string = '') {
  const hint = page.locator(`[data-swipe=${Math.abs(x) > 140 ? 'far' : 'near'}]`, { hasText: words });
  await until(`a hint of ${String(words)}`, async () => {
    await drag(page, cdp, number, { x });
    const isShown = await hint.waitFor({ timeout: 4_000 }).then(
      () => true,
      () => false,
    );
    if (!isShown) await cdp.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] });
    return isShown;
  });
}

const letGo = (cdp: CDPSession) => cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });

const shift = (page: Page, number: number): Promise<string> =>
  rowOf(page, number).evaluate((link) => link.parentElement?.style.transform ?? '');

async function isAsItWas(page: Page, number: number): Promise<void> {
  await hintOf(page).waitFor({ state: 'detached' });
  expect(await shift(page, number)).toBe('');
  expect(page.url()).toMatch(/\/dashboard\/inbox\?/);
}

describe('a finger on a row', () => {
  it('archives to the right and deletes to the left, with a hint and an Undo', async () => {
    const { page, cdp, has } = await newPhone(5);
    await dragToHint(page, cdp, 2, 60, 'Archive');
    await letGo(cdp);
    await isAsItWas(page, 2);
    await dragToHint(page, cdp, 2, 200, 'Archive');
    await letGo(cdp);
    await has({ inbox: 4, archive: 1 });
    await rowOf(page, 2).waitFor({ state: 'detached' });
    await isAsItWas(page, 1);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await has({ inbox: 5, archive: 0 });
    await rowOf(page, 2).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await dragToHint(page, cdp, 3, -145, 'Delete');
    await letGo(cdp);
    await has({ inbox: 4, trash: 1 });
    await isAsItWas(page, 1);
  });

  it('does what the person has chosen for each side', async () => {
    const { page, cdp, has, mailbox, ctx } = await newPhone(5);
    const unread = async () => (await readTotals(ctx, String(mailbox.user.id))).inbox.unread;
    for (const choice of [
      page.getByRole('menuitemradio', { name: 'Marks as read or unread' }).first(),
      page.getByRole('menuitemradio', { name: 'Does nothing' }).last(),
    ]) {
      await page.getByRole('button', { name: 'View options' }).click();
      await choice.click();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    await dragToHint(page, cdp, 2, 200, 'Mark as read');
    await letGo(cdp);
    await expect.poll(unread).toBe(4);
    await isAsItWas(page, 2);
    await dragToHint(page, cdp, 2, 200, 'Mark as unread');
    await letGo(cdp);
    await expect.poll(unread).toBe(5);
    await drag(page, cdp, 3, { x: -200 });
    await expect.poll(() => hintOf(page).count()).toBe(0);
    await letGo(cdp);
    await has({ inbox: 5, archive: 0, trash: 0 });
  });

  it('scrolls as ever, and changes nothing when it comes back or another finger joins it', async () => {
    const { page, cdp, has } = await newPhone();
    const scroller = page.getByRole('list', { name: 'Messages' }).locator('..');
    await drag(page, cdp, 6, { x: 20, y: -250 });
    await letGo(cdp);
    await until('the list is scrolled', async () => (await scroller.evaluate((pane) => pane.scrollTop > 100)) || null);
    await isAsItWas(page, 8);
    // The list rolls on behind the finger, and would roll away from its top
    await until('the list rests at its top', () =>
      scroller.evaluate((pane) => pane.scrollTop === 0 || (pane.scrollTo({ top: 0 }), null)),
    );
    await dragToHint(page, cdp, 2, 200);
    const box = await rowOf(page, 2).boundingBox();
    const finger = (x: number, id: number) => ({ x, y: (box?.y ?? 0) + 20, id });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [finger(170, 0)] });
    await page.locator('[data-swipe=near]').waitFor();
    await letGo(cdp);
    await isAsItWas(page, 2);
    await dragToHint(page, cdp, 2, 200);
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger(300, 0), finger(60, 1)] });
    await letGo(cdp);
    await isAsItWas(page, 2);
    await has({ inbox: ROWS, archive: 0, trash: 0 });
  });

  it('taps a row open, and swipes none while rows are ticked', async () => {
    const { page, cdp, has } = await newPhone(3);
    await page.getByRole('checkbox', { name: 'Select Bale 1 of wool' }).check();
    await drag(page, cdp, 2, { x: 200 });
    await letGo(cdp);
    await isAsItWas(page, 2);
    await page.getByRole('checkbox', { name: 'Select Bale 1 of wool' }).uncheck();
    const opened = page.getByRole('heading', { name: 'Bale 2 of wool' });
    // On a busy machine the browser may take the finger for one that stays, and it taps again. The
    // row is gone as soon as the message is on its way
    await until('a tap opens the message', async () => {
      if (new URL(page.url()).pathname === '/dashboard/inbox') {
        await drag(page, cdp, 2, {});
        await letGo(cdp);
      }
      return await opened.waitFor({ timeout: 4_000 }).then(
        () => true,
        () => false,
      );
    });
    await has({ inbox: 3 });
  });
});

describe('the menu of a message on a phone', () => {
  async function openThread(mailbox: Mailbox, page: Page): Promise<void> {
    const ctx = systemContext(host.app);
    const first = '<first@wool.example>';
    await receive(ctx, [mailbox], { subject: 'About dye', messageId: first });
    await receive(ctx, [mailbox], { subject: 'Re: About dye', inReplyTo: first, references: first });
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('link', { name: /About dye/ }).click();
    await page.getByRole('heading', { name: /About dye/ }).waitFor();
    // The page is still while its menu is open
    await expect.poll(() => page.locator('article iframe').count()).toBe(2);
    for (const text of await page.locator('article iframe').all())
      await text.contentFrame().getByText('The text.').waitFor();
  }

  it('acts on all of the conversation, as the toolbar of a wide screen does', async () => {
    const { mailbox, page, ctx } = await newPhone(1);
    await openThread(mailbox, page);
    await page.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name: 'Report junk' }).click();
    await until('both are junk', async () => {
      const totals = await readTotals(ctx, String(mailbox.user.id));
      return (totals.junk.total === 2 && totals.inbox.total === 1) || null;
    });
  });
});
