import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { holdCalls } from '../support/hold-calls.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { untilDayLasts } from '../support/rest-of-day.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  await untilDayLasts();
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

const link = (name: string) => page.getByRole('link', { name: new RegExp(name) });
const entries = (folder: 'scheduled' | 'sent') => MailboxEntry.findAll({ where: { userId: ana.user.id, folder } });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function openList(): Promise<void> {
  await page.getByRole('link', { name: 'Scheduled', exact: true }).click();
  await page.getByRole('heading', { name: 'Scheduled Mail' }).waitFor();
}

async function openSchedule(): Promise<void> {
  await compose.press('Schedule');
}

async function write(subject: string): Promise<void> {
  await page.getByRole('link', { name: 'Inbox' }).click();
  await compose.open();
  await compose.write({ to: 'priya@remote.test', subject, text: 'Every word of it.' });
}

async function schedule(subject: string): Promise<void> {
  await write(subject);
  await openSchedule();
  await page.getByRole('menuitem', { name: /^Tomorrow morning/ }).click();
  await page
    .getByText(/^Scheduled for tomorrow/)
    .first()
    .waitFor();
}

function tomorrowAt8(): Date {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  at.setHours(8, 0, 0, 0);
  return at;
}

describe('a message for later', { timeout: 120_000 }, () => {
  it('has a list that says what it is for while it is empty', async () => {
    await openList();
    await page.getByText('A message that you send for later waits here until its time.').waitFor();
    expect(await problemsInAllLooks(page, 'scheduled-empty')).toEqual({});
  });

  it('waits in the list and not in Sent', async () => {
    await schedule('The new looms');
    const [entry] = await entries('scheduled');
    expect(entry?.undoUntil).toEqual(tomorrowAt8());
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await page.getByText('No emails found').waitFor();
    await openList();
    await link('The new looms')
      .getByText(/^tomorrow/)
      .waitFor();
    expect(await problemsInAllLooks(page, 'scheduled-list')).toEqual({});
  });

  it('is read, and gets another time', async () => {
    await link('The new looms').click();
    await page.getByText(/^This message will be sent tomorrow/).waitFor();
    await page.frameLocator('iframe').getByText('Every word of it.').waitFor();
    expect(await problemsInAllLooks(page, 'scheduled-message')).toEqual({});
    await button('Change time').click();
    const field = page.getByLabel('Date and time');
    await field.fill('2020-01-01T08:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Choose a time that is at least 2 minutes ahead.').waitFor();
    const next = new Date(tomorrowAt8().getTime() + 3 * 86_400_000);
    await field.fill(`${next.getFullYear()}-${two(next.getMonth() + 1)}-${two(next.getDate())}T09:30`);
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await until('it has the time', async () => {
      const [entry] = await entries('scheduled');
      return entry?.undoUntil?.getMinutes() === 30;
    });
    await page.getByText(/^This message will be sent \w+,? .*9:30/).waitFor();
  });

  it('is taken back into the window, which remembers the time', async () => {
    await button('Edit').click();
    await compose.text().getByText('Every word of it.').waitFor();
    await expect.poll(() => entries('scheduled')).toEqual([]);
    const send = compose.window().getByRole('button', { name: /^Send .*9:30/ });
    await send.click();
    await until('it waits again', async () => (await entries('scheduled')).length === 1);
    expect((await entries('scheduled'))[0]?.undoUntil?.getMinutes()).toBe(30);
    await page.getByRole('button', { name: 'Undo scheduling' }).click();
    await compose.text().getByText('Every word of it.').waitFor();
    await openSchedule();
    await page.getByRole('menuitem', { name: 'Send now' }).click();
    await until('it is sent', async () => (await entries('sent')).length === 1);
    await compose.window().waitFor({ state: 'detached' });
  });

  it('is taken back with its reminder', async () => {
    await write('With a reminder');
    await openSchedule();
    await page.getByRole('menuitem', { name: 'Remind me if nobody answers…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remind me if nobody answers by' });
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click();
    const line = compose.window().getByText(/^If nobody answers, you are reminded .*\.$/);
    await line.waitFor();
    const chosen = await line.innerText();
    await openSchedule();
    await page.getByRole('menuitem', { name: /^Tomorrow morning/ }).click();
    await page
      .getByText(/^Scheduled for tomorrow/)
      .first()
      .waitFor();
    await openList();
    await link('With a reminder').click();
    await button('Edit').click();
    await compose.text().getByText('Every word of it.').waitFor();
    expect(await line.innerText()).toBe(chosen);
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await compose.window().waitFor({ state: 'detached' });
  });

  it('is no longer scheduled when its window closes after Edit, which is said, and has its time in Drafts', async () => {
    await schedule('Closed again');
    await openList();
    await link('Closed again').click();
    await button('Edit').click();
    await compose.text().getByText('Every word of it.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts. It is no longer scheduled.').first().waitFor();
    expect(await entries('scheduled')).toEqual([]);
    await page.reload();
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('button', { name: /Closed again/ }).click();
    await compose
      .window()
      .getByRole('button', { name: /^Send tomorrow/ })
      .click();
    await until('it waits again', async () => (await entries('scheduled')).length === 1);
    expect((await entries('scheduled'))[0]?.undoUntil).toEqual(tomorrowAt8());
    await page.getByRole('button', { name: 'Undo scheduling' }).click();
    await compose.text().getByText('Every word of it.').waitFor();
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await compose.window().waitFor({ state: 'detached' });
  });

  it('is cancelled, and is a draft then', async () => {
    await schedule('Cancelled');
    await openList();
    await link('Cancelled').click();
    await button('Cancel sending').click();
    await page.getByText('No emails found').waitFor();
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('button', { name: /Cancelled/ }).waitFor();
  });

  it('leaves its person on the page they have gone to while it is cancelled', async () => {
    const calls = await holdCalls(page, '**/mail/undo_send/*');
    await schedule('Cancelled late');
    await openList();
    await link('Cancelled late').click();
    await button('Cancel sending').click();
    await calls.asked;
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox Mail' }).waitFor();
    // All lists are loaded again before the message's page counts as done
    const isListed = page.waitForResponse('**/mail/get/sent/by_user*');
    await calls.letGo();
    await isListed;
    await page.getByText('Saved in Drafts.').last().waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/inbox');
  });

  it('is sent sooner', async () => {
    await schedule('Sooner');
    await openList();
    await link('Sooner').click();
    await button('Send now').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Message sent').first().waitFor();
    const where = { state: 'relayed', companyId: String(ana.company.id) };
    await until('it has left', async () => (await Delivery.count({ where })) >= 2);
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await link('Sooner').waitFor();
  });
});

const two = (number: number): string => String(number).padStart(2, '0');
