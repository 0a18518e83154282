import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, openTab, signIn, untilLoaded } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app, { user: { undoMs: 10_000 } });
  await prepareSigning(host, ana);
  browser = await openBrowser();
  page = await browser.newPage();
  await Promise.all([untilJoined(page), signIn(page, host, ana)]);
});

/** Waits until the page has joined the room of its person. */
async function untilJoined(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket', (opened) => opened.url().includes('/socket.io/'));
  await socket.waitForEvent('framesent', ({ payload }) => String(payload).includes('join_user'));
}

async function receive(message: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver('foreign@remote.test', ana.user.email, message);
  peer.close();
  expect(reply).toMatch(/^250/);
}

describe('a mailbox that is open in two browsers', () => {
  it('shows at once in one what is done in the other', async () => {
    const other = await openTab(host, ana);
    const subject = 'Seen by two';
    await receive(plainMessage({ from: 'foreign@remote.test', to: ana.user.email, subject }));
    const rows = [page, other].map((one) => one.getByRole('listitem').filter({ hasText: subject }));
    for (const row of rows) await row.waitFor();
    await other.getByRole('checkbox', { name: new RegExp(subject) }).check();
    await other.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
    // a page that is not told asks every 30 seconds at most
    await rows[0]?.waitFor({ state: 'detached', timeout: 20_000 });
    await other.context().close();
  });
});

describe('mail in the browser', () => {
  it('announces a message that arrives, shows it, and sends the answer', async () => {
    await page.getByText('No emails found').waitFor();
    const news = page.getByText('You got new mail from Foreign Sender', { exact: true });
    // That of the message before
    await expect.poll(() => news.count()).toBe(0);
    const subject = 'Is anybody there?';
    await receive(plainMessage({ from: 'foreign@remote.test', to: ana.user.email, subject }));
    await news.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('list', { name: 'Messages' }).getByText(subject).click();
    await page.waitForURL('**/dashboard/inbox/*');
    await page.getByRole('heading', { name: subject }).waitFor();
    await page.frameLocator('iframe').getByText('Hello from afar.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    const editor = page.getByLabel('Message text');
    await editor.waitFor();
    await editor.click();
    await page.keyboard.type('Yes, we are.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(/Sending in \d+ seconds/).waitFor();
    const answer = await until('the answer leaves', () =>
      host.remote.received.find((message) => message.raw.includes(`Subject: Re: ${subject}`)),
    );
    expect(answer.raw.toString('latin1')).toContain('Yes, we are.');
    expect(answer.to).toEqual(['foreign@remote.test']);
  });

  it('lets hostile mail run nothing, and load nothing until the reader asks for its pictures', async () => {
    const asked: string[] = [];
    browser.on('request', (request) => {
      if (request.url().includes('canary.test')) asked.push(request.url());
    });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const body = [
      '<p>hostile text</p><script>alert(1)</script><img src="http://canary.test/a.png"><img src=x onerror="alert(2)">',
      '<svg><image href="http://canary.test/b.svg"></image><animate onbegin="alert(3)"></animate></svg>',
      '<div style="background:url(http://canary.test/c.png);--x:url(http://canary.test/d)">x</div>',
      '<link rel="stylesheet" href="http://canary.test/e.css"><style>@import "http://canary.test/f.css";</style>',
      '<video poster="http://canary.test/g"></video><iframe src="http://canary.test/h"></iframe>',
      '<form action="http://canary.test/i"><button>go</button></form><base href="http://canary.test/">',
      '<body background="http://canary.test/j"><a href="javascript:alert(4)">click</a>',
    ].join('\r\n');
    const headers = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8';
    const subject = '<img src=http://canary.test/s onerror=alert(5)> hostile';
    await receive(plainMessage({ from: 'foreign@remote.test', to: ana.user.email, subject, body, headers }));
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('list', { name: 'Messages' }).getByText('hostile').first().click();
    await page.frameLocator('iframe').getByText('hostile text').waitFor();
    await untilLoaded(page);
    expect(asked).toEqual([]);
    expect(dialogs).toEqual([]);
    const sandbox = (await page.locator('iframe').first().getAttribute('sandbox')) ?? 'none';
    expect(sandbox).toBe('allow-scripts allow-popups allow-popups-to-escape-sandbox');
    await page.getByRole('button', { name: 'Show pictures' }).click();
    // By this host, which names the picture's address
    await until('the picture is asked for', () => asked.some((url) => url.endsWith('%2Fa.png')));
    expect(asked.filter((url) => !url.startsWith(`${host.url}/upload/remote/`))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('keeps the focus in the text when a person goes there as soon as it is shown', async () => {
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('button', { name: 'Compose' }).first().waitFor();
    // Quicker than any click of Playwright: at the first moment
    await page.evaluate(`(function goThere() {
      const text = document.querySelector('[aria-label="Message text"]');
      if (text) text.focus();
      else setTimeout(goThere, 1);
    })()`);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    const editor = page.getByLabel('Message text');
    await editor.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Own words.', { delay: 30 });
    expect((await editor.innerText()).trim()).toBe('Own words.');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await editor.waitFor({ state: 'detached' });
  });

  it('works on a small dark screen', async () => {
    const small = await openBrowser({ width: 390, height: 844, dark: true });
    const phone = await small.newPage();
    await signIn(phone, host, ana);
    await phone.getByRole('list', { name: 'Messages' }).waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
