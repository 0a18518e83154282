import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { mailedText } from '../support/mailed-text.ts';
import { SignInPage } from '../support/sign-in-page.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let browser: BrowserContext;
let page: Page;
let form: SignInPage;

beforeAll(async () => {
  host = await startWebHost({ SESSION_LIMIT: '2' });
  browser = await openBrowser();
});

beforeEach(async () => {
  await Promise.all(browser.pages().map((old) => old.close()));
  await browser.clearCookies();
  page = await browser.newPage();
  await page.goto(`${host.url}/favicon.svg`);
  await page.evaluate('localStorage.clear()');
  form = new SignInPage(page, host);
});

const inInbox = () => page.waitForURL('**/dashboard/inbox');
const stored = () => page.evaluate('Object.keys(localStorage)');
const sessionDialog = () => page.getByRole('alertdialog', { name: 'Too many active sessions' });

/** Logs a person in elsewhere, up to the session limit. */
async function fillSessions({ user, password }: Mailbox): Promise<ApiClient[]> {
  const clients = [new ApiClient(host), new ApiClient(host)];
  for (const client of clients) await client.signIn(user.email, password);
  return clients;
}

/** Ends all sessions of a person from another device. */
async function endSessions({ user, password }: Mailbox): Promise<void> {
  const other = new ApiClient(host);
  await other.signIn(user.email, password);
  const sessions = await other.data<{ session_id: string }[]>('GET', '/user/active_sessions');
  await other.call('POST', '/user/logout', { session_ids: sessions.map((session) => session.session_id) });
}

/** How many of these sessions are still good. */
async function countSignedIn(clients: ApiClient[]): Promise<number> {
  const answers = await Promise.all(clients.map((client) => client.call('GET', '/user/info')));
  return answers.filter(({ status }) => status === 200).length;
}

describe('the login form', () => {
  it('plays the letters to a person who can’t see them', async () => {
    await form.open();
    // The sound that is played is as long as what the server sent
    await page.evaluate(
      `AudioBufferSourceNode.prototype.start = function () { window.played = this.buffer.duration; }`,
    );
    await page.getByRole('button', { name: 'Play the letters' }).click();
    await expect.poll(() => page.evaluate<number>('window.played ?? 0')).toBeGreaterThan(5);
  });

  it('keeps what was typed after a failure, and takes another captcha', async () => {
    const person = await buildMailbox(host.app);
    await form.open();
    await form.submit({ ...person, password: 'not the password' });
    await page.getByText('Invalid email or password.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.user.email);
    await expect.poll(() => page.getByLabel(/^Password/).inputValue()).toBe('not the password');
    expect(await seriousProblems(page)).toEqual([]);
    await form.submit(person);
    await inInbox();
  });

  it('takes another captcha every five minutes', async () => {
    await page.clock.install();
    await form.open();
    await page.getByAltText('Letters to copy into the field below').waitFor();
    const renewal = page.waitForRequest((request) => request.url().endsWith('/api/v1/captcha'));
    await page.clock.fastForward(300_000);
    await renewal;
  });

  it('says at each field what is missing, and stays', async () => {
    await form.open();
    await form.press('Log in');
    await page.getByText('Email is required').waitFor();
    await page.getByText('Password is required').waitFor();
    await page.getByText('CAPTCHA is required').waitFor();
  });

  it('tells the owner of an inactive account that it is', async () => {
    const person = await buildMailbox(host.app, { user: { activeStatus: false } });
    await form.open();
    await form.submit(person);
    await page.getByText('This account is not active. Ask your administrator.').waitFor();
  });

  it('leads to the setup while details of the company are missing, from there to the mail, and back from /auth', async () => {
    const person = await buildMailbox(host.app, { user: { requiredData: true } });
    await form.open();
    await form.submit(person);
    await page.waitForURL('**/required_data*');
    expect(await seriousProblems(page)).toEqual([]);
    await form.press('Continue to mail');
    await inInbox();
    await form.open();
    await page.waitForURL('**/required_data*');
    await form.press('Logout');
    await page.waitForURL('**/auth/sign-in');
    await expect.poll(() => stored()).toEqual([]);
  });

  it('says why, at once, when the session is ended elsewhere', async () => {
    const person = await buildMailbox(host.app);
    await form.open();
    await form.submit(person);
    await inInbox();
    await endSessions(person);
    await page.getByText('Session expired. Please log in again.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/sign-in');
    await expect.poll(() => stored()).toEqual([]);
  });

  it('says why, at the next visit, when the session was ended while no page was open', async () => {
    const person = await buildMailbox(host.app);
    await form.open();
    await form.submit(person);
    await inInbox();
    await page.goto(`${host.url}/favicon.svg`);
    await endSessions(person);
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByText('Session expired. Please log in again.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/sign-in');
    await expect.poll(() => stored()).toEqual([]);
  });

  it('lets several tabs share one renewal of the tokens', async () => {
    const person = await buildMailbox(host.app);
    await form.open();
    await form.submit(person);
    await inInbox();
    // a page that is left while it renews would have its answer lost, and repeated by the next one
    await page.goto(`${host.url}/favicon.svg`);
    const renewals: string[] = [];
    browser.on('request', (request) => {
      if (request.url().endsWith('/user/refresh')) renewals.push(request.url());
    });
    // A changed permission: the next call of each tab says that its token is outdated
    await person.user.increment('tokenVersion');
    const tabs = await Promise.all([browser.newPage(), browser.newPage()]);
    await Promise.all([page, ...tabs].map((tab) => tab.goto(`${host.url}/dashboard/sent`)));
    for (const tab of [page, ...tabs]) await tab.getByText('No emails found').waitFor();
    expect(renewals).toHaveLength(1);
  });
});

describe('two-factor at the login', () => {
  it('asks for six digits, says when they are wrong, and goes on by itself with the right ones', async () => {
    const person = await buildMailbox(host.app);
    const { nextCode } = await turnOnTwoFactor(host, person);
    await form.open();
    await form.submit(person);
    const code = page.getByLabel('Code');
    await code.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await expect.poll(() => stored()).toEqual([]);
    const right = nextCode();
    await code.pressSequentially(right === '000000' ? 'x111-111' : 'x000-000');
    await page.getByText('Invalid OTP. Please try again.').waitFor();
    await until('the wrong code is gone', async () => (await code.inputValue()) === '');
    await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
    await inInbox();
  });

  it('can be given up, and begun again with another captcha', async () => {
    const person = await buildMailbox(host.app);
    const { nextCode } = await turnOnTwoFactor(host, person);
    await form.open();
    await form.submit(person);
    await page.getByLabel('Code').waitFor();
    await form.press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.user.email);
    await form.submit(person);
    await page.getByLabel('Code').fill(nextCode());
    await inInbox();
  });

  it('accepts a recovery code once', async () => {
    const person = await buildMailbox(host.app);
    const { recoveryCodes } = await turnOnTwoFactor(host, person);
    const offer = async (): Promise<void> => {
      await form.open();
      await form.submit(person);
      await form.press('Use a recovery code');
      await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
      expect(await seriousProblems(page)).toEqual([]);
      await form.press('Verify');
    };
    await offer();
    await inInbox();
    await page.evaluate('localStorage.clear()');
    await offer();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: /\S/ }).waitFor();
    await expect.poll(() => stored()).toEqual([]);
  });

  it('mails a code to the confirmed recovery address, and logging in with it turns two-factor off', async () => {
    const to = 'ana.private@remote.test';
    const person = await buildMailbox(host.app, { user: { recoveryEmail: to, confirmedRecoveryEmail: to } });
    await turnOnTwoFactor(host, person);
    await form.open();
    await form.submit(person);
    await form.press('Send a code to my recovery email');
    await form.press('Send code');
    await page.getByLabel('Code').fill(await mailedText(host, to, /\b\d{6}\b/));
    await inInbox();
    await page.getByText('Two-factor authentication is off.').first().waitFor();
    await person.user.reload();
    expect(person.user.twoFactorStatus).toBe(false);
  });
});

