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
