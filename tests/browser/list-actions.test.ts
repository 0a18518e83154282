import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { readTotals } from '@selvage/core/mailstore/totals';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

async function newPerson(messages: number) {
  const mailbox = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  const get = async (subject: string): Promise<void> => void (await receive(ctx, [mailbox], { subject }));
  for (let number = 1; number <= messages; number += 1) await get(`Message ${number} about wool`);
  const page = await openTab(host, mailbox);
  const counts = async () => {
    const totals = await readTotals(ctx, String(mailbox.user.id));
    return { inbox: totals.inbox.total, archive: totals.archive.total, trash: totals.trash.total };
  };
  /** Waits until the folders have so many messages. */
  const has = (wanted: Partial<Awaited<ReturnType<typeof counts>>>): Promise<unknown> =>
    until(`folders with ${JSON.stringify(wanted)}`, async () => {
      const now = await counts();
      return Object.entries(wanted).every(([name, number]) => now[name as keyof typeof now] === number) || null;
    });
  return { mailbox, page, get, counts, has };
}

async function openFolder(page: Page, folder: string, limit = 5): Promise<void> {
  await page.goto(`${host.url}/dashboard/${folder}?limit=${limit}`);
  await page.getByRole('list', { name: 'Messages' }).waitFor();
}

describe('all of a folder', () => {
  it('is archived behind a question, without what has come meanwhile, and taken back by Undo', async () => {
    const { page, get, has } = await newPerson(12);
    await openFolder(page, 'inbox');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText('All 5 conversations on this page are selected.').waitFor();
    await page.getByRole('button', { name: 'Select all 12 in Inbox Mail' }).click();
    await page.getByText('All 12 conversations in Inbox Mail are selected.').waitFor();
    await page.getByText('12 selected', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await get('Came later');
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Archive all 12 messages?' });
    await question.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await question.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('Archived: 12 messages').first().waitFor();
    // It stays while the pointer rests on it, however long the next steps take
    await page.getByRole('button', { name: 'Undo' }).hover();
    await has({ inbox: 1, archive: 12 });
    await page.getByRole('link', { name: /Came later/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await has({ inbox: 13, archive: 0 });
    await page.getByText('Put back: 12 messages').first().waitFor();
  });

  it('is left as it is by Cancel, and chosen no more once a row is unticked', async () => {
    const { page, counts } = await newPerson(7);
    await openFolder(page, 'inbox');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 7 in Inbox Mail' }).click();
    await page.getByText('All 7 conversations').waitFor();
    // the key means the same as the button
    await page.keyboard.press('#');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('All 7 conversations').waitFor();
    await page.getByRole('checkbox', { name: 'Select Message 7 about wool' }).uncheck();
    await page.getByText('4 selected', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('All 7 conversations').count()).toBe(0);
    await expect.poll(() => counts()).toEqual({ inbox: 7, archive: 0, trash: 0 });
  });

  it('of the trash is deleted for good', async () => {
    const { page, has } = await newPerson(6);
    await openFolder(page, 'inbox');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 6 in Inbox Mail' }).click();
    await page.getByText('All 6 conversations in').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await has({ inbox: 0, trash: 6 });
    await openFolder(page, 'trash');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 6 in Trash Mail' }).click();
    await page.getByText('All 6 conversations in').waitFor();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete all 6 messages for good?' });
    await question.getByText('That can’t be undone.').waitFor();
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await has({ trash: 0 });
    await page.getByText('No emails found').waitFor();
  });
});

describe('the menu of a row', () => {
  it('comes by a right press, acts on the row, and gives the focus back', async () => {
    const { page, has } = await newPerson(3);
    await openFolder(page, 'inbox');
    const row = page.getByRole('link', { name: /Message 2 about/ });
    await row.click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions for Message 2 about wool' });
    await menu.waitFor();
    await expect
      .poll(() => menu.getByRole('menuitem').allTextContents())
      .toEqual([
        'Open',
        'Open in a new tab',
        'Reply',
        'Reply all',
        'Forward',
        'Forward as attachment',
        'Archive',
        'Delete',
        'Snooze',
        'Report junk',
        'Mark as read',
        'Add star',
        'Move to folder…',
        'Label…',
        'Select',
      ]);
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await row.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Archive' }).click();
    await has({ inbox: 2, archive: 1 });
    await page.getByText('Archived', { exact: true }).first().waitFor();
  });

  it('acts on all chosen rows when it is asked for at one of them, and on the other row alone', async () => {
    const { page, has } = await newPerson(4);
    await openFolder(page, 'inbox');
    const rowOf = (number: number) => page.getByRole('link', { name: new RegExp(`Message ${number} about`) });
    await page.getByRole('checkbox', { name: 'Select Message 4 about wool' }).check();
    await page.getByRole('checkbox', { name: 'Select Message 2 about wool' }).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected', { exact: true }).waitFor();
    await rowOf(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await has({ inbox: 3, trash: 1 });
    await page.getByText('3 selected', { exact: true }).waitFor();
    await rowOf(3).click({ button: 'right' });
    const menu = page.getByRole('menu', { name: '3 selected' });
    await menu.waitFor();
    await expect.poll(() => menu.getByRole('menuitem', { name: 'Reply' }).count()).toBe(0);
    await menu.getByRole('menuitem', { name: 'Archive' }).click();
    await has({ inbox: 0, archive: 3 });
  });

  it('answers and opens the message', async () => {
    const { page } = await newPerson(1);
    await openFolder(page, 'inbox');
    const row = page.getByRole('link', { name: /Message 1 about/ });
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Reply', exact: true }).click();
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await page.keyboard.press('Escape');
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open', exact: true }).click();
    await page.waitForURL(/\/dashboard\/inbox\/\d+$/);
    await page.getByRole('heading', { name: 'Message 1 about wool' }).waitFor();
  });
});

const linkTo = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });

describe('rows that are dragged', () => {
  it('move to a folder of the navigation, with Undo', async () => {
    const { page, has } = await newPerson(4);
    await openFolder(page, 'inbox');
    for (const number of [2, 3])
      await page.getByRole('checkbox', { name: `Select Message ${number} about wool` }).check();
    const archive = linkTo(page, 'Archive');
    await page.getByRole('link', { name: /Message 3 about/ }).dragTo(archive);
    await has({ inbox: 2, archive: 2 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await has({ inbox: 4, archive: 0 });
    // The rows stand where they stay
    await page.getByRole('link', { name: /Message 3 about/ }).waitFor();
    await page.getByRole('link', { name: /Message 2 about/ }).waitFor();
    await page.getByRole('link', { name: /Message 1 about/ }).dragTo(linkTo(page, 'Trash'));
    await has({ inbox: 3, trash: 1 });
  });

  it('go nowhere they can not go', async () => {
    const { page, counts } = await newPerson(2);
    await openFolder(page, 'inbox');
    const row = page.getByRole('link', { name: /Message 1 about/ });
    const sent = linkTo(page, 'Sent');
    await row.hover();
    await page.mouse.down();
    await sent.hover();
    await sent.hover();
    const isPlain = (name: string) =>
      linkTo(page, name).evaluate((link) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle: (part: unknown) => { boxShadow: string };
        };
        return getComputedStyle(link).boxShadow === 'none';
      });
    await until('an offer', async () => !(await isPlain('Archive')));
    expect(await isPlain('Sent')).toBe(true);
    await page.mouse.up();
    await until('no offer', async () => (await isPlain('Archive')) || null);
    await expect.poll(() => counts()).toEqual({ inbox: 2, archive: 0, trash: 0 });
    expect(page.url()).toContain('/dashboard/inbox');
  });
});
