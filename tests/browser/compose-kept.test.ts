import { Session } from '@selvage/core/models/session';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { keptRecords } from '../support/kept-records.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { SignInPage } from '../support/sign-in-page.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let browser: BrowserContext;
let ana: Mailbox;
let bo: Mailbox;
let page: Page;
let compose: ComposePage;
let form: SignInPage;

beforeAll(async () => {
  host = await sharedWebHost();
  bo = await buildMailbox(host.app);
  browser = await openBrowser();
});

beforeEach(async () => {
  await turnPage('/favicon.svg');
  await page.evaluate('localStorage.clear()');
  ana = await buildMailbox(host.app);
  await turnPage('/auth/sign-in');
  await signInAs(ana);
});

/** Closes the page and opens another one, as the next visit would. */
async function turnPage(path = '/dashboard/inbox'): Promise<void> {
  const next = await browser.newPage();
  await page?.close();
  page = next;
  compose = new ComposePage(page);
  form = new SignInPage(page, host);
  await page.goto(`${host.url}${path}`);
}

async function signInAs(person: Mailbox): Promise<void> {
  await form.submit(person);
  await page.waitForURL('**/dashboard/inbox');
  await page.getByText('No emails found').waitFor();
}

const letter = { to: 'Priya Raman <priya@remote.test>', subject: 'Kept', text: 'Every word of it.' };
const offer = () => page.getByText('You have a message that was not sent.');
const unsent = () => page.getByRole('button', { name: /^Unsent/ });
/** A toast of news has an Open button as well; the toasts stand at the end of the page. */
const banner = (name: string) => page.getByRole('button', { name, exact: true }).first();

async function write(): Promise<void> {
  await compose.open();
  await compose.write(letter);
}

/** Sends by keyboard. Another request may already have told the page to close the window. */
async function sendIfStillOpen(): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** The window shows all that was written. */
async function isBack(): Promise<void> {
  await compose.text().getByText(letter.text).waitFor();
  await expect.poll(() => compose.field('Subject').inputValue()).toBe(letter.subject);
  await expect.poll(() => compose.recipients()).toEqual(['Priya Raman, priya@remote.test']);
}

/** What this browser keeps of a person's unsent messages, as text. */
async function kept({ user }: Mailbox, kind: 'm' | 'f' = 'm'): Promise<string> {
  const [database, store] = kind === 'm' ? ['selvage-unsent', 'messages'] : ['selvage-unsent-files', 'files'];
  const all = await keptRecords(page, database, store, `${kind}/${user.id}/`);
  return JSON.stringify(all);
}

/**
 * Runs in the page: whether it would close without a question, which it asks while a file is being
 * kept.
 */
