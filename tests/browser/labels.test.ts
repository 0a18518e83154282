import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { Label } from '@selvage/core/models/label';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const subjects = ['Warp order', 'Weft order', 'Loom repair', 'Dye prices'];
const shots = process.env['LABEL_SHOTS'];

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
const tick = async (subject: string) => await page.getByRole('checkbox', { name: `Select ${subject}` }).click();
const said = async (text: string) => await page.getByText(text).first().waitFor();
/** The labels that a row shows, by its words for screen readers. */
const labelsOf = async (subject: string) =>
  (
    await row(subject)
      .getByText(/^Labels: /)
      .allTextContents()
  )
    .join('')
    .trim();
const hasLabels = async (subject: string, labels: string) =>
  await until(`the labels of ${subject}`, async () => (await labelsOf(subject)) === labels);

/** Waits until the server has done what the page shows already: leaving it may cut that off. */
const holds = async (name: string, messages: number) =>
  await until(`${name} holds ${messages}`, async () => {
    const label = await Label.findOne({ where: { userId: String(ana.user.id), name } });
    return label?.total === messages;
  });

const hasInTrash = async (number: number) =>
  await until('the trash', async () => {
    const where = { userId: String(ana.user.id), trashStatus: true };
    return (await MailboxEntry.count({ where })) === number;
  });

/** Rows have no role while the menu is open. */
async function leaveMenu(): Promise<void> {
  await menuFocus().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Find a label' }).waitFor({ state: 'detached' });
}

/** What has the focus in the menu, which takes it a moment after it has come. */
const menuFocus = () => page.getByRole('dialog', { name: /^Label/ }).locator(':focus');

async function openInbox(): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await row('Warp order').waitFor();
}

