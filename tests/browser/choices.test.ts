import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { furtherStorageKeys } from '../../webmail/src/lib/further-storage-keys.ts';
import { openBrowser, openTab, signIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
});

beforeEach(async () => {
  ana = await buildMailbox(host.app);
  await receive(systemContext(host.app), [ana], { subject: 'Wool' });
  page = await openTab(host, ana);
});

async function chooseTheme(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
  await page.keyboard.press('Escape');
}

async function chooseView(name: string): Promise<void> {
  await page.getByRole('button', { name: 'View options' }).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
  await page.keyboard.press('Escape');
}

async function chooseAll(): Promise<void> {
  await chooseTheme('Dark');
  await chooseView('Compact');
  await chooseView('Right');
  await page.getByText('No message is open').waitFor();
  await page.getByRole('button', { name: 'Collapse the navigation' }).click();
}

const chosen = { theme: 'dark', density: 'compact', pane: 'right', folded: [], rail: true };
const kept = async () => (await User.findByPk(ana.user.id, { rejectOnEmpty: true })).choices;
const lookOf = (tab: Page) => tab.evaluate<object>('({ ...document.documentElement.dataset })');
const look = { theme: 'dark', density: 'compact' };

/** Remembers every theme that a document has had. */
const recordThemes = `
  window.themes = [];
  const record = () => {
    const theme = document.documentElement?.dataset.theme;
    if (theme && window.themes.at(-1) !== theme) window.themes.push(theme);
  };
  new MutationObserver(record).observe(document, { subtree: true, childList: true, attributeFilter: ['data-theme'] });
`;

describe('what a person has chosen', () => {
  it('holds on another device, where nothing flashes from then on', async () => {
    await chooseAll();
    await expect.poll(kept).toEqual(chosen);
    const other = await openTab(host, ana);
    await expect.poll(() => lookOf(other)).toEqual(look);
    await other.getByText('No message is open').waitFor();
    await other.getByRole('button', { name: 'Expand the navigation' }).waitFor();
    await other.addInitScript(recordThemes);
    await other.reload();
    await other.getByText('No message is open').waitFor();
    expect(await other.evaluate('window.themes')).toEqual(['dark']);
    // and what is changed there holds here, once this device asks
    await other.getByRole('button', { name: 'Expand the navigation' }).click();
    await expect.poll(kept).toEqual({ ...chosen, rail: false });
    await page.reload();
    await page.getByRole('button', { name: 'Collapse the navigation' }).waitFor();
  });

  it('is told to the server later when the first call fails', async () => {
    const call = /\/account\/choices$/;
    await page.route(call, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => call.test(request.url()));
    await chooseTheme('Dark');
    await failed;
    expect(await kept()).toBeNull();
    await page.unroute(call);
    // the server knows of no choice, which takes nothing back
    await page.reload();
    await page.getByRole('link', { name: /Wool/ }).waitFor();
    expect(await lookOf(page)).toEqual({ theme: 'dark', density: 'comfortable' });
    await expect.poll(kept).toEqual({ theme: 'dark' });
  });

  it('is told before the person logs out, and says nothing to the next one', async () => {
    await chooseTheme('Dark');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await expect.poll(kept).toEqual({ theme: 'dark' });
    const names = (await page.evaluate('Object.keys(localStorage)')) as string[];
    expect(names).not.toContain(furtherStorageKeys.choices);
    expect(names).not.toContain(furtherStorageKeys.unsavedChoices);
  });

  it('is each their own, also when two of them share a device', async () => {
    const bo = await buildMailbox(host.app);
    await bo.user.update({ choices: { theme: 'light' } });
    await chooseTheme('Dark');
    await expect.poll(kept).toEqual({ theme: 'dark' });
    const shared = await (await openBrowser()).newPage();
    await signIn(shared, host, ana);
    await expect.poll(() => lookOf(shared)).toMatchObject({ theme: 'dark' });
    await signIn(shared, host, bo);
    await expect.poll(() => lookOf(shared)).toMatchObject({ theme: 'light' });
    await bo.user.reload();
    expect(bo.user.choices).toEqual({ theme: 'light' });
  });
});
