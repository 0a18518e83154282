import { systemContext } from '@selvage/core/context/context';
import { moveEntries } from '@selvage/core/mailstore/move-entries';
import { Folder } from '@selvage/core/models/folder';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { receive } from '@selvage/core/mailstore/test-messages';
import { readOwnFolders } from '@selvage/core/mailstore/own-folders';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { holdCalls } from '../support/hold-calls.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const subjects = ['Warp order', 'Weft order', 'Loom repair', 'Dye prices'];
const shots = process.env['FOLDER_SHOTS'];

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  for (const subject of subjects) await receive(systemContext(host.app), [ana], { subject });
  page = await openTab(host, ana);
});

const shot = async (name: string) => shots && (await page.screenshot({ path: `${shots}/${name}.png` }));
const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });
const navigation = () => page.getByRole('navigation', { name: 'Navigation' });
const link = (name: string) => navigation().getByRole('link', { name });
const said = async (text: string) => await page.getByText(text).first().waitFor();
const left = async (subject: string) => await row(subject).waitFor({ state: 'detached' });
const undo = async () => await page.getByRole('button', { name: 'Undo' }).last().click();
const tick = async (subject: string) => await page.getByRole('checkbox', { name: `Select ${subject}` }).click();
const chooser = () => page.getByRole('dialog', { name: /^Move/ });

/** Asks for a folder by key, and waits until what is typed goes into the dialog. */
async function askWhere(): Promise<void> {
  await page.keyboard.press('v');
  await chooser().getByRole('searchbox').and(page.locator(':focus')).waitFor();
}

/** Waits until the server has done what the page shows already: leaving it may cut that off. */
async function holds(name: string, messages: number): Promise<void> {
  await until(`${name} holds ${messages}`, async () => {
    const folders = await readOwnFolders(systemContext(host.app), String(ana.user.id));
    return folders.find((folder) => folder.name === name)?.total === messages;
  });
}

async function openInbox(subject = 'Loom repair'): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await row(subject).waitFor();
}

