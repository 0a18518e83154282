import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { buildLockedPdf, buildPdf } from '../support/pdf.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;
const fetched: string[] = [];
const refused: string[] = [];

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  page = await (await openBrowser()).newPage();
  page.on('response', (response) => fetched.push(`${response.status()} ${response.url()}`));
  page.on('console', (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
  await signIn(page, host, ana);
  await receive();
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText('With a catalogue', { exact: true }).click();
});

const part = (name: string, content: Buffer, type = 'application/pdf') => [
  '--cut',
  `Content-Type: ${type}`,
  `Content-Disposition: attachment; filename="${name}"`,
  'Content-Transfer-Encoding: base64',
  '',
  content.toString('base64').replace(/.{76}/g, '$&\r\n'),
];

async function receive(): Promise<void> {
  const body = [
    '--cut',
    'Content-Type: text/plain',
    '',
    'See the catalogue.',
    ...part('catalogue.pdf', buildPdf(40), 'application/octet-stream'),
    ...part('locked.pdf', buildLockedPdf()),
    ...part('broken.pdf', Buffer.from('<script>document.title = 1</script>')),
    '--cut--',
  ].join('\r\n');
  const headers = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=cut';
  await deliver({ subject: 'With a catalogue', body, headers });
}

async function deliver(parts: { subject: string; body: string; headers?: string }): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = 'foreign@remote.test';
  const message = plainMessage({ from, to: ana.user.email, ...parts });
  expect(await peer.deliver(from, ana.user.email, message)).toMatch(/^250/);
  peer.close();
}

const dialog = () => page.getByRole('dialog');
const drawnPages = () => page.locator('[role=dialog] [data-drawn=true]');

async function close(): Promise<void> {
  await dialog().getByRole('button', { name: 'Close' }).click();
  await dialog().waitFor({ state: 'detached' });
}

/** The brightness of a point of a page, from 0 to 255; `x` and `y` from 0 to 1. */
const brightness = (number: number, x: number, y: number): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('[aria-label="Page ${number} of 40"] canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(canvas.width * ${x}, canvas.height * ${y}, 1, 1).data[0];
  })()`);

describe('a PDF', () => {
  it('is drawn page by page, as far as it is scrolled', async () => {
    await page.getByRole('button', { name: /^Show catalogue\.pdf, / }).click();
    await page.locator('[aria-label="Page 1 of 40"][data-drawn=true]').waitFor();
    expect(await brightness(1, 0.5, 7 / 12)).toBeLessThan(20);
    expect(await brightness(1, 0.9, 0.9)).toBe(255);
    await expect.poll(() => drawnPages().count()).toBeLessThan(6);
    expect(await problemsInAllLooks(page, 'file-pdf')).toEqual({});
    await page.getByRole('img', { name: 'Page 30 of 40' }).scrollIntoViewIfNeeded();
    await page.locator('[aria-label="Page 30 of 40"][data-drawn=true]').waitFor();
    await until('the first pages are let go', async () => (await drawnPages().count()) < 6);
  });

  it('stays as it is while mail comes in', async () => {
    const files = () => fetched.filter((line) => /\/attachments?\//.test(line));
    expect(files()).toHaveLength(1);
    await deliver({ subject: 'Meanwhile', body: 'Something else.' });
    await until('the page knows of it', async () => (await page.title()).startsWith('(1) '));
    await page.locator('[aria-label="Page 30 of 40"][data-drawn=true]').waitFor();
    expect(files()).toHaveLength(1);
  });

  it('has its text where it is drawn, to be selected and searched', async () => {
    const text = page.getByRole('group', { name: 'Page 30 of 40' }).getByText('Spring yarns', { exact: true });
    const [box, paper] = [await text.boundingBox(), await page.getByLabel('Page 30 of 40').boundingBox()];
    if (box === null || paper === null) throw new Error('the page has gone');
    // The line begins at 50 of 400 from the left and 500 of 600 from below, and is 24 high
    const scale = paper.width / 400;
    expect(Math.abs(box.x - paper.x - 50 * scale)).toBeLessThan(4);
    expect(box.y - paper.y).toBeGreaterThan(70 * scale);
    expect(box.y + box.height - paper.y).toBeLessThan(112 * scale);
    await text.dblclick({ position: { x: 4, y: box.height / 2 } });
    expect(await page.evaluate('getSelection().toString()')).toMatch(/^Spring ?$/);
    // and it stays there when the window becomes narrow
    await page.setViewportSize({ width: 700, height: 800 });
    const narrow = async () => (await text.boundingBox())?.width ?? 0;
    await until('the text follows', async () => (await narrow()) < box.width * 0.95);
    await page.setViewportSize({ width: 1280, height: 800 });
    await until('and comes back', async () => Math.abs((await narrow()) - box.width) < 2);
  });

  it('needs nothing from elsewhere, and no policy refuses what it needs', async () => {
    const own = fetched.filter((line) => /\/pdf-[\d.]+\//.test(line));
    expect([...new Set(own.map((line) => line.replace(/^(\d+) .*\//, '$1 ')))].toSorted()).toEqual([
      '200 LiberationSans-Regular.ttf',
      '200 jbig2_nowasm_fallback.js',
    ]);
    expect(fetched.filter((line) => !line.includes(host.url) && !/^\d+ (data|blob):/.test(line))).toEqual([]);
    expect(refused).toEqual([]);
    await expect.poll(() => page.title()).toBe('(1) With a catalogue · Selvage');
    await close();
  });

  it('that is locked or damaged says so, and can be saved', async () => {
    await page.getByRole('button', { name: /^Show locked\.pdf, / }).click();
    await dialog()
      .getByText(/^This file is locked with a password/)
      .waitFor();
    await close();
    await page.getByRole('button', { name: /^Show broken\.pdf, / }).click();
    await dialog()
      .getByText(/^This file is damaged or is not a PDF/)
      .waitFor();
    const saved = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Save' }).click();
    expect((await saved).suggestedFilename()).toBe('broken.pdf');
    await close();
  });
});