describe('as many sessions as a person may have', () => {
  it('are shown at the login; one of them ends, and the login goes on by itself', async () => {
    const person = await buildMailbox(host.app);
    const clients = await fillSessions(person);
    await form.open();
    await form.submit(person);
    await sessionDialog().waitFor();
    await expect.poll(() => sessionDialog().getByRole('listitem').count()).toBe(2);
    expect(await seriousProblems(page)).toEqual([]);
    await expect.poll(() => stored()).toEqual([]);
    await form.press('Try Login Again');
    await sessionDialog().waitFor();
    await sessionDialog()
      .getByRole('button', { name: /^Log out .*, session/ })
      .first()
      .click();
    await inInbox();
    await expect.poll(() => countSignedIn(clients)).toBe(1);
  });

  it('can all be ended at once', async () => {
    const person = await buildMailbox(host.app);
    const clients = await fillSessions(person);
    await form.open();
    await form.submit(person);
    await form.press('Log out all');
    await inInbox();
    await expect.poll(() => countSignedIn(clients)).toBe(0);
  });

  it('stay as they are when the login is given up', async () => {
    const person = await buildMailbox(host.app);
    const clients = await fillSessions(person);
    await form.open();
    await form.submit(person);
    await sessionDialog().waitFor();
    await form.press('Cancel');
    await sessionDialog().waitFor({ state: 'detached' });
    await expect.poll(() => countSignedIn(clients)).toBe(2);
    await expect.poll(() => page.getByLabel(/^Password/).inputValue()).toBe(person.password);
    await form.submit(person);
    await sessionDialog().waitFor();
  });

  it('are also met by the second step, which goes on with the code that was given', async () => {
    const person = await buildMailbox(host.app);
    const { nextCode, recoveryCodes } = await turnOnTwoFactor(host, person);
    await form.open();
    await form.submit(person);
    await form.press('Use a recovery code');
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await form.press('Verify');
    await inInbox();
    await page.evaluate('localStorage.clear()');
    await form.open();
    await form.submit(person);
    await page.getByLabel('Code').fill(nextCode());
    await sessionDialog().waitFor();
    await sessionDialog()
      .getByRole('button', { name: /^Log out .*, session/ })
      .first()
      .click();
    await inInbox();
  });
});
