import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedWebHost();
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
    await expect.poll(() => field.inputValue()).toBe('3500');
    await field.selectOption('10000');
    await page.getByText('Time to undo saved').first().waitFor();
    expect(await problemsInAllLooks(page, 'undo-length')).toEqual({});
    await until('it is saved', async () => (await User.findByPk(ana.user.id))?.undoMs === 10_000);
    await write('Leaves', 'Every word of it.');
    await compose.press('Send');
    // More than before; a busy machine may show the first of them too briefly
    await page.getByText(/^Sending in (?:[5-9]|10) seconds\.\.\.$/).waitFor();
    await page.getByRole('button', { name: 'View delivery' }).first().click();
    await page.getByRole('heading', { name: 'Leaves' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/sent\/\d+$/);
  });
});

describe('a picture that is too large', { timeout: 120_000 }, () => {
  it('goes in a smaller size when the person wants that', async () => {
    await write('Picture', 'Look at this.');
    const base64 = await page.evaluate<string>(noise);
    const buffer = Buffer.from(base64, 'base64');
    expect(buffer.length).toBeGreaterThan(1_048_576);
    const input = compose.window().getByLabel('Files to attach');
    await input.setInputFiles({ name: 'loom.png', mimeType: 'image/png', buffer });
    await page.getByText(/“loom.png” is too large/).waitFor();
    expect(await problemsInAllLooks(page, 'large-picture')).toEqual({});
    await compose.press('Attach it smaller');
    await compose.window().getByText('loom.jpg').waitFor();
    await expect.poll(() => page.getByText(/is too large/).count()).toBe(0);
    await input.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.alloc(2_000_000) });
    await compose.press('Attach it smaller');
    await page.getByText('“broken.png” could not be made small enough.').waitFor();
  });
});

/** A picture that does not compress, in the page, as base64. */
const noise = `(() => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 900, height: 700 });
  const context = canvas.getContext('2d');
  const picture = context.createImageData(900, 700);
  for (let at = 0; at < picture.data.length; at += 1) picture.data[at] = at % 4 === 3 ? 255 : Math.random() * 255;
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

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
