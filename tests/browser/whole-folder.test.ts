import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { readOwnFolders } from '@selvage/core/mailstore/own-folders';
import { readTotals } from '@selvage/core/mailstore/totals';
import { Label } from '@selvage/core/models/label';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openTab } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

async function newPerson(messages: number) {
  const mailbox = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  const userId = String(mailbox.user.id);
  for (let number = 1; number <= messages; number += 1) {
    await receive(ctx, [mailbox], { subject: `Message ${number} about wool` });
  }
  const page = await openTab(host, mailbox);
  const inbox = async () => (await readTotals(ctx, userId)).inbox.total;
  const folders = async () => (await readOwnFolders(ctx, userId)).map(({ name, total }) => [name, total]);
  const labels = async () => (await Label.findAll({ where: { userId } })).map(({ name, total }) => [name, total]);
  const chooseAll = async (): Promise<void> => {
    await page.goto(`${host.url}/dashboard/inbox?limit=5`);
    // While there are no rows, the box above them ticks nothing
    await page.getByRole('list', { name: 'Messages' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: `Select all ${messages} in Inbox Mail` }).click();
    await page.getByText(`All ${messages} conversations in Inbox Mail are selected.`).waitFor();
  };
  return { page, inbox, folders, labels, chooseAll };
}

describe('all of a folder', () => {
  it('is moved to a new folder behind a question, and taken back by Undo', async () => {
    const { page, inbox, folders, chooseAll } = await newPerson(7);
    await chooseAll();
    await page.getByRole('button', { name: 'Move to folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 7 messages' });
    await dialog.getByRole('searchbox', { name: 'Find a folder' }).fill('Looms');
    await dialog.getByRole('button', { name: 'Create “Looms” and move' }).click();
    const question = page.getByRole('alertdialog', { name: 'Move all 7 messages to “Looms”?' });
    await question.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await inbox()).toBe(7);
    await question.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved to “Looms”: 7 messages').first().waitFor();
    expect([await inbox(), await folders()]).toEqual([0, [['Looms', 7]]]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => [await inbox(), await folders()]).toEqual([7, [['Looms', 0]]]);
    await page.getByRole('link', { name: /Message 7 about/ }).waitFor();
  });

  it('gets a label and loses it', async () => {
    const { page, labels, chooseAll } = await newPerson(6);
    await chooseAll();
    // the key means the same as the button
    await page.keyboard.press('l');
    const menu = page.getByRole('dialog', { name: 'Label 6 messages' });
    await menu.getByRole('searchbox', { name: 'Find a label' }).fill('Silk');
    expect(await seriousProblems(page)).toEqual([]);
    await menu.getByRole('button', { name: 'Create “Silk”' }).click();
    const question = page.getByRole('alertdialog', { name: 'Put the label “Silk” on all 6 messages?' });
    await question.getByRole('button', { name: 'Label all' }).click();
    await page.getByText('Label “Silk” added: 6 messages').first().waitFor();
    expect(await labels()).toEqual([['Silk', 6]]);
    await chooseAll();
    await page.getByRole('link', { name: /Message 6 about/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Label…' }).click();
    await menu.getByRole('radio', { name: 'Take off' }).check();
    await menu.getByRole('checkbox', { name: 'Silk' }).click();
    const other = page.getByRole('alertdialog', { name: 'Remove the label “Silk” from all 6 messages?' });
    await other.getByRole('button', { name: 'Remove from all' }).click();
    await expect.poll(() => labels()).toEqual([['Silk', 0]]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => labels()).toEqual([['Silk', 6]]);
  });
});
