import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../admin-api/src/create-app.ts';
import { webmailDist } from '../../ops/bench/page-weights.ts';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let webRoot: string;
let server: Server;
let context: BrowserContext;
let page: Page;

/** The same host behind another door, whose web app the test can replace. */
async function startDoor(): Promise<string> {
  webRoot = await mkdtemp(join(tmpdir(), 'selvage-web-'));
  await cp(webmailDist, webRoot, { recursive: true });
  const handle = createApp(host.app, { webRoot }).callback();
  server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let url: string;

beforeAll(async () => {
  host = await sharedWebHost();
  ana = await buildMailbox(host.app);
  await receive(systemContext(host.app), [ana], { subject: 'A secret of wool' });
  url = await startDoor();
  context = await openBrowser({ keepsShell: true });
  page = await context.newPage();
  await signIn(page, { ...host, url }, ana);
  await page.getByRole('link', { name: /A secret of wool/ }).waitFor();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(webRoot, { recursive: true, force: true });
});

const isKept = () =>
  until('the app is kept', () =>
    page.evaluate<boolean>('navigator.serviceWorker.controller !== null').then((is) => is || null),
  );

const toldOffline = () => page.getByText('You are offline.');
const toldAway = () => page.getByText('The server cannot be reached.');

/**
 * Opens the app with the network taken away. Chromium before 156 says nothing of that to a new
 * page, which then finds only that the server does not answer.
 */
async function openOffline(): Promise<void> {
  await context.setOffline(true);
  await page.goto(`${url}/dashboard/inbox`);
}

async function isToldOffline(): Promise<void> {
  const isKnown = !(await page.evaluate<boolean>('navigator.onLine'));
  await (isKnown ? toldOffline() : toldAway()).waitFor();
}

/** All that the browser keeps, by address, with its text. */
const keptFiles = () =>
  page.evaluate<Record<string, string>>(`(async () => {
    const files = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        files[name + new URL(request.url).pathname] = await (await cache.match(request)).text();
      }
    }
    return files;
  })()`);

describe('the app without a network', () => {
  it('opens, says so, and shows the mail once the network is back', async () => {
    await isKept();
    await openOffline();
    await isToldOffline();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole('link', { name: /A secret of wool/ }).waitFor();
    await expect.poll(() => toldOffline().or(toldAway()).count()).toBe(0);
  });

  it('keeps files of the app alone, no mail and no answer', async () => {
    await page.getByRole('link', { name: /A secret of wool/ }).click();
    await page.getByRole('heading', { name: 'A secret of wool' }).waitFor();
    const files = await keptFiles();
    const names = Object.keys(files);
    expect(names.length).toBeGreaterThan(8);
    const isPublic =
      /^selvage-shell-\w+\/(?:assets\/[\w-]+\.js|start|favicon\.svg|icon-192\.png|manifest\.webmanifest)$/;
    expect(names.filter((name) => !isPublic.test(name))).toEqual([]);
    const all = Object.values(files).join('\n');
    expect(all).not.toContain('A secret of wool');
    expect(all).not.toContain(ana.user.email);
  });

  it('is the new one after an update, and forgets the old one', async () => {
    const index = join(webRoot, 'index.html');
    await rm(`${index}.br`);
    await writeFile(
      index,
      (await readFile(index, 'utf8')).replace('<html lang="en">', '<html lang="en" data-build="newer">'),
    );
    const worker = join(webRoot, 'service-worker.js');
    await writeFile(worker, (await readFile(worker, 'utf8')).replace(/version = '\w+'/, "version = 'newer'"));
    await page.goto(`${url}/dashboard/inbox`);
    expect(await page.locator('html[data-build=newer]').count()).toBe(1);
    await until('the new app is kept', async () => {
      const names = await page.evaluate<string[]>('caches.keys()');
      return names.join() === 'selvage-shell-newer' || null;
    });
    expect((await keptFiles())['selvage-shell-newer/start']).toContain('data-build="newer"');
  });

  it('does not fall back to an app from before the update', async () => {
    await openOffline();
    await isToldOffline();
    expect(await page.locator('html[data-build=newer]').count()).toBe(1);
    await context.setOffline(false);
    await page.getByRole('link', { name: /A secret of wool/ }).waitFor();
  });

  it('leaves nothing of a person behind when they log out', async () => {
    await page.goto(`${url}/dashboard/inbox`);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await openOffline();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    const stored = (await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')) as string;
    expect(stored).not.toContain('selvage.auth');
    expect(stored).not.toContain('secret');
    expect(Object.values(await keptFiles()).join('\n')).not.toContain(ana.user.email);
  });
});
