import { Draft } from '@selvage/core/models/draft';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, signIn } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import { SignInPage } from '../support/sign-in-page.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;
let compose: ComposePage;
let form: SignInPage;

beforeAll(async () => {
  host = await sharedWebHost();
  browser = await openBrowser();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage();
  await page.goto(`${host.url}/favicon.svg`);
  await page.evaluate('localStorage.clear()');
  ana = await buildMailbox(host.app, { user: { undoMs: 30_500 } });
  compose = new ComposePage(page);
  form = new SignInPage(page, host);
  await form.open();
  await form.submit(ana);
  await page.waitForURL('**/dashboard/inbox');
});

const letter = { to: 'priya@remote.test', subject: 'Not lost', text: 'Every word of it.' };
const SAVE = '**/api/v1/mail/draft/save';
const unsent = () => page.getByRole('button', { name: /^Unsent/ });
const inAlert = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true });

/** What a person could not reach because it stands beside the screen. */
async function outside(phone: Page): Promise<string[]> {
  const controls = await phone.getByRole('button').or(phone.getByRole('textbox')).all();
  const found: string[] = [];
  for (const control of controls) {
    const box = await control.boundingBox();
    if (box && (box.x < 0 || box.x + box.width > 390)) found.push(await control.innerText());
  }
  return found;
}

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

