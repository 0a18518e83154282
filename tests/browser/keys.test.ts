import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { readTotals } from '@selvage/core/mailstore/totals';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  for (const subject of ['Wool', 'Linen', 'Silk']) await receive(systemContext(host.app), [ana], { subject });
  page = await openTab(host, ana);
  await rowOf('Silk').waitFor();
  // The keys of all pages come after the list, together with the number in the title
  await expect.poll(() => page.title()).toMatch(/^\(3\) /);
});

const rowOf = (subject: string) => page.getByRole('link', { name: new RegExp(subject) });
const totals = () => readTotals(systemContext(host.app), String(ana.user.id));
const unread = async () => (await totals()).inbox.unread;

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Two keys that belong together, the second at once: one that comes late stands for itself. */
async function pressPair(first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

describe('keys', () => {
  it('lead from any page to each folder, and are shown by ?', async () => {
    await pressPair('g', 't');
    await page.waitForURL('**/dashboard/sent');
    await pressPair('g', 'd');
    await page.waitForURL('**/dashboard/draft');
    await press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Go to Archive').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    // keys are the dialog's own now
    await pressPair('g', 'i');
    await press('Escape');
    await help.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/dashboard/draft');
    await pressPair('g', 'i');
    await page.waitForURL('**/dashboard/inbox');
    await rowOf('Silk').waitFor();
  });

  it('mark as read and unread, in the list and in an open message', async () => {
    await press('j', 'Shift+I');
    await expect.poll(unread).toBe(2);
    await press('Shift+U');
    await expect.poll(unread).toBe(3);
    await rowOf('Silk').click();
    await page.getByRole('heading', { name: 'Silk' }).waitFor();
    await expect.poll(unread).toBe(2);
    await press('Shift+U');
    await page.waitForURL('**/dashboard/inbox');
    await expect.poll(unread).toBe(3);
  });

  it('select what is read, unread or has the star, open the menu of a row, and the row', async () => {
    const chosen = async () => {
      const boxes = await page.getByRole('listitem').getByRole('checkbox', { checked: true }).all();
      return await Promise.all(boxes.map((box) => box.getAttribute('aria-label')));
    };
    const expectChosen = async (...subjects: string[]): Promise<void> =>
      await expect.poll(chosen).toEqual(subjects.map((subject) => `Select ${subject}`));
    await press('j', 'Shift+I');
    await expect.poll(unread).toBe(2);
    await press('j', 's');
    await pressPair('*', 'r');
    await expectChosen('Silk');
    await pressPair('*', 'u');
    await expectChosen('Linen', 'Wool');
    await pressPair('*', 's');
    await expectChosen('Linen');
    await pressPair('*', 't');
    await expectChosen('Silk', 'Wool');
    await pressPair('*', 'a');
    await expectChosen('Silk', 'Linen', 'Wool');
    await pressPair('*', 'n');
    await expectChosen();
    await press('.');
    await page.getByRole('menu', { name: 'Actions for Linen' }).waitFor();
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await press('o');
    await page.getByRole('heading', { name: 'Linen' }).waitFor();
  });

  it('turn the pages of a list', async () => {
    for (let number = 1; number <= 4; number += 1) {
      await receive(systemContext(host.app), [ana], { subject: `Yarn ${number}` });
    }
    await page.goto(`${host.url}/dashboard/inbox?limit=5`);
    await rowOf('Yarn 4').waitFor();
    await pressPair('g', 'n');
    await rowOf('Wool').waitFor();
    await pressPair('g', 'p');
    await rowOf('Yarn 4').waitFor();
    expect(new URL(page.url()).search).toBe('?limit=5');
  });

  it('take back what was done last', async () => {
    await press('j', 'e');
    await rowOf('Silk').waitFor({ state: 'detached' });
    await press('z');
    await rowOf('Silk').waitFor();
    await rowOf('Linen').focus();
    await press('#');
    await rowOf('Linen').waitFor({ state: 'detached' });
    await press('z');
    await rowOf('Linen').waitFor();
    await expect.poll(async () => (await totals()).inbox.total).toBe(3);
    await expect.poll(async () => (await totals()).trash.total).toBe(0);
  });

  it('wait for a search box that comes late, and do nothing to mail before', async () => {
    let arrive = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/SearchBox-*.js', async (route) => {
      await arrival;
      await route.continue();
    });
    await page.reload();
    await rowOf('Silk').waitFor();
    await press('j', '/');
    await page.keyboard.type('gte#');
    arrive();
    const box = page.getByRole('combobox', { name: 'Search mail' });
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('wool');
    expect(await box.inputValue()).toBe('wool');
    expect(new URL(page.url()).pathname).toBe('/dashboard/inbox');
    const { inbox, archive, trash } = await totals();
    expect([inbox.total, archive.total, trash.total]).toEqual([3, 0, 0]);
  });

  it('do nothing to mail while a person types, and a slip after g does nothing', async () => {
    await page.getByRole('combobox', { name: 'Search mail' }).waitFor();
    // The second key may come late where the machine is busy, and would then archive
    await Promise.all([page.keyboard.press('j'), page.keyboard.press('g'), page.keyboard.press('e')]);
    await press('/');
    await page.keyboard.type('gteU#z');
    await expect.poll(() => page.getByRole('combobox', { name: 'Search mail' }).inputValue()).toBe('gteU#z');
    await press('Escape');
    await page.getByRole('button', { name: 'Refresh' }).focus();
    await press('Control+e', 'Alt+e');
    await rowOf('Silk').waitFor();
    const { inbox, archive, trash } = await totals();
    expect([inbox.total, inbox.unread, archive.total, trash.total]).toEqual([3, 3, 0, 0]);
  });
});
