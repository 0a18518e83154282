import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  page = await openTab(host, await buildMailbox(host.app));
  await page.getByRole('link', { name: 'Sent' }).first().click();
  await page.getByRole('heading', { name: 'Sent' }).waitFor();
  await avatar().click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await firstName().fill('Anabel');
});

const avatar = () => page.getByRole('button', { name: /^Account of/ });
const firstName = () => page.getByLabel('First name');
const question = () => page.getByRole('alertdialog', { name: 'Leave without saving?' });
const path = () => new URL(page.url()).pathname;

async function answer(name: 'Stay' | 'Leave'): Promise<void> {
  await question().getByRole('button', { name }).click();
  await question().waitFor({ state: 'detached' });
}

async function stays(): Promise<void> {
  await answer('Stay');
  expect(path()).toBe('/dashboard/profile');
  await expect.poll(() => firstName().inputValue()).toBe('Anabel');
}

async function logOut(): Promise<void> {
  await avatar().click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

describe('a form that is not saved', () => {
  it('asks before a link takes the person elsewhere', async () => {
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await stays();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await answer('Leave');
    await page.waitForURL('**/dashboard/inbox');
  });

  it('asks before the Back button does', async () => {
    await page.evaluate('history.back()');
    await stays();
    await page.evaluate('history.back()');
    await answer('Leave');
    await page.waitForURL('**/dashboard/sent');
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
  });

  it('makes the browser ask before the tab is closed', async () => {
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await closing;
    await expect.poll(() => firstName().inputValue()).toBe('Anabel');
  });

  it('asks before the person is logged out', async () => {
    await logOut();
    await stays();
    await logOut();
    await answer('Leave');
    await page.waitForURL('**/auth/sign-in');
  });

  it('asks by the browser where the line is down and the question cannot be fetched', async () => {
    await page.route('**/assets/LeaveDialog-*.js', (route) => route.abort());
    const asked = page.waitForEvent('dialog');
    const pressed = page.getByRole('link', { name: 'Inbox' }).first().click();
    const dialog = await asked;
    expect(dialog.message()).toBe('What you changed in the profile is not saved yet and will be gone.');
    await dialog.dismiss();
    await pressed;
    expect(path()).toBe('/dashboard/profile');
    await expect.poll(() => firstName().inputValue()).toBe('Anabel');
  });
});
