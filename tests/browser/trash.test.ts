import { systemContext } from '@selvage/core/context/context';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  for (const subject of ['One', 'Two', 'Three', 'Four']) {
    await receive(systemContext(host.app), [ana], { subject });
  }
  page = await openTab(host, ana);
});

const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });
const left = (): Promise<number> => MailboxEntry.count({ where: { userId: String(ana.user.id), deleteStatus: false } });

describe('the trash', { timeout: 120_000 }, () => {
  it('lets go of chosen messages for good, after a question', async () => {
    await row('One').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Trash' }).click();
    await row('Four').waitFor();
    for (const subject of ['One', 'Two']) await page.getByRole('checkbox', { name: `Select ${subject}` }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 2 messages for good?' });
    await question.waitFor();
    expect(await problemsInAllLooks(page, 'trash-delete')).toEqual({});
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await question.waitFor({ state: 'detached' });
    // Rows have no role while a question is open
    await row('Three').waitFor();
    await row('One').waitFor({ state: 'detached' });
    await expect
      .poll(async () => [await row('Three').count(), await row('Four').count(), await left()])
      .toEqual([1, 1, 2]);
  });

  it('lets go of the message that is read, too', async () => {
    await row('Four').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Four' }).waitFor();
    expect(await problemsInAllLooks(page, 'trash-reading')).toEqual({});
    await page.getByRole('button', { name: 'Delete for good' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this message for good?' });
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await page.waitForURL('**/dashboard/trash');
    await row('Three').waitFor();
    await expect.poll(async () => [await row('Four').count(), await left()]).toEqual([0, 1]);
    await page.setViewportSize({ width: 390, height: 800 });
    await row('Three').getByRole('link').click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete for good' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Back', exact: true }).click();
  });

  it('lets go of a row by its own button and by its menu, after a question', async () => {
    const ctx = systemContext(host.app);
    const { entryIds } = await receive(ctx, [ana], { subject: 'Five' });
    await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags: { trashStatus: true } });
    const question = page.getByRole('alertdialog', { name: 'Delete this message for good?' });
    await row('Five').hover();
    await page.getByRole('button', { name: 'Delete Five for good' }).click();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await row('Five').getByRole('link').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete for good' }).click();
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await question.waitFor({ state: 'detached' });
    await row('Three').waitFor();
    await row('Five').waitFor({ state: 'detached' });
    await expect.poll(async () => [await row('Three').count(), await left()]).toEqual([1, 1]);
  });

  it('is emptied by one press and a question, and has no such button then', async () => {
    await page.getByRole('button', { name: 'Empty Trash' }).click();
    const question = page.getByRole('alertdialog', { name: 'Empty the trash?' });
    await question.getByText('1 message will be gone for good.').waitFor();
    await question.getByRole('button', { name: 'Empty Trash' }).click();
    await page.getByText('No emails found').waitFor();
    await until('nothing is left', async () => (await left()) === 0);
    await page.getByRole('button', { name: 'Empty Trash' }).waitFor({ state: 'detached' });
    expect(await problemsInAllLooks(page, 'trash-empty')).toEqual({});
  });

  it('is as easily emptied as Junk', async () => {
    const ctx = systemContext(host.app);
    for (const subject of ['Cheap bobbins', 'Cheaper bobbins']) await receive(ctx, [ana], { subject });
    await page.goto(`${host.url}/dashboard/inbox`);
    for (const subject of ['Cheap bobbins', 'Cheaper bobbins']) {
      await page.getByRole('checkbox', { name: `Select ${subject}` }).click();
    }
    await page.getByRole('button', { name: 'Report junk' }).click();
    await page.getByText('No emails found').waitFor();
    const junk = () => MailboxEntry.count({ where: { userId: String(ana.user.id), junkStatus: true } });
    // Leaving the page may cut off what it shows already
    await until('both are junk', async () => (await junk()) === 2);
    await page.goto(`${host.url}/dashboard/junk`);
    await row('Cheaper bobbins').hover();
    await page.getByRole('button', { name: 'Delete Cheaper bobbins for good' }).waitFor();
    await page.getByRole('button', { name: 'Cheaper bobbins is not junk' }).click();
    await row('Cheaper bobbins').waitFor({ state: 'detached' });
    await until('one is junk', async () => (await junk()) === 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Cheaper bobbins').waitFor();
    await page.getByRole('button', { name: 'Empty Junk' }).click();
    const question = page.getByRole('alertdialog', { name: 'Empty Junk?' });
    await question.getByText('2 messages will be gone for good.').waitFor();
    expect(await problemsInAllLooks(page, 'junk-empty-question')).toEqual({});
    await question.getByRole('button', { name: 'Empty Junk' }).click();
    await page.getByText('No emails found').waitFor();
    await until('nothing is left', async () => (await left()) === 0);
    await page.getByRole('button', { name: 'Empty Junk' }).waitFor({ state: 'detached' });
  });
});
