import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { attribute, fileOf, tnefOf } from '../support/tnef.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  page = await (await openBrowser()).newPage();
  await signIn(page, host, ana);
  await receive('With files', files);
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText('With files', { exact: true }).click();
});

const part = (type: string, name: string, content: string, encoding = '7bit') => [
  '--cut',
  `Content-Type: ${type}`,
  `Content-Disposition: attachment; filename="${name}"`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
  content,
];

const files = [
  '--cut',
  'Content-Type: text/plain',
  '',
  'See the files.',
  ...part('image/png', 'pattern.png', png, 'base64'),
  ...part('image/png', 'no-picture.png', '<svg onload="document.title=1"></svg>'),
  ...part('text/plain', 'notes.txt', '<script>document.title = 1</script> knit two'),
  ...part('text/html', 'page.html', '<script>document.title = 1</script>'),
  ...part('application/pdf', 'a very long name of a catalogue of all our yarns in 2026.pdf', '%PDF-1.4'),
];

async function receive(subject: string, parts: string[]): Promise<void> {
  const body = [...parts, '--cut--'].join('\r\n');
  const headers = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=cut';
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = 'foreign@remote.test';
  const message = plainMessage({ from, to: ana.user.email, subject, body, headers });
  expect(await peer.deliver(from, ana.user.email, message)).toMatch(/^250/);
  peer.close();
}

const dialog = () => page.getByRole('dialog');
async function close(): Promise<void> {
  await dialog().getByRole('button', { name: 'Close' }).click();
  await dialog().waitFor({ state: 'detached' });
}

describe('the files of a message', () => {
  it('are shown where that is safe, and are saved else', async () => {
    await page.getByRole('button', { name: /^Show pattern\.png, / }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Show .*html/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: /^Download (?!all$)/ }).count()).toBe(5);
    expect(await problemsInAllLooks(page, 'files')).toEqual({});
  });

  it('are pictures that can be looked at and saved', async () => {
    await page.getByRole('button', { name: /^Show pattern\.png, / }).click();
    await dialog().getByRole('img', { name: 'pattern.png' }).waitFor();
    await until('the picture is there', () =>
      page.evaluate('document.querySelector("[role=dialog] img").naturalWidth === 1'),
    );
    expect(await problemsInAllLooks(page, 'file-picture')).toEqual({});
    const saved = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save' }).click();
    expect((await saved).suggestedFilename()).toBe('pattern.png');
    await close();
  });

  it('are saved together as one archive', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all' }).click();
    const archive = await saved;
    expect(archive.suggestedFilename()).toBe('With files.zip');
    const files = unzip(await readFile(await archive.path()));
    expect(Object.keys(files)).toEqual([
      'pattern.png',
      'no-picture.png',
      'notes.txt',
      'page.html',
      'a very long name of a catalogue of all our yarns in 2026.pdf',
    ]);
    expect(files['pattern.png']?.toString('base64')).toBe(png);
  });

  it('stand in the source, which says how the message came', async () => {
    await page.getByRole('button', { name: 'More' }).last().click();
    await page.getByRole('menuitem', { name: 'View source' }).click();
    await dialog()
      .getByText(/^peer\.remote\.test handed it to /)
      .waitFor();
    await dialog()
      .getByText(/^Subject: With files$/m)
      .waitFor();
    expect(await problemsInAllLooks(page, 'source')).toEqual({});
    const saved = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save the whole message' }).click();
    expect((await saved).suggestedFilename()).toBe('With files.eml');
    await close();
  });

  it('come out of what Outlook packed them into', async () => {
    const text = attribute(1, 0x0002800c, Buffer.from('The bill is with this.\0'));
    const stream = tnefOf([text, ...fileOf('bill.txt', Buffer.from('12 skeins'))]);
    await receive('From Outlook', part('application/ms-tnef', 'winmail.dat', stream.toString('base64'), 'base64'));
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('list', { name: 'Messages' }).getByText('From Outlook', { exact: true }).click();
    await page.getByRole('button', { name: /^Show bill\.txt, / }).waitFor();
    await expect.poll(() => page.getByText('winmail.dat').count()).toBe(0);
    await page.frameLocator('iframe').getByText('The bill is with this.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download bill\.txt, / }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toBe('12 skeins');
    await page.goBack();
    await page.getByRole('list', { name: 'Messages' }).getByText('With files', { exact: true }).click();
  });

  it('are read in the charset that their sender names', async () => {
    const text = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]).toString('base64');
    const type = 'text/plain; charset=Shift_JIS';
    await receive('From Kyoto', part(type, 'memo.txt', text, 'base64'));
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('list', { name: 'Messages' }).getByText('From Kyoto', { exact: true }).click();
    await page.getByRole('button', { name: /^Show memo\.txt, / }).click();
    await dialog().getByText('日本語', { exact: true }).waitFor();
    await close();
    await page.goBack();
    await page.getByRole('list', { name: 'Messages' }).getByText('With files', { exact: true }).click();
  });

  it('run nothing, whatever they are called', async () => {
    await page.getByRole('button', { name: /^Show no-picture\.png, / }).click();
    await dialog()
      .getByText(/^This file is not a picture/)
      .waitFor();
    await close();
    await page.getByRole('button', { name: /^Show notes\.txt, / }).click();
    await dialog().getByText('<script>document.title = 1</script> knit two').waitFor();
    await close();
    await expect.poll(() => page.title()).toBe('With files · Selvage');
  });
});
