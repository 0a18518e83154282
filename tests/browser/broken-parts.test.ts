import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  page = await (await openBrowser()).newPage();
});

async function openInbox(): Promise<void> {
  await signIn(page, host, await buildMailbox(host.app));
  await page.getByText('No emails found').waitFor();
}

/**
 * The server has no file of this name any more. Called before the page opens, which may fetch the
 * file ahead.
 */
const lose = (part: string) => page.route(`**/assets/${part}-*.js`, (route) => route.fulfill({ status: 404 }));
const avatar = () => page.getByRole('button', { name: /^Account of/ });
const toast = () =>
  page.getByText('A part of this screen could not be loaded. What you typed is still here.', { exact: true }).last();

async function openProfile(): Promise<void> {
  await avatar().click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
}

async function openSent(): Promise<void> {
  await page.getByRole('link', { name: 'Sent' }).first().click();
  await page.getByRole('heading', { name: 'Sent' }).waitFor();
}

describe('a page whose code is gone', () => {
  it('takes nothing else with it, and offers to reload, which fetches it', async () => {
    await lose('ProfilePage');
    await openInbox();
    await openProfile();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).waitFor();
    await openSent();
    await openProfile();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor();
  });
});

describe('a part of a page whose code is gone', () => {
  it('is missing, and a toast says so and offers to reload', async () => {
    await lose('PersonMenu');
    await openInbox();
    await avatar().click();
    await toast().waitFor();
    await page.getByText('No emails found').waitFor();
    await page.unrouteAll();
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload' }).last().click();
    await loaded;
    await page.getByText('No emails found').waitFor();
    await avatar().click();
    await page.getByRole('menuitem', { name: 'Profile' }).waitFor();
  });

  it('is missing as well when it breaks', async () => {
    const body = "export default function Broken() { throw new RangeError('no menu today'); }";
    await page.route('**/assets/PersonMenu-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
    await openInbox();
    await avatar().click();
    await toast().waitFor();
    await page.getByText('No emails found').waitFor();
  });
});

const crash = () => page.getByRole('heading', { name: 'Something went wrong on this page' });
const REPORT = '**/api/v1/client-errors';

/** Has the server say something of the person that the profile cannot show. */
async function breakProfile(): Promise<void> {
  await page.route('**/api/v1/user/info', async (route) => {
    // The page may ask once more while the host ends after the last test
    const answer = await route.fetch().catch(() => null);
    const body = (await answer?.json().catch(() => null)) as { data?: object } | null | undefined;
    if (!answer || !body) return;
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, bio: { no: 'text' } } } });
  });
}

describe('a page that breaks', () => {
  it('says so, tells the server once, and is over at the next page', async () => {
    const reports: unknown[] = [];
    await page.route(REPORT, async (route) => {
      reports.push(route.request().postDataJSON());
      await route.continue();
    });
    await breakProfile();
    await openInbox();
    const told = page.waitForResponse(REPORT);
    await openProfile();
    await crash().waitFor();
    expect((await told).status()).toBe(200);
    await openSent();
    await openProfile();
    await crash().waitFor();
    await openSent();
    const message = expect.stringContaining('React error #31') as string;
    expect(reports).toEqual([expect.objectContaining({ message, path: '/dashboard/profile' })]);
  });

  it('reports no failure of the report', async () => {
    let reports = 0;
    await page.route(REPORT, (route) => {
      reports += 1;
      return route.fulfill({ status: 500, body: '<html>broken as well</html>' });
    });
    await breakProfile();
    await openInbox();
    const failed = page.waitForResponse(REPORT);
    await openProfile();
    await failed;
    await crash().waitFor();
    await openSent();
    expect(reports).toBe(1);
  });
});
