import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const asked: IncomingMessage[] = [];
const sender = createServer((request, response) => {
  asked.push(request);
  response.writeHead(200, { 'content-type': 'image/png' }).end(png);
});
let host: TestHost;
let ana: Mailbox;
let page: Page;
let origin: string;
const outside: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => sender.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(sender.address() as AddressInfo).port}`;
  host = await startTestHost({ REMOTE_CONTENT_ALLOW_PRIVATE: 'true' });
  host.dns.addRecords('news.test', { TXT: ['v=spf1 ip4:127.0.0.1 -all'], MX: [] });
  host.dns.addRecords('_dmarc.news.test', { TXT: ['v=DMARC1; p=none'] });
  ana = await buildMailbox(host.app);
  const browser = await openBrowser();
  browser.on('request', (request) => {
    if (!request.url().startsWith(host.url) && !/^(?:data|blob|about):/.test(request.url()))
      outside.push(request.url());
  });
  page = await browser.newPage();
  await signIn(page, host, ana);
});
afterAll(() => sender.close());

async function open(subject: string, from: string): Promise<void> {
  const body = `<p>Dear reader</p><img src="${origin}/${encodeURIComponent(subject)}.png" width="120" height="60" alt="yarn">`;
  const headers = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8';
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from, to: ana.user.email, subject, body, headers });
  expect(await peer.deliver(from, ana.user.email, message)).toMatch(/^250/);
  peer.close();
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByRole('list', { name: 'Messages' }).getByText(subject, { exact: true }).first().click();
  await page.frameLocator('article iframe').getByText('Dear reader').waitFor();
}

/** Waits until the picture is there. */
const picture = () =>
  until('the picture is shown', async () => {
    const frame = page.frames().find((one) => one.parentFrame() !== null);
    return await frame?.evaluate<boolean>('document.images[0]?.naturalWidth === 1').catch(() => false);
  });

describe('trust in a sender', () => {
  it('is a red sentence where the check failed, a tick where it passed, and a word for a new one', async () => {
    host.dns.addRecords('bank.test', { TXT: ['v=spf1 -all'], MX: [] });
    host.dns.addRecords('_dmarc.bank.test', { TXT: ['v=DMARC1; p=none'] });
    await open('Your account', 'support@bank.test');
    await page
      .getByRole('alert')
      .getByText(/real mail of bank\.test has failed/)
      .waitFor();
    expect(await problemsInAllLooks(page, 'trust-failed')).toEqual({});
    await open('Good day', 'writer@news.test');
    await page.getByText('Really from news.test').waitFor();
    await page.getByText('You have not had mail from this address before.').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'trust-new')).toEqual({});
    await open('Good day again', 'writer@news.test');
    await page.getByText('Really from news.test').waitFor();
    await expect.poll(() => page.getByText('You have not had mail').count()).toBe(0);
  });
});

describe('pictures from elsewhere', () => {
  it('are shown when the reader asks, and their sender hears only of this host', async () => {
    await open('Shown once', 'foreign@remote.test');
    await expect.poll(() => page.getByRole('button', { name: /^Always show/ }).count()).toBe(0);
    expect(await problemsInAllLooks(page, 'pictures-held')).toEqual({});
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Show pictures', exact: true }).click();
    await picture();
    expect(asked).toHaveLength(1);
    const { headers } = asked[0] as IncomingMessage;
    expect([headers.cookie, headers.referer, headers.origin, headers['accept-language']]).toEqual(
      Array(4).fill(undefined),
    );
    expect(headers['user-agent']).not.toContain('Chrome');
    expect(outside).toEqual([]);
  });

  it('are always shown for a proved sender by choice, until the choice is taken back', async () => {
    await open('Proved', 'letter@news.test');
    await page.getByRole('button', { name: 'Always show pictures of letter@news.test' }).click();
    await picture();
    await open('Proved again', 'letter@news.test');
    await picture();
    await expect.poll(() => page.getByRole('button', { name: 'Show pictures', exact: true }).count()).toBe(0);
    await page.goto(`${host.url}/dashboard/accountsettings`);
    await page.getByText('letter@news.test').waitFor();
    await page.getByRole('heading', { name: 'Pictures in mail' }).scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'picture-senders')).toEqual({});
    await page.getByRole('button', { name: 'No longer always show pictures of letter@news.test' }).click();
    await page.getByText(/^You are asked each time/).waitFor();
    await open('Asked about again', 'letter@news.test');
    await page.getByRole('button', { name: 'Show pictures', exact: true }).waitFor();
    expect(outside).toEqual([]);
  });
});
