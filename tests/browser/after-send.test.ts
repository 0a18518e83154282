import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { prepareSigning } from '../support/signing.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

const inQuestion = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true });

async function write(subject: string, text: string): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  await compose.open();
  await compose.write({ to: 'priya@remote.test', subject, text });
}

describe('the time to undo', { timeout: 120_000 }, () => {
  it('is chosen in the settings, and then a message leads to what becomes of it', async () => {
    await page.goto(`${host.url}/dashboard/accountsettings`);
    const field = page.getByLabel('Time to undo');
    await field.waitFor();
    expect(await field.inputValue()).toBe('3500');
    await field.selectOption('5000');
    await page.getByText('Time to undo saved').first().waitFor();
    expect(await problemsInAllLooks(page, 'undo-length')).toEqual({});
    await until('it is saved', async () => (await User.findByPk(ana.user.id))?.undoMs === 5000);
    await write('Leaves', 'Every word of it.');
    await compose.press('Send');
    await page.getByText('Sending in 5 seconds...').waitFor();
    await page.getByRole('button', { name: 'View delivery' }).first().click();
    await page.getByRole('heading', { name: 'Leaves' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/sent\/\d+$/);
  });
});

describe('a file that is spoken of', { timeout: 120_000 }, () => {
  it('is asked about before a message leaves without it', async () => {
    await write('Terms', 'The terms are attached.');
    await compose.press('Send');
    await page.getByRole('alertdialog', { name: 'Send without files?' }).waitFor();
    await inQuestion('Go back').click();
    await compose.attach('terms.txt', 'the terms');
    await compose.press('Send');
    await page.getByText(/^Sending in/).waitFor();
  });

  it('is asked about after the missing subject, one question at a time', async () => {
    await write('', 'Anbei der Plan.');
    await compose.press('Send');
    await page.getByRole('alertdialog', { name: 'Send without a subject or text?' }).waitFor();
    await inQuestion('Send anyway').click();
    await page.getByRole('alertdialog', { name: 'Send without files?' }).waitFor();
    await inQuestion('Send anyway').click();
    await page.getByText(/^Sending in/).waitFor();
  });
});
