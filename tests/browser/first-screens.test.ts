import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { openTab } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let page: Page;

/** Runs in the page: timers never fire, except those that only let other work go first. */
const NO_TIMERS = `const real = window.setTimeout;
window.setTimeout = (work, ms = 0, ...rest) => (ms <= 10 ? real(work, ms, ...rest) : 0);`;

beforeAll(async () => {
  host = await sharedWebHost();
  page = await openTab(host, await buildMailbox(host.app, { roleNumber: builtInRole.admin }));
  await page.getByText('No emails found').waitFor();
  await page.addInitScript(NO_TIMERS);
});

it.each([
  ['/dashboard/inbox', 'Inbox Mail'],
  ['/dashboard/user', 'User Management'],
  ['/dashboard/accountsettings?activeTab=security', 'Account settings'],
  ['/dashboard/search?q=yarn', 'Results'],
])('%s is shown as soon as its code and its data are there, without another wait', async (path, title) => {
  await page.goto(`${host.url}${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await expect.poll(() => page.getByText('Loading').count()).toBe(0);
});

it('keeps the name of the product in sight until the frame of the pages is there', async () => {
  const tab = await page.context().newPage();
  const held = Promise.withResolvers<void>();
  await tab.route('**/assets/Shell-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await tab.goto(`${host.url}/dashboard/user`, { waitUntil: 'commit' });
  // The app stands in the place of what the page itself shows
  await tab.waitForSelector('#root > :not(.first-paint)', { state: 'attached' });
  expect(await tab.getByText('Selvage', { exact: true }).isVisible()).toBe(true);
  held.resolve();
  await tab.getByRole('heading', { level: 1, name: 'User Management' }).waitFor();
  await tab.getByText('Selvage', { exact: true }).and(tab.locator('.first-paint')).waitFor({ state: 'detached' });
  await tab.close();
});
