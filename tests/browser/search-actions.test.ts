import { inTransaction, systemContext } from '@selvage/core/context/context';
import { saveDraft } from '@selvage/core/mailstore/save-draft';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { pauseWriting } from '../support/pause-writing.ts';
import { untilDayLasts } from '../support/rest-of-day.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

const DAY_MS = 24 * 60 * 60 * 1000;
const subjects = ['Yarn one', 'Yarn two', 'Yarn three', 'Yarn four', 'Yarn five', 'Yarn six', 'Yarn seven'];

beforeAll(async () => {
  await untilDayLasts();
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  for (const subject of subjects) await receive(systemContext(host.app), [ana], { subject });
});

const row = (subject: string): Locator => page.getByRole('listitem').filter({ hasText: subject });
const tick = (subject: string): Locator => row(subject).getByRole('checkbox');
const bar = (name: string): Locator => page.getByRole('toolbar').getByRole('button', { name, exact: true });

async function search(text: string, more = ''): Promise<void> {
  await page.goto(`${host.url}/dashboard/search?q=${encodeURIComponent(text)}${more}`);
  await page.getByRole('heading', { name: 'Results' }).waitFor();
}

async function newTab(): Promise<void> {
  page = await openTab(host, ana);
}

/** Waits until so many messages of the person have these flags. */
async function has(number: number, flags: Partial<Record<`${string}Status`, boolean>>): Promise<void> {
  await until(`${number} with ${JSON.stringify(flags)}`, async () => {
    const where = { userId: String(ana.user.id), deleteStatus: false, ...flags };
    return (await MailboxEntry.count({ where })) === number || null;
  });
}

async function addDraft(subject: string): Promise<void> {
  const ctx = systemContext(host.app);
  const content = {
    toList: ['Ben <ben@remote.test>'],
    ccList: [],
    bccList: [],
    fromAddress: ana.user.email,
    subject,
    body: '<p>About yarn.</p>',
    preview: 'About yarn.',
  };
  const origin = { originalEntryId: null, isReply: false, inReplyTo: null, referenceIds: [] };
  const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
  const save = { ...owner, known: null, content, origin, added: [], without: new Set<string>() };
  const { id } = await inTransaction(ctx, (tx) => saveDraft(tx, save));
  await pauseWriting(ctx, id);
}