async function make(name: string, colour: string): Promise<void> {
  await navigation().getByRole('button', { name: 'New label' }).click();
  const dialog = page.getByRole('dialog', { name: 'New label' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('radio', { name: colour }).check({ force: true });
  await shot(`dialog-${name}`);
  await dialog.getByRole('button', { name: 'Create label' }).click();
  await dialog.waitFor({ state: 'detached' });
  await navigation().getByRole('link', { name }).waitFor();
}

describe('labels', () => {
  it('are made in the navigation, with a name that is not taken', async () => {
    await openInbox();
    await shot('empty');
    await make('Orders', 'Teal');
    await make('Urgent', 'Red');
    await navigation().getByRole('button', { name: 'New label' }).click();
    const dialog = page.getByRole('dialog', { name: 'New label' });
    await dialog.getByLabel('Name').fill('orders');
    await dialog.getByRole('button', { name: 'Create label' }).click();
    await dialog.getByText('A label with this name already exists').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('are put on ticked messages by the menu, with a true Undo', async () => {
    await openInbox();
    await tick('Warp order');
    await page.getByRole('button', { name: 'Label', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Orders' }).click();
    await leaveMenu();
    await hasLabels('Warp order', 'Labels: Orders.');
    await tick('Weft order');
    await page.keyboard.press('l');
    const box = page.getByRole('checkbox', { name: 'Orders' });
    await box.waitFor();
    await shot('menu-mixed');
    expect(await box.evaluate((input) => (input as unknown as { indeterminate: boolean }).indeterminate)).toBe(true);
    await box.click();
    await leaveMenu();
    await hasLabels('Weft order', 'Labels: Orders.');
    await holds('Orders', 2);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await hasLabels('Weft order', '');
    await expect.poll(() => labelsOf('Warp order')).toBe('Labels: Orders.');
    await holds('Orders', 1);
    await page.reload();
    await row('Warp order').waitFor();
    await hasLabels('Warp order', 'Labels: Orders.');
    await expect.poll(() => labelsOf('Weft order')).toBe('');
  });

  it('are found and made while a message is labelled, by the keyboard alone', async () => {
    await openInbox();
    await row('Loom repair').getByRole('link').focus();
    await page.keyboard.press('l');
    await menuFocus().waitFor();
    await page.keyboard.type('urg');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Urgent', checked: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a label' }).fill('Machines of the north hall');
    await shot('menu-create');
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Machines of the north hall', checked: true }).waitFor();
    await leaveMenu();
    await hasLabels('Loom repair', 'Labels: Machines of the north hall, Urgent.');
    await tick('Loom repair');
    await page.keyboard.press('l');
    await page.getByRole('checkbox', { name: 'Orders' }).click();
    await leaveMenu();
    await hasLabels('Loom repair', 'Labels: Machines of the north hall, Orders, Urgent.');
    await tick('Loom repair');
    await shot('list');
  });

  it('take what is dragged onto them', async () => {
    await openInbox();
    await row('Dye prices').dragTo(navigation().getByRole('link', { name: 'Urgent' }));
    await hasLabels('Dye prices', 'Labels: Urgent.');
    await said('Label “Urgent” added');
  });

  it('show their messages, which open, lose the label and come back', async () => {
    await navigation().getByRole('link', { name: 'Urgent' }).click();
    await page.getByRole('heading', { name: 'Urgent', level: 1 }).waitFor();
    await expect.poll(() => page.title()).toContain('Urgent');
    await row('Dye prices').waitFor();
    await expect.poll(() => row('Warp order').count()).toBe(0);
    await shot('label');
    await row('Loom repair').getByRole('link').click();
    await page.getByRole('heading', { name: 'Loom repair' }).waitFor();
    await page.getByRole('button', { name: 'Remove the label Orders' }).waitFor();
    await shot('reader');
    await page.getByRole('button', { name: 'Remove the label Urgent' }).press('Enter');
    await page.getByRole('button', { name: 'Remove the label Urgent' }).waitFor({ state: 'detached' });
    const other = page.getByRole('button', { name: 'Remove the label Orders' });
    expect(await other.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('l');
    await page.getByRole('checkbox', { name: 'Urgent' }).waitFor();
    await shot('reader-menu');
    await leaveMenu();
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Urgent', level: 1 }).waitFor();
    await row('Loom repair').waitFor({ state: 'detached' });
    await tick('Dye prices');
    await page.keyboard.press('#');
    await page.getByText('Messages with this label appear here.').waitFor();
    await hasInTrash(1);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row('Dye prices').waitFor();
    await hasInTrash(0);
    expect(await verifyTotals(systemContext(host.app), String(ana.user.id))).toBe(true);
  });

  it('change in other windows as they do in this one', async () => {
    await openInbox();
    const other = await openTab(host, ana);
    await other.getByRole('listitem').filter({ hasText: 'Weft order' }).waitFor();
    await tick('Weft order');
    await page.keyboard.press('l');
    await page.getByRole('checkbox', { name: 'Urgent' }).click();
    await other.getByRole('listitem').filter({ hasText: 'Weft order' }).getByText('Labels: Urgent.').waitFor();
    await leaveMenu();
    await make('Made here', 'Purple');
    await other.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Made here' }).waitFor();
  });

  it('are renamed and deleted; the address of one that is gone says so', async () => {
    await openInbox();
    const link = navigation().getByRole('link', { name: 'Urgent' });
    const path = (await link.getAttribute('href')) ?? '';
    await link.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the label' });
    await dialog.getByLabel('Name').fill('Soon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await hasLabels('Dye prices', 'Labels: Soon.');
    await navigation().getByRole('link', { name: 'Soon' }).hover();
    await navigation().getByRole('button', { name: 'More for the label Soon' }).click();
    await shot('navigation-menu');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said('Label “Soon” deleted');
    // Rows have no role while the question is open
    await row('Dye prices').waitFor();
    await hasLabels('Dye prices', '');
    await page.goto(`${host.url}${path}`);
    await page
      .getByText(/no longer|not here|gone/i)
      .first()
      .waitFor();
    await shot('gone');
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
      await page.keyboard.press('l');
      await page.getByRole('checkbox', { name: 'Orders' }).waitFor();
      await shot(`menu-${width}-${colorScheme}`);
      expect([colorScheme, ...(await seriousProblems(page))]).toEqual([colorScheme]);
      await leaveMenu();
      await tick('Loom repair');
    }
  });
});
