import { systemContext } from '@selvage/core/context/context';
import { snooze, wakeSnoozed } from '@selvage/core/mailstore/snooze';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox } from '../support/factories.ts';
import { withLongUndo } from '../support/long-undo.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;

beforeAll(async () => {
  host = await sharedWebHost();
});

async function scene(subjects: string[]) {
  const ana = await buildMailbox(host.app);
  const ctx = systemContext(host.app);
  for (const subject of subjects) await receive(ctx, [ana], { subject });
  const page = await openTab(host, ana);
  await page.getByRole('list', { name: 'Messages' }).waitFor();
  const folders = async () =>
    (await MailboxEntry.findAll({ where: { userId: ana.user.id }, order: [['id', 'ASC']] })).map(
      ({ folder }) => folder,
    );
  const has = (wanted: string[]) =>
    until(`entries in ${wanted.join(', ')}`, async () => String(await folders()) === String(wanted));
  const link = (name: string) => page.getByRole('link', { name: new RegExp(name) });
  // Toasts say "Snoozed until" as well, so the heading tells that the message is open
  const open = async (name: string) => {
    await link(name).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page
      .getByRole('article')
      .getByText(/^Snoozed until /)
      .waitFor();
  };
  const openSnoozed = async () => {
    await page.getByRole('link', { name: 'Snoozed', exact: true }).click();
    await page.getByRole('heading', { name: 'Snoozed Mail' }).waitFor();
  };
  return { ana, ctx, page, has, link, open, openSnoozed };
}