async function openFolder(name: string): Promise<void> {
  await link(name).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

async function make(name: string): Promise<void> {
  await navigation().getByRole('button', { name: 'New folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder' });
  await dialog.getByLabel('Name').fill(name);
  await shot('dialog');
  await dialog.getByRole('button', { name: 'Create folder' }).click();
  await dialog.waitFor({ state: 'detached' });
  await link(name).waitFor();
}

describe('folders of one’s own', () => {
  it('leave the buttons of their list in sight, however long their name is', async () => {
    const tab = await openTab(host, await buildMailbox(host.app));
    await tab.getByRole('button', { name: 'New folder' }).click();
    const dialog = tab.getByRole('dialog', { name: 'New folder' });
    await dialog.getByLabel('Name').fill('Customers of the northern region and all of their invoices');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await tab.getByRole('link', { name: /^Customers of/ }).click();
    await tab.getByRole('heading', { name: /^Customers of/, level: 1 }).waitFor();
    for (const width of [1280, 390]) {
      await tab.setViewportSize({ width, height: 800 });
      expect(await layoutProblems(tab)).toEqual([]);
    }
    await tab.close();
  });

  it('are made in the navigation, with a name that is free', async () => {
    await openInbox();
    await shot('none');
    await make('Orders');
    await make('Machines');
    const list = navigation().getByRole('list', { name: 'Folders' });
    await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(['Machines', 'Orders']);
    await navigation().getByRole('button', { name: 'New folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'New folder' });
    await dialog.getByLabel('Name').fill('ORDERS');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await dialog.getByText('A folder with this name already exists').first().waitFor();
    await dialog.getByLabel('Name').fill('Sent');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await dialog.getByText('Your mailbox has a folder of this name').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await openFolder('Orders');
    await page.getByText('Move messages here: they leave the inbox').waitFor();
    await shot('empty');
  });

  it('leave the page to screen readers when their dialog goes before the toasts are loaded', async () => {
    const calls = await holdCalls(page, '**/assets/Afterwards-*.js');
    await openInbox();
    await row('Warp order').getByRole('link').focus();
    await askWhere();
    await expect.poll(() => navigation().count()).toBe(0);
    await page.keyboard.press('Escape');
    await navigation().waitFor();
    await calls.letGo();
  });

  it('take messages by key, and give them back by Undo', async () => {
    await openInbox();
    await row('Warp order').getByRole('link').focus();
    await askWhere();
    await shot('chooser');
    await page.keyboard.type('ord');
    await page.keyboard.press('Enter');
    await left('Warp order');
    await said('Moved to “Orders”');
    await link('Orders').getByText('1 unread').waitFor();
    await holds('Orders', 1);
    await undo();
    await row('Warp order').waitFor();
    await holds('Orders', 0);
    await page.reload();
    await row('Warp order').waitFor();
    await tick('Warp order');
    await tick('Weft order');
    await page.getByRole('button', { name: 'Move to folder' }).click();
    await chooser().getByRole('button', { name: 'Orders' }).click();
    await left('Weft order');
    await openFolder('Orders');
    await row('Warp order').waitFor();
    await row('Weft order').waitFor();
    await shot('folder');
  });

  it('are chosen by Enter as they are drawn, and not before a name is typed', async () => {
    await openFolder('Orders');
    await row('Weft order').getByRole('link').focus();
    await askWhere();
    await page.keyboard.press('Enter');
    // The messages are in this folder already
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await chooser().getByText('No folder has this name.').waitFor();
    await chooser().getByRole('searchbox').fill('in');
    const drawn = chooser().getByRole('list', { name: 'Folders' }).getByRole('button');
    await expect.poll(() => drawn.allTextContents()).toEqual(['Inbox', 'Machines']);
    await page.keyboard.press('Enter');
    await left('Weft order');
    await holds('Orders', 1);
    await openInbox('Weft order');
    await row('Weft order').dragTo(link('Orders'));
    await left('Weft order');
    await holds('Orders', 2);
  });

  it('take nothing when the dialog is closed while one is being made', async () => {
    await openInbox();
    const calls = await holdCalls(page, '**/mail/folders/create');
    await row('Loom repair').getByRole('link').focus();
    await page.keyboard.press('v');
    await chooser().getByRole('searchbox').fill('Too late');
    await page.keyboard.press('Enter');
    await calls.asked;
    await chooser().getByRole('button', { name: 'Cancel' }).click();
    await chooser().waitFor({ state: 'detached' });
    await calls.letGo();
    await link('Too late').waitFor();
    await row('Loom repair').waitFor();
    expect(await MailboxEntry.count({ where: { userId: String(ana.user.id), ownFolderId: null } })).toBe(2);
  });

  it('take messages that are dragged, and a new one takes them as it is made', async () => {
    await openInbox();
    await row('Dye prices').dragTo(link('Machines'));
    await left('Dye prices');
    await said('Moved to “Machines”');
    await row('Loom repair').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move to folder…' }).click();
    await chooser().getByRole('searchbox').fill('North hall');
    await shot('chooser-new');
    await page.keyboard.press('Enter');
    await left('Loom repair');
    await openFolder('North hall');
    await row('Loom repair').dragTo(link('Inbox'));
    await left('Loom repair');
    await holds('North hall', 0);
    await openInbox();
  });

  it('have messages that open, are deleted and come back to them', async () => {
    await openFolder('Orders');
    await row('Warp order').getByRole('link').click();
    await page.getByRole('heading', { name: 'Warp order' }).waitFor();
    await shot('reader');
    await page.keyboard.press('#');
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await left('Warp order');
    await link('Trash').click();
    await row('Warp order').waitFor();
    await tick('Warp order');
    await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    await left('Warp order');
    await openFolder('Orders');
    await row('Warp order').getByRole('link').click();
    await page.getByRole('heading', { name: 'Warp order' }).waitFor();
    await page.keyboard.press('v');
    await chooser().getByRole('button', { name: 'Inbox' }).click();
    await said('Moved out of its folder');
    await holds('Orders', 1);
    await openInbox('Warp order');
    expect(await verifyTotals(systemContext(host.app), String(ana.user.id))).toBe(true);
  });

  it('say that they are empty only once they are loaded', async () => {
    await openFolder('Machines');
    await row('Dye prices').waitFor();
    const calls = await holdCalls(page, '**/mail/get/sent/by_user*');
    await openFolder('North hall');
    await calls.asked;
    await row('Dye prices').waitFor({ state: 'detached' });
    const hint = page.getByText('Move messages here: they leave the inbox');
    expect(await hint.count()).toBe(0);
    await calls.letGo();
    await hint.waitFor();
  });

  it('change in other windows as they do in this one', async () => {
    await openInbox('Warp order');
    const other = await openTab(host, ana);
    const theirs = other.getByRole('navigation', { name: 'Navigation' });
    await theirs.getByRole('link', { name: 'Orders' }).click();
    await other.getByRole('listitem').filter({ hasText: 'Weft order' }).waitFor();
    await row('Warp order').dragTo(link('Orders'));
    await other.getByRole('listitem').filter({ hasText: 'Warp order' }).waitFor();
    await make('Made here');
    await theirs.getByRole('link', { name: 'Made here' }).waitFor();
  });

  it('are found by their name', async () => {
    await page.goto(`${host.url}/dashboard/search?q=${encodeURIComponent('in:"orders" weft')}`);
    await row('Weft order').getByText('Orders').waitFor();
    await expect.poll(() => row('Warp order').count()).toBe(0);
    await shot('search');
  });

  it.each([1280, 390])('are sound at %i px, in light and dark', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await openInbox();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The page follows the system's look a moment later
      await page.waitForSelector(`html[data-theme=${colorScheme}]`, { state: 'attached' });
      expect([colorScheme, ...(await layoutProblems(page)), ...(await seriousProblems(page))]).toEqual([colorScheme]);
      await shot(`sound-${width}-${colorScheme}`);
      await tick('Loom repair');
      await page.keyboard.press('v');
      await chooser().waitFor();
      await shot(`chooser-${width}-${colorScheme}`);
      expect([colorScheme, ...(await seriousProblems(page))]).toEqual([colorScheme]);
      await page.keyboard.press('Escape');
      await chooser().waitFor({ state: 'detached' });
      await tick('Loom repair');
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('are chosen as a whole, beyond the page in view, and changed so with Undo', async () => {
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    const names = { name: 'Bales', nameKey: 'bales', uidValidity: 1 };
    const { id } = await Folder.create({ ...owner, role: null, ...names });
    const ids: string[] = [];
    for (let bale = 1; bale <= 8; bale += 1) {
      ids.push(...(await receive(systemContext(host.app), [ana], { subject: `Bale ${bale} of wool` })).entryIds);
    }
    const to = { ownFolderId: String(id), archiveStatus: false, junkStatus: false, trashStatus: false };
    await moveEntries(systemContext(host.app), { userId: owner.userId, entryIds: ids, to });
    await page.goto(`${host.url}/dashboard/folder/${id}?limit=5`);
    await row('Bale 8').waitFor();
    await page.getByRole('checkbox', { name: /all/i }).first().click();
    await page.getByRole('button', { name: 'Select all 8 in Bales' }).click();
    await said('All 8 conversations in Bales are selected.');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Archive all 8 messages?' });
    await question.getByText('every message in Bales').waitFor();
    await question.getByRole('button', { name: 'Archive' }).click();
    const inFolder = () => MailboxEntry.count({ where: { folderId: String(id) } });
    await expect.poll(inFolder).toBe(0);
    await left('Bale 8');
    await undo();
    await row('Bale 8').waitFor();
    await expect.poll(inFolder).toBe(8);
    expect(await verifyTotals(systemContext(host.app), owner.userId)).toBe(true);
  });

  it('are renamed, folded and deleted; their mail goes to the trash', async () => {
    await openInbox();
    await link('Orders').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename the folder' });
    await dialog.getByLabel('Name').fill('Purchases');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await link('Purchases').waitFor();
    await navigation().getByRole('button', { name: 'Folders', expanded: true }).click();
    await link('Purchases').waitFor({ state: 'detached' });
    await page.reload();
    await navigation().getByRole('button', { name: 'Folders', expanded: false }).click();
    await openFolder('Purchases');
    const path = new URL(page.url()).pathname;
    await link('Purchases').hover();
    await navigation().getByRole('button', { name: 'More for the folder Purchases' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByText('Its messages are moved to the trash.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said('Folder “Purchases” deleted. Its messages are moved to the trash.');
    await link('Purchases').waitFor({ state: 'detached' });
    await row('Loom repair').waitFor();
    await page.goto(`${host.url}${path}`);
    await page
      .getByText(/no longer|not here|gone/i)
      .first()
      .waitFor();
    await shot('gone');
  });
});
