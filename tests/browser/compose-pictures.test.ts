import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { readSource } from '@selvage/core/mailstore/message-source';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { drop, type GivenFile, noisyPicture, paste } from '../support/clipboard.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let bo: Mailbox;
let page: Page;
let compose: ComposePage;
let screenshot: GivenFile;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  bo = await buildMailbox(host.app, { tenant: ana, user: { fname: 'Bo' } });
  page = await openTab(host, ana);
  compose = new ComposePage(page);
  screenshot = await noisyPicture(page, 'image.png', 60);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
  await compose.open();
});

const pictures = () => compose.text().locator('img');
const files = () => compose.window().getByRole('list', { name: 'Attachments' }).getByRole('listitem');

/** Copies a picture as a browser or a program for screenshots does, and pastes it. */
async function pasteScreenshot(): Promise<void> {
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${screenshot.base64}'), (letter) => letter.charCodeAt(0));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
  })()`);
  await compose.text().click();
  await page.keyboard.press('ControlOrMeta+V');
}

/**
 * The source of the message that was sent, as soon as its receiver has it. Another one that was
 * taken back may have the same subject for as long as it is being removed.
 */
async function received(subject: string): Promise<string> {
  const message = await until('the message is there', async () => {
    const entries = await MailboxEntry.findAll({ where: { userId: String(bo.user.id), receivedStatus: true } });
    return await Message.findOne({ where: { id: entries.map(({ messageId }) => messageId), subject } });
  });
  return (await readSource(host.app, message)).toString();
}

async function discard(): Promise<void> {
  await compose.press('Discard');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

describe('a picture in the text', () => {
  it('is pasted, goes out as a part of the message, and is in its draft and in what Undo brings back', async () => {
    await compose.write({ to: bo.user.email, subject: 'With a screenshot', text: 'Look here: ' });
    await pasteScreenshot();
    await expect.poll(() => pictures().count()).toBe(1);
    // what is typed next stands after it and does not replace it
    await page.keyboard.type('and here');
    await compose.text().getByText('and here').waitFor();
    await expect.poll(() => pictures().count()).toBe(1);
    expect(await problemsInAllLooks(page, 'compose-picture')).toEqual({});
    await compose.press('Close');
    const where = { userId: String(ana.user.id) };
    await until('it is a draft', async () => ((await Draft.findOne({ where }))?.body ?? '').includes('data:image/png'));
    await page.goto(`${host.url}/dashboard/draft`);
    await page.getByText('With a screenshot').first().click();
    await expect.poll(() => pictures().count()).toBe(1);

    await ana.user.update({ undoMs: 30_000 });
    await compose.press('Send');
    await page.getByRole('button', { name: 'Undo sending' }).click();
    await expect.poll(() => pictures().count()).toBe(1);
    await ana.user.update({ undoMs: 10_000 });
    await compose.press('Send');
    await page.getByText(/^Sending in/).waitFor();
    const source = await received('With a screenshot');
    expect(source).toContain('multipart/related');
    expect(source).toMatch(/Content-Disposition: inline/i);
    expect(source).toMatch(/<img[^>]*cid:/);
  });

  it('is quoted by the answer', async () => {
    await ana.user.update({ undoMs: 0 });
    await compose.write({ to: ana.user.email, subject: 'To myself', text: 'Look: ' });
    await pasteScreenshot();
    await expect.poll(() => pictures().count()).toBe(1);
    await compose.press('Send');
    await until('it came', () =>
      MailboxEntry.findOne({ where: { userId: String(ana.user.id), receivedStatus: true } }),
    );
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByText('To myself').first().click();
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
    const quoted = compose.text().locator('blockquote img');
    await expect.poll(() => quoted.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(60);
    await discard();
  });

  it('is made smaller when it is large', async () => {
    await paste(compose.text(), { files: [await noisyPicture(page, 'photo.png', 900)] });
    await expect.poll(() => pictures().count()).toBe(1);
    const source = (await pictures().first().getAttribute('src')) ?? '';
    expect(source.slice(0, 22)).toBe('data:image/jpeg;base64');
    expect(source.length).toBeLessThan(1_400_000);
    // as wide as the text, also for its receiver
    expect(await pictures().first().getAttribute('style')).toMatch(/max-width: \d+px/);
    await discard();
  });

  it('is dropped where it is to stand, and attached where it is dropped beside the text', async () => {
    await compose.type('above');
    await drop(compose.text(), [screenshot, { name: 'list.txt', type: 'text/plain', base64: btoa('1') }]);
    await expect.poll(() => pictures().count()).toBe(1);
    await expect.poll(() => files().allInnerTexts()).toEqual([expect.stringContaining('list.txt')]);
    await drop(compose.field('Subject'), [screenshot]);
    await expect.poll(() => files().count()).toBe(2);
    expect(await pictures().count()).toBe(1);
    await discard();
  });

  it('is chosen by the button of the tools, and attached by the clip', async () => {
    const file = { name: 'mill.png', mimeType: 'image/png', buffer: Buffer.from(screenshot.base64, 'base64') };
    await compose.window().getByLabel('Picture to insert').setInputFiles(file);
    await expect.poll(() => pictures().first().getAttribute('alt')).toBe('mill.png');
    await compose.window().getByLabel('Files to attach').setInputFiles(file);
    await expect.poll(() => files().count()).toBe(1);
    expect(await pictures().count()).toBe(1);
    await discard();
  });

  it('is attached, with a word about it, where it can’t stand in the text or has no room', async () => {
    const drawing = {
      name: 'drawing.svg',
      type: 'image/svg+xml',
      base64: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    };
    await paste(compose.text(), { files: [drawing] });
    await compose.window().getByText('“drawing.svg” was attached: it can’t be shown in the text.').waitFor();
    await compose.window().getByRole('button', { name: 'Remove drawing.svg' }).click();
    const large = await noisyPicture(page, 'large.jpg', 800, 'image/jpeg');
    for (let count = 1; count < 12; count += 1) await paste(compose.text(), { files: [large] });
    await compose.window().getByText('“large.jpg” was attached: the text holds as many pictures as it can.').waitFor();
    expect(await pictures().count()).toBeGreaterThan(3);
    await discard();
  });

  it('is refused with the limit when it is too large for everything', async () => {
    const film = { name: 'film.gif', type: 'image/gif', base64: Buffer.alloc(1_100_000).toString('base64') };
    await paste(compose.text(), { files: [film] });
    await compose.window().getByText('“film.gif” is too large: a picture may have at most 1 MB.').waitFor();
    await discard();
  });

  it('is what a browser copies with the address of a picture', async () => {
    await paste(compose.text(), {
      html: '<meta charset="utf-8"><img src="https://x.test/a.png">',
      files: [screenshot],
    });
    await expect.poll(() => pictures().first().getAttribute('src')).toMatch(/^data:image\/png/);
    await discard();
  });
});