describe('a snoozed message', { timeout: 90_000 }, () => {
  it('leaves the inbox by a key, and Undo brings it back', async () => {
    const { page, has, link, openSnoozed } = await scene(['Looms to mend', 'Lunch on Friday']);
    await openSnoozed();
    await page.getByText('it waits here and comes back at the time you choose').waitFor();
    expect(await problemsInAllLooks(page, 'snoozed-empty')).toEqual({});
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await page.getByRole('checkbox', { name: 'Select Looms to mend' }).check();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await dialog.waitFor();
    expect(await problemsInAllLooks(page, 'snooze-dialog')).toEqual({});
    await dialog.getByRole('button', { name: /^Tomorrow morning/ }).click();
    await page
      .getByText(/^Snoozed until tomorrow/)
      .first()
      .waitFor();
    await has(['snoozed', 'inbox']);
    await expect.poll(() => link('Looms to mend').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await link('Looms to mend').waitFor();
    await has(['inbox', 'inbox']);
  });

  it('waits with its time in Snoozed, is read there, and gets another time', async () => {
    const { page, has, link, open, openSnoozed } = await scene(['The dye works', 'Lunch on Friday']);
    await link('The dye works').click();
    await page.getByRole('button', { name: 'Snooze', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await dialog
      .getByRole('button', { name: /^Monday morning|^Tomorrow morning/ })
      .first()
      .click();
    await has(['snoozed', 'inbox']);
    await openSnoozed();
    await link('The dye works')
      .getByText(/tomorrow|Mon/)
      .waitFor();
    expect(await problemsInAllLooks(page, 'snoozed-list')).toEqual({});
    await open('The dye works');
    expect(await problemsInAllLooks(page, 'snoozed-message')).toEqual({});
    await page.keyboard.press('s');
    await page.getByRole('link', { name: 'Starred', exact: true }).click();
    await link('The dye works')
      .getByText(/^Until (tomorrow|Mon)/)
      .waitFor();
    expect(await problemsInAllLooks(page, 'snoozed-starred')).toEqual({});
    await open('The dye works');
    await page.keyboard.press('b');
    await dialog.waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Starred' }).first().waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await open('The dye works');
    await page.keyboard.press('b');
    await dialog.getByLabel('Date and time').fill('2020-01-01T08:00');
    await dialog.getByRole('button', { name: 'Snooze', exact: true }).click();
    await dialog.getByText('Choose a time that is at least 2 minutes ahead.').waitFor();
    await dialog.getByRole('button', { name: 'Back to the inbox now' }).click();
    await has(['inbox', 'inbox']);
  });

  it('comes back unread at the top of the inbox and says so', async () => {
    const { ana, ctx, page, link } = await scene(['The dye works', 'Lunch on Friday']);
    const [entry] = await MailboxEntry.findAll({ where: { userId: ana.user.id }, order: [['id', 'ASC']] });
    const [userId, entryIds] = [String(ana.user.id), [String(entry?.id)]];
    await snooze(ctx, { userId, entryIds, until: new Date(Date.now() + 3_600_000) });
    await expect.poll(() => link('The dye works').count()).toBe(0);
    await wakeSnoozed(ctx, undefined, new Date(Date.now() + 3_700_000));
    await link('The dye works').getByText('Snoozed', { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first().innerText())
      .toContain('The dye works');
  });
});

describe('a message that was snoozed in this window', { timeout: 90_000 }, () => {
  it('waits as new mail does when it comes back under the person’s hand', async () => {
    const { ctx, page, has, link } = await scene(['Looms to mend', 'Lunch on Friday']);
    await page.getByRole('checkbox', { name: 'Select Looms to mend' }).check();
    await page.keyboard.press('b');
    const answered = page.waitForResponse((response) => response.url().endsWith('/mail/snooze'));
    await page
      .getByRole('dialog', { name: 'Snooze until' })
      .getByRole('button', { name: /^Tomorrow morning/ })
      .click();
    await has(['snoozed', 'inbox']);
    await expect.poll(() => link('Looms to mend').count()).toBe(0);
    // The row is gone from sight before the list was fetched without it. Only then is it new again
    await (await answered).finished();
    const refresh = page.getByRole('button', { name: 'Refresh', disabled: false });
    await refresh.waitFor();
    const fetched = page.waitForResponse((response) => response.url().includes('/mail/get/sent/by_user'));
    await refresh.click();
    await (await fetched).finished();
    await link('Lunch on Friday').hover();
    await wakeSnoozed(ctx, undefined, new Date(Date.now() + 3 * 86_400_000));
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    expect(await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: '1 new message' }).click();
    await link('Looms to mend').waitFor();
  });
});

describe('a reminder of a sent message', { timeout: 90_000 }, () => {
  it('is set, shown and removed where the message is read', async () => {
    const { ana, ctx, page } = await scene(['Lunch on Friday']);
    const raw = Buffer.from(`From: ${ana.user.email}\r\nTo: bob@remote.test\r\nSubject: The offer\r\n\r\nx\r\n`);
    await submitMessage(ctx, { user: ana.user, raw, door: 'web', bcc: [] });
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByRole('link', { name: /The offer/ }).click();
    const openMenu = async () => {
      await page.locator('iframe').first().waitFor();
      await page.getByRole('button', { name: 'More' }).click();
    };
    await openMenu();
    await page.getByRole('menuitem', { name: 'Remind me if nobody answers…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remind me if nobody answers by' });
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click();
    await page.getByText(/^If nobody answers, you are reminded .*\.$/).waitFor();
    expect(await problemsInAllLooks(page, 'reminder')).toEqual({});
    await openMenu();
    await page.getByRole('menuitem', { name: 'Remove the reminder' }).click();
    await expect.poll(() => page.getByText(/^If nobody answers, you are reminded .*\.$/).count()).toBe(0);
  });

  it('is chosen while a message is written, kept with it, and shown on the sent message', async () => {
    const { ana, page } = await scene(['Lunch on Friday']);
    await prepareSigning(host, ana);
    const compose = new ComposePage(page);
    await compose.open();
    await compose.write({ to: 'priya@remote.test', subject: 'The offer', text: 'Every word of it.' });
    const line = compose.window().getByText(/^If nobody answers, you are reminded .*\.$/);
    const dialog = page.getByRole('dialog', { name: 'Remind me if nobody answers by' });
    await compose.press('Schedule');
    await page.getByRole('menuitem', { name: 'Remind me if nobody answers…' }).click();
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click();
    await line.waitFor();
    expect(await problemsInAllLooks(page, 'reminder-compose')).toEqual({});
    await withLongUndo(ana.user, async () => {
      await compose.press('Send');
      await page.getByRole('button', { name: 'Undo' }).click();
    });
    // what was taken back remembers it
    await line.waitFor();
    await compose.press('Remove the reminder');
    await line.waitFor({ state: 'detached' });
    await compose.press('Schedule');
    await page.getByRole('menuitem', { name: 'Remind me if nobody answers…' }).click();
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click();
    await compose.press('Send');
    await compose.window().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByRole('link', { name: /The offer/ }).click();
    await page.getByText(/^If nobody answers, you are reminded .*\.$/).waitFor();
  });
});
