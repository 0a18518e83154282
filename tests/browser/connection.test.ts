import { webVersionHeader } from '@selvage/core/contracts/web-version';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await startTestHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  page = await (await openBrowser()).newPage();
});

async function receive(subject: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from: 'foreign@remote.test', to: ana.user.email, subject });
  expect(await peer.deliver('foreign@remote.test', ana.user.email, message)).toMatch(/^250/);
  peer.close();
}

const away = () => page.getByText('The server cannot be reached.');

describe('a server that goes away', () => {
  it('is told of in one line, and what was missed is shown when it is back', async () => {
    await signIn(page, host, ana);
    await page.getByText('No emails found').waitFor();
    await host.end('api', 'SIGTERM');
    // the next look at the server
    await page.getByRole('link', { name: 'Sent' }).first().click();
    await away().waitFor();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => away().count()).toBe(1);
    await receive('while you were away');
    await host.start('api');
    await page.getByRole('list', { name: 'Messages' }).getByText('while you were away').waitFor();
    await away().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/dashboard/inbox');
  });
});

describe('signing out', () => {
  it('leaves no attempt to connect behind', async () => {
    await page.clock.install();
    let attempts = 0;
    await page.routeWebSocket(/\/socket\.io\//, (socket) => {
      attempts += 1;
      void socket.close();
    });
    await signIn(page, host, ana);
    await until('a connection is refused', () => attempts > 0);
    await page.clock.runFor(60_000);
    await until('it is tried again while the person is there', () => attempts > 1);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.waitForURL('**/auth/sign-in');
    await page.getByAltText('Letters to copy into the field below').waitFor();
    const asked: string[] = [];
    attempts = 0;
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.runFor(240_000);
    expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
    expect(attempts).toBe(0);
  });
});

describe('a newer version on the server', () => {
  it('is announced once, for as long as this one runs, and comes with a reload', async () => {
    await signIn(page, host, ana);
    await page.getByText('No emails found').waitFor();
    await page.route('**/api/v1/mail/**', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), [webVersionHeader]: 'index-newer000' } });
    });
    const news = page.getByText('A new version of Selvage is ready.');
    await page.getByRole('link', { name: 'Sent' }).first().click();
    await news.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    const answered = page.waitForResponse((response) => response.url().includes('/mail/get/sent/by_user'));
    await page.getByRole('link', { name: 'Archive' }).first().click();
    await answered;
    await expect.poll(() => news.count()).toBe(1);
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload' }).click();
    await loaded;
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => news.count()).toBe(0);
  });
});
