import { AppPassword } from '@selvage/core/models/app-password';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { mailedText } from '../support/mailed-text.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import { SignInPage } from '../support/sign-in-page.ts';
import type { ReachableHost } from '../support/test-host.ts';

const newPassword = 'seven bales of merino';
const endsAll = 'Changing the password ends all your sessions, this one too.';

let host: ReachableHost;
let browser: BrowserContext;
let page: Page;
let form: SignInPage;

beforeAll(async () => {
  host = await sharedWebHost();
  // Mailed links lead to the configured name
  host.url = host.app.config.url;
  browser = await openBrowser();
});

beforeEach(async () => {
  await Promise.all(browser.pages().map((old) => old.close()));
  page = await browser.newPage();
  await page.goto(`${host.url}/favicon.svg`);
  await page.evaluate('localStorage.clear()');
  form = new SignInPage(page, host);
});

const dialog = () => page.getByRole('dialog', { name: 'Change password' });
const inInbox = () => page.waitForURL('**/dashboard/inbox');

async function fillNewPassword(password: string, again = password): Promise<void> {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Confirm password').fill(again);
}

async function isRight(person: Mailbox, password: string): Promise<boolean> {
  return (await new ApiClient(host).signIn(person.user.email, password))['success'] === true;
}

describe('a password that has to be changed', () => {
  it('is asked for on every page, until it is changed', async () => {
    const person = await buildMailbox(host.app, { user: { passwordChangeRequired: true } });
    await form.open();
    await form.submit(person);
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.goto(`${host.url}/dashboard/profile`);
    await dialog().waitFor();
    expect(await seriousProblems(page)).toEqual([]);

    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Current password is required').waitFor();
    await page.getByText('Please confirm your password').waitFor();
    await page.getByLabel('Current password').fill('not the password');
    await fillNewPassword(newPassword, 'another one');
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Passwords must match').waitFor();
    await fillNewPassword(newPassword);
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Failed to change password: the current password is wrong').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await fillNewPassword('password1');
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await dialog().getByRole('alert').filter({ hasText: 'common' }).waitFor();
    await fillNewPassword(newPassword);
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    // The owner is told of it by mail
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await inInbox();
    await page.getByRole('list', { name: 'Messages' }).getByText('Your password was changed').waitFor();
    expect(await isRight(person, newPassword)).toBe(true);
  });

  it('comes before the setup of the company', async () => {
    const person = await buildMailbox(host.app, { user: { passwordChangeRequired: true, requiredData: true } });
    await form.open();
    await form.submit(person);
    await page.getByLabel('Current password').fill(person.password);
    await fillNewPassword(newPassword);
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL('**/required_data*');
    await page.getByRole('button', { name: 'Continue to mail' }).waitFor();
  });

  it('is asked for at once during a session, and offers only to log out', async () => {
    const person = await buildMailbox(host.app);
    await form.open();
    await form.submit(person);
    await inInbox();
    await page.getByText('No emails found').waitFor();
    await person.user.update({ passwordChangeRequired: true });
    // The page may have called the server of itself by now, and then the dialog is over the link
    await page.locator('a[href="/dashboard/sent"]').first().dispatchEvent('click');
    await dialog().waitFor();
    await dialog().getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/auth/sign-in');
  });
});

describe('a password that its owner changes', () => {
  it('ends all sessions, this one too, and says so on the login page', async () => {
    const person = await buildMailbox(host.app);
    const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
    await AppPassword.bulkCreate(
      ['Old phone', 'Laptop'].map((appName) => ({ ...owner, appName, passwordHash: appName })),
    );
    const other = new ApiClient(host);
    await other.signIn(person.user.email, person.password);
    await form.open();
    await form.submit(person);
    await inInbox();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.waitForURL('**/dashboard/change_password');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await inInbox();
    // The settings say the same of it as the dialog
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
    const section = page.getByRole('region', { name: 'Password' });
    await section.getByText(endsAll).waitFor();
    await section.getByRole('button', { name: 'Change password' }).click();
    await dialog().getByText(endsAll).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const load = page.waitForRequest((request) => request.url().endsWith('/user/info'));
    await page.goto(`${host.url}/dashboard/change_password`);
    await dialog().getByText(endsAll).waitFor();
    const own = new ApiClient(host);
    own.token = (await (await load).headerValue('authorization'))?.replace('Bearer ', '') ?? '';
    expect((await own.call('GET', '/user/info')).status).toBe(200);
    await page.getByLabel('Current password').fill(person.password);
    await fillNewPassword(newPassword);
    await dialog().getByRole('checkbox', { name: 'App password “Old phone”, never used' }).check();
    expect(await seriousProblems(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL('**/auth/sign-in');
    await page.getByText('Password changed successfully').waitFor();
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    for (const ended of [other, own]) expect((await ended.call('GET', '/user/info')).status).toBe(401);
    expect(await isRight(person, newPassword)).toBe(true);
    expect(await AppPassword.findAll({ where: owner })).toMatchObject([{ appName: 'Laptop' }]);
  });
});

describe('a forgotten password', () => {
  it('is set with a mailed link, which leaves the address bar at once and works once', async () => {
    const to = 'ana.at.home@remote.test';
    const person = await buildMailbox(host.app, { user: { recoveryEmail: to, confirmedRecoveryEmail: to } });
    await form.open();
    await page.getByLabel('Email').fill(person.user.email);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.user.email);
    expect(await seriousProblems(page)).toEqual([]);
    await form.copyLetters();
    await form.press('Send link');
    await page.getByText('If this account has a confirmed recovery email').waitFor();

    const link = await mailedText(host, to, /http\S+\/auth\/set-password#\S+/);
    expect(link).toContain(`${host.app.config.url}/`);
    await page.goto(link);
    await page.getByText(`For ${person.user.email}`).waitFor();
    expect(page.url()).toBe(`${host.url}/auth/set-password`);
    expect(await seriousProblems(page)).toEqual([]);
    await fillNewPassword(person.user.email);
    await form.press('Set password');
    await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    await fillNewPassword(newPassword);
    await form.press('Set password');
    await page.getByText('Your password was set. Please log in with it.').waitFor();
    await form.submit({ ...person, password: newPassword });
    await inInbox();

    await page.goto(link);
    await page.getByText('This link is not valid any more. Ask for a new one.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('answers the same for an account that does not exist', async () => {
    await form.open('/auth/forgot-password');
    await page.getByLabel('Email').fill('nobody@nowhere.test');
    await form.copyLetters();
    await form.press('Send link');
    await page.getByText('If this account has a confirmed recovery email').waitFor();
  });

  it('says what to do with an incomplete link', async () => {
    await page.goto(`${host.url}/auth/set-password`);
    await page.getByText('The address is incomplete.', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await page.waitForURL('**/auth/forgot-password');
  });
});