describe('what a search finds', { timeout: 120_000 }, () => {
  it('stands under the days on which it came', async () => {
    const entries = await MailboxEntry.findAll({ where: { userId: String(ana.user.id) }, order: [['id', 'ASC']] });
    const longAgo = new Date(Date.now() - 800 * DAY_MS);
    for (const entry of entries.slice(0, 2)) await entry.update({ arrivedAt: longAgo });
    await newTab();
    await search('yarn');
    await row('Yarn seven').getByRole('heading', { name: 'Today' }).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Results' }).getByRole('heading').count()).toBe(2);
    await row('Yarn two')
      .getByRole('heading', { name: String(longAgo.getFullYear()) })
      .waitFor();
    await addDraft('Yarn to sell');
    await row('Yarn six').getByRole('button', { name: 'Add star to Yarn six' }).click();
    await page.reload();
    await row('Yarn to sell').waitFor();
    expect(await problemsInAllLooks(page, 'search-days')).toEqual({});
    await tick('Yarn six').check();
    expect(await problemsInAllLooks(page, 'search-ticked')).toEqual({});
  });

  it('is starred, deleted, restored and deleted for good where it is ticked', async () => {
    await newTab();
    await search('yarn');
    await tick('Yarn one').check();
    await tick('Yarn two').check();
    await bar('Add star').click();
    await has(2, { starStatus: true });
    await tick('Yarn one').check();
    await bar('Remove star').click();
    await has(1, { starStatus: true });
    for (const subject of ['Yarn one', 'Yarn three']) await tick(subject).check();
    await expect.poll(() => bar('Delete for good').count()).toBe(0);
    await bar('Delete').click();
    await has(2, { trashStatus: true });
    await row('Yarn three').getByText('Trash', { exact: true }).waitFor();
    await tick('Yarn three').check();
    await bar('Restore').click();
    await has(1, { trashStatus: true });
    await tick('Yarn one').check();
    await bar('Delete for good').click();
    const question = page.getByRole('alertdialog', { name: 'Delete this message for good?' });
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await row('Yarn one').waitFor({ state: 'detached' });
    await has(6, {});
  });

  it('is junk and no junk, and goes from there for good', async () => {
    await newTab();
    await search('yarn');
    for (const subject of ['Yarn one', 'Yarn two']) await tick(subject).check();
    await bar('Report junk').click();
    await has(2, { junkStatus: true });
    await search('yarn in:junk');
    await tick('Yarn one').check();
    await bar('Not junk').click();
    await has(1, { junkStatus: true });
    await row('Yarn one').waitFor({ state: 'detached' });
    await tick('Yarn two').check();
    await bar('Delete for good').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No emails found').waitFor();
    await has(6, {});
  });

  it('obeys the keys of a list', async () => {
    await addDraft('Yarn to sell');
    await newTab();
    await search('yarn');
    await row('Yarn to sell').getByRole('button', { name: 'Yarn to sell', exact: true }).focus();
    await page.keyboard.press('#');
    await page.getByRole('alertdialog', { name: 'Delete this draft?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('j');
    for (const key of ['s', 'e']) await page.keyboard.press(key);
    await has(1, { starStatus: true, archiveStatus: true });
    await row('Yarn seven').getByText('Archive', { exact: true }).waitFor();
    await page.keyboard.press('e');
    await has(0, { archiveStatus: true });
    await page.keyboard.press('j');
    await page.keyboard.press('#');
    await has(1, { trashStatus: true });
    await row('Yarn six').getByText('Trash', { exact: true }).waitFor();
    await page.keyboard.press('#');
    await has(0, { trashStatus: true });
    await page.keyboard.press('l');
    const labels = page.getByRole('searchbox', { name: 'Find a label' });
    await labels.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await labels.waitFor({ state: 'detached' });
    await page.keyboard.press('v');
    const folders = page.getByRole('dialog', { name: /^Move/ }).getByRole('searchbox');
    await folders.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
  });

  it('has buttons under the pointer, and a menu', async () => {
    await addDraft('Yarn to sell');
    await newTab();
    await search('yarn');
    await row('Yarn five').hover();
    await row('Yarn five').getByRole('button', { name: 'Archive Yarn five' }).click();
    await has(1, { archiveStatus: true });
    await row('Yarn to sell').hover();
    await row('Yarn to sell').getByRole('button', { name: 'Delete Yarn to sell' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row('Yarn to sell').waitFor({ state: 'detached' });
    await row('Yarn four').getByRole('link').click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Actions for Yarn four' });
    await menu.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await menu.getByRole('menuitem', { name: 'Report junk' }).click();
    await has(1, { junkStatus: true });
  });
});

describe('a message that was found', { timeout: 120_000 }, () => {
  it('leads to the ones beside it over the pages of the search, and back to its row', async () => {
    await MailboxEntry.update({ archiveStatus: true }, { where: { userId: String(ana.user.id) } });
    await newTab();
    await search('yarn', '&limit=5');
    await row('Yarn four').getByRole('link').click();
    await page.getByRole('heading', { name: 'Yarn four' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Yarn three' }).waitFor();
    await page.getByRole('button', { name: 'Next message' }).click();
    await page.getByRole('heading', { name: 'Yarn two' }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL((url) => url.pathname === '/dashboard/search' && url.searchParams.get('page') === '2');
    const link = row('Yarn two').getByRole('link');
    await until('the row has the focus', () => link.evaluate((item) => item === item.ownerDocument.activeElement));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Yarn two' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Yarn three' }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL((url) => url.pathname === '/dashboard/search' && !url.searchParams.has('page'));
    await row('Yarn seven').waitFor();
  });
});