describe('the keyboard', () => {
  it('opens the window with c, however early it is pressed, and types into no other place', async () => {
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.keyboard.press('c');
    await compose.text().waitFor();
    await page.keyboard.type('priya@remote.test ');
    await expect.poll(() => compose.recipients()).toEqual(['priya@remote.test']);
    // one stop for all recipients
    await page.keyboard.press('Tab');
    const next = compose.window().getByRole('button', { name: 'Cc', exact: true });
    expect(await next.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  });
});

/**
 * Writes while the server is out of reach, and closes the window: the message stays on this device.
 * A slow writer's message would be saved before the end, so nothing of it ever reaches the server.
 */
async function writeCutOff(): Promise<void> {
  await page.route(SAVE, (route) => route.abort('connectionreset'));
  await compose.open();
  await compose.write(letter);
  await page.keyboard.press('Escape');
  await page.getByText('Kept on this device.').first().waitFor();
  await page.unrouteAll();
}

describe('the focus', () => {
  const focused = () => page.locator(':focus').getAttribute('aria-label', { timeout: 1_000 });

  it('stays in the window when a file or the reminder is removed, since keys outside act on the mail', async () => {
    await compose.open();
    await compose.write(letter);
    for (const name of ['one.txt', 'two.txt', 'three.txt']) await compose.attach(name, 'notes');
    for (const [name, next] of [
      ['two.txt', 'Remove three.txt'],
      ['three.txt', 'Remove one.txt'],
    ] as const) {
      await compose
        .window()
        .getByRole('button', { name: `Remove ${name}` })
        .press('Enter');
      await expect.poll(focused).toBe(next);
    }
    await page.keyboard.press('Enter');
    await expect.poll(focused).toMatch(/^Attach files/);
    await compose.window().getByRole('button', { name: 'Schedule' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remind me if nobody answers' }).press('Enter');
    await page.getByRole('dialog', { name: 'Remind me' }).getByRole('button').last().press('Enter');
    await compose.window().getByRole('button', { name: 'Remove the reminder' }).press('Enter');
    await expect.poll(focused).toBe('Schedule');
  });

  it('goes to the heading of the page from a window whose size was changed', async () => {
    await compose.open();
    await compose.write(letter);
    await compose.window().getByRole('button', { name: 'Full screen' }).press('Enter');
    await compose.window().getByRole('button', { name: 'Discard' }).press('Enter');
    await inAlert('Discard').press('Enter');
    await compose.window().waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('h1:focus').count()).toBe(1);
  });
});

describe('Escape', () => {
  it('makes a draft of what was written, which leaves nothing on this device', async () => {
    await compose.open();
    await compose.write(letter);
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts.').first().waitFor();
    expect([await compose.window().count(), await unsent().count()]).toEqual([0, 0]);
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('button', { name: /Not lost/ }).click();
    await compose.text().getByText(letter.text).waitFor();
  });

  it('keeps it on this device while the server is out of reach, and makes a draft of it later', async () => {
    await writeCutOff();
    await unsent().click();
    const list = page.getByRole('dialog', { name: 'Unsent messages' });
    await list.getByText('To priya@remote.test').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await list.getByRole('button', { name: 'Open Not lost' }).click();
    await compose.text().getByText(letter.text).waitFor();
    await unsent().waitFor({ state: 'detached' });
    await compose.type('More. ');
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts.').first().waitFor();
    expect(await Draft.findAll({ where: { userId: String(ana.user.id) } })).toMatchObject([{ subject: 'Not lost' }]);
    await expect.poll(() => unsent().count()).toBe(0);
  });

  it('leaves nothing of a window in which nothing was written', async () => {
    await compose.open();
    await page.keyboard.press('Escape');
    await compose.window().waitFor({ state: 'detached' });
    await compose.open();
    await compose.write(letter);
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts.').first().waitFor();
    expect(await Draft.count({ where: { userId: String(ana.user.id) } })).toBe(1);
    await expect.poll(() => unsent().count()).toBe(0);
  });

  it('answers a question rather than closing the window', async () => {
    await compose.open();
    await compose.write(letter);
    await compose.press('Discard');
    await inAlert('Discard').waitFor();
    await page.keyboard.press('Escape');
    await inAlert('Discard').waitFor({ state: 'detached' });
    await compose.text().getByText(letter.text).waitFor();
  });
});

describe('logging out with an unsent message', () => {
  beforeEach(async () => {
    await writeCutOff();
    await unsent().waitFor();
    await logOut();
    await page.getByRole('alertdialog', { name: 'Log out with an unsent message?' }).waitFor();
  });

  it('asks first, and can be thought better of', async () => {
    expect(await seriousProblems(page)).toEqual([]);
    await inAlert('Stay').click();
    await unsent().waitFor();
    expect(page.url()).toContain('/dashboard/inbox');
  });

  it('keeps it for the next time, if it is to be kept', async () => {
    await inAlert('Keep on this device').click();
    await page.waitForURL('**/auth/sign-in');
    await form.submit(ana);
    await unsent().click();
    await page.getByRole('button', { name: 'Open Not lost' }).click();
    await compose.text().getByText(letter.text).waitFor();
  });

  it('throws it away, if it is to be thrown away', async () => {
    await inAlert('Discard').click();
    await page.waitForURL('**/auth/sign-in');
    await form.submit(ana);
    await compose.open();
    await expect.poll(() => unsent().count()).toBe(0);
  });
});

describe.each(['light', 'dark'] as const)('on a small %s screen', (look) => {
  it('the window fits, with all that it can hold, and so does the countdown', async () => {
    const small = await openBrowser({ width: 390, height: 844, dark: look === 'dark' });
    const phone = await small.newPage();
    const bo = await buildMailbox(host.app, { user: { undoMs: 30_500 } });
    await prepareSigning(host, bo);
    await signIn(phone, host, bo);
    const window = new ComposePage(phone);
    await window.open();
    await window.write(letter);
    await window
      .field('To')
      .fill(
        'Maximiliane Hohenlohe-Waldenburg <maximiliane.hohenlohe-waldenburg@a-long-name.remote.test>, bad address,',
      );
    await window.press('Cc');
    await window.press('Text format');
    await window.attach('a file with a name that is longer than the screen is wide.txt', 'notes');
    await expect.poll(() => outside(phone)).toEqual([]);
    expect(await seriousProblems(phone)).toEqual([]);
    await window.window().getByRole('button', { name: 'Remove bad address' }).click();
    await window.press('Send');
    await phone.getByText(/^Sending in \d+ seconds\.\.\.$/).waitFor();
    await expect.poll(() => outside(phone)).toEqual([]);
    expect(await seriousProblems(phone)).toEqual([]);
  });
});
