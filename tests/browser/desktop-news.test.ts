import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app);
  const browser = await openBrowser();
  await browser.grantPermissions(['notifications'], { origin: host.url });
  page = await browser.newPage();
  // A headless browser has no desktop: what the page asks it for is written down
  await page.addInitScript(`
    window.shown = [];
    window.badges = [];
    const Real = window.Notification;
    window.Notification = class extends Real {
      constructor(title, options) {
        super(title, options);
        // Hosts of other tests announce their mail by the same Redis
        if (!options.body.includes('Foreign Sender')) return;
        window.shown.push(options.body);
        window.last = this;
      }
    };
    navigator.setAppBadge = async (count) => void window.badges.push(count);
  `);
  await signIn(page, host, ana);
});

async function receive(subject: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = 'foreign@remote.test';
  const message = plainMessage({ from, to: ana.user.email, subject });
  expect(await peer.deliver(from, ana.user.email, message)).toMatch(/^250/);
  peer.close();
}

/** Resolves when a page hears of new mail: the host has taken its connection (Socket.IO's `40`). */
async function connected(): Promise<void> {
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40'));
}

const toast = () => page.getByText('You got new mail from Foreign Sender').first();
const shown = () => page.evaluate<string[]>('window.shown');
const leave = (isAway: boolean) =>
  page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${isAway ? 'hidden' : 'visible'}' })`,
  );

describe('new mail', { timeout: 90_000 }, () => {
  it('is counted in the title of the tab and on the icon of the app', async () => {
    await page.getByText('No emails found').waitFor();
    await expect.poll(() => page.title()).toBe('Inbox · Selvage');
    await receive('First');
    await expect.poll(() => page.title()).toBe('(1) Inbox · Selvage');
    await until('the badge says so', async () => (await page.evaluate<number[]>('window.badges')).at(-1) === 1);
    await page.getByRole('list', { name: 'Messages' }).getByText('First', { exact: true }).click();
    await expect.poll(() => page.title()).toBe('First · Selvage');
    await until('the badge is gone', async () => (await page.evaluate<number[]>('window.badges')).at(-1) === 0);
  });

  it('is said by the desktop only where the person has chosen it and looks elsewhere', async () => {
    await leave(true);
    await receive('Not chosen');
    await toast().waitFor();
    await expect.poll(() => shown()).toEqual([]);
    await leave(false);
    await page.getByRole('button', { name: 'Account settings' }).click();
    await page.getByRole('switch', { name: 'Show new mail on the desktop' }).click();
    await page.getByRole('switch', { name: 'Show new mail on the desktop', checked: true }).waitFor();
    expect(await problemsInAllLooks(page, 'desktop-news')).toEqual({});
    await leave(true);
    await receive('Chosen');
    await until('the desktop says so', async () => (await shown()).length === 1);
    await expect.poll(() => shown()).toEqual(['You got new mail from Foreign Sender']);
    await page.evaluate('window.last.onclick()');
    await page.getByRole('heading', { level: 1, name: 'Chosen' }).waitFor();
  });

  it('is said no more once the person has turned it off, also after a reload', async () => {
    await page.getByRole('button', { name: 'Account settings' }).click();
    await page.getByRole('switch', { name: 'Show new mail on the desktop', checked: true }).click();
    const live = connected();
    await page.reload();
    await live;
    await page.getByRole('switch', { name: 'Show new mail on the desktop', checked: false }).waitFor();
    await leave(true);
    await receive('Turned off');
    await toast().waitFor();
    await expect.poll(() => shown()).toEqual([]);
  });
});

describe('the app', () => {
  it('can be installed', async () => {
    const href = await page.locator('link[rel=manifest]').getAttribute('href');
    const answer = await page.request.get(`${host.url}${href}`);
    expect(answer.headers()['content-type']).toContain('application/manifest+json');
    const { icons, start_url: start } = (await answer.json()) as { icons: { src: string }[]; start_url: string };
    expect(start).toBe('/dashboard/inbox');
    for (const { src } of icons) {
      const icon = await page.request.get(`${host.url}${src}`);
      expect([src, icon.status(), icon.headers()['content-type']?.startsWith('image/')]).toEqual([src, 200, true]);
    }
  });
});