const MAY_CLOSE = `dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

describe('a message that is being written', () => {
  it('is offered although the page ended in the moment in which it was written', async () => {
    const subjects = Array.from({ length: 8 }, (_, number) => `Moment ${number}`);
    for (const subject of subjects) {
      await compose.open();
      await compose.write({ ...letter, subject });
      await page.reload();
      await banner('Later').click();
    }
    await unsent().click();
    for (const subject of subjects) await page.getByRole('button', { name: `Open ${subject}` }).waitFor();
  });

  it('is there after the page was closed, with its files, though nothing was pressed', async () => {
    await write();
    expect(await kept(ana, 'f')).toBe('[]');
    await compose.attach('notes.txt', 'some notes');
    await until('the file is kept', async () => (await kept(ana, 'f')) !== '[]');
    await until('nothing is under way', async () => await page.evaluate<boolean>(MAY_CLOSE));
    await compose.press('Cc');
    await compose.field('Cc').fill('unfinish');
    await page.goto(`${host.url}/favicon.svg`);
    await turnPage();
    await offer().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await banner('Open').click();
    await isBack();
    await expect.poll(() => compose.field('Cc').inputValue()).toBe('unfinish');
    await compose.window().getByText('notes.txt').waitFor();
    await compose.press('Discard');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await until('nothing is kept', async () => (await kept(ana)) === '[]' && (await kept(ana, 'f')) === '[]');
  });

  it('is there after a crash', async () => {
    await write();
    await until('the last word is kept', async () => (await kept(ana)).includes('Every word of it.'));
    const session = await browser.newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    await turnPage();
    await banner('Open').click();
    await isBack();
  });

  it('is offered to the same person again when the session ended elsewhere, and to no other', async () => {
    await write();
    await Session.update({ endedAt: new Date() }, { where: { userId: String(ana.user.id) } });
    await sendIfStillOpen();
    await page.waitForURL('**/auth/sign-in');
    await signInAs(bo);
    await until('all of the page is there', () => page.evaluate('document.readyState === "complete"'));
    await compose.open();
    await compose.press('Close');
    expect([await offer().count(), await unsent().count()]).toEqual([0, 0]);
    await expect.poll(() => page.getByText(letter.subject, { exact: true }).count()).toBe(0);
    await logOut();
    await signInAs(ana);
    // A toast about the failed sending may have an Open button too
    await offer().waitFor();
    await banner('Open').click();
    await isBack();
  });

  it('is there again after a password had to be changed', async () => {
    await write();
    await ana.user.update({ passwordChangeRequired: true });
    await sendIfStillOpen();
    await page.getByLabel('Current password').fill(ana.password);
    await page.getByLabel('New password').fill('quite another pass phrase');
    await page.getByLabel('Confirm password').fill('quite another pass phrase');
    await page.getByRole('button', { name: 'Change password' }).click();
    await isBack();
  });

  it('is forgotten after thirty days', async () => {
    await write();
    await until('the last word is kept', async () => (await kept(ana)).includes('Every word of it.'));
    await makeOlder(29);
    await turnPage();
    await offer().waitFor();
    await expect.poll(() => kept(ana)).toContain('Every word of it.');
    await makeOlder(2);
    await turnPage();
    await until('nothing is kept', async () => (await kept(ana)) === '[]');
  });

  it('is left to the tab that has it open', async () => {
    await write();
    await until('the last word is kept', async () => (await kept(ana)).includes('Every word of it.'));
    const other = await browser.newPage();
    await other.goto(`${host.url}/dashboard/inbox`);
    const second = new ComposePage(other);
    await second.open();
    await second.field('Subject').fill('Of the other tab');
    await second.press('Close');
    await other.getByText('Saved in Drafts.').first().waitFor();
    // What the first tab writes is none of its business
    await expect.poll(() => other.getByRole('button', { name: /^Unsent/ }).count()).toBe(0);
    await expect.poll(() => other.getByText('You have a message that was not sent.').count()).toBe(0);
    await other.close();
    await isBack();
  });

  it('is called unsafe where the browser keeps nothing', async () => {
    await page.addInitScript('Object.defineProperty(globalThis, "indexedDB", { value: undefined })');
    await page.reload();
    await write();
    await compose.window().getByText('This browser has no room to keep this message').waitFor();
    const asked = page.waitForEvent('dialog');
    page.close({ runBeforeUnload: true }).catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await isBack();
  });
});

/** Makes what this browser keeps so many days older. */
async function makeOlder(days: number): Promise<void> {
  await page.goto(`${host.url}/favicon.svg`);
  await page.evaluate(`new Promise((resolve) => {
    const open = indexedDB.open('selvage-unsent');
    open.onsuccess = () => {
      const change = open.result.transaction('messages', 'readwrite');
      const cursor = change.objectStore('messages').openCursor();
      cursor.onsuccess = () => {
        if (!cursor.result) return;
        cursor.result.update({ ...cursor.result.value, keptAt: cursor.result.value.keptAt - ${days} * 86400000 });
        cursor.result.continue();
      };
      change.oncomplete = () => { open.result.close(); resolve(); };
    };
  })`);
}

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/auth/sign-in');
}
