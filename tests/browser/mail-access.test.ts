import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

let host: ReachableHost;
let admin: Mailbox;
let owner: Mailbox;
let reader: Mailbox;
let api: ApiClient;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters' });
  const asha = { fname: 'Asha', lname: 'Menon' };
  admin = await buildMailbox(host.app, { tenant, roleNumber: builtInRole.admin, user: asha });
  owner = await buildMailbox(host.app, { tenant, user: { fname: 'Ola', lname: 'Owner' } });
  reader = await buildMailbox(host.app, { tenant, user: { fname: 'Vic', lname: 'Reader' } });
  api = await apiOf(admin);
  page = await openTab(host, owner);
});

async function apiOf({ user, password }: Pick<Mailbox, 'user' | 'password'>): Promise<ApiClient> {
  const client = new ApiClient(host);
  await client.signIn(user.email, password);
  return client;
}

const list = () => page.getByRole('list', { name: 'Who could read your mail' });
const row = (text: string) => list().getByRole('listitem').filter({ hasText: text });

async function look(): Promise<void> {
  await page.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
  await page.getByRole('heading', { name: 'Who could read your mail' }).waitFor();
}

/** Says yes to a question. While it is open, the page behind it can't be found by role. */
async function agree(button: string): Promise<void> {
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: button }).click();
  await question.waitFor({ state: 'detached' });
}

/** Presses the button of a row, which leads to the section where its cause is ended. */
async function expectLeadsTo(what: string, section: string): Promise<void> {
  await list()
    .getByRole('button', { name: `Show: ${what}` })
    .press('Enter');
  const heard = 'document.activeElement?.querySelector("h2, h3")?.textContent';
  await expect.poll(() => page.evaluate(heard)).toBe(section);
}

describe('“Who could read your mail”', { timeout: 120_000 }, () => {
  it('says of a new account that nothing lets another person in', async () => {
    await look();
    await page.getByText('No copies, no archives, no forwarding, no other device').waitFor();
    await expect.poll(() => list().count()).toBe(0);
  });

  it('names another device, and leads to where it is logged out', async () => {
    const other = await apiOf(owner);
    await look();
    const what = 'One other device is logged in';
    await row(what).getByText('last used').waitFor();
    await expectLeadsTo(what, 'Active sessions');
    const sessions = page.getByRole('region', { name: 'Active sessions' });
    await sessions.getByRole('button', { name: 'Log out all others' }).click();
    await agree('Log out all others');
    await row(what).waitFor({ state: 'detached' });
    expect((await other.call('GET', '/user/info')).status).toBe(401);
  });

  it('names a mail program with a password of its own until that is revoked', async () => {
    const section = page.getByRole('region', { name: 'App passwords' });
    await section.getByRole('button', { name: 'New app password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name of the mail program/).fill('Thunderbird');
    await dialog.getByLabel(/^Your password/).fill(owner.password);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const what = 'One mail program has a password of its own';
    await row(what).getByText('never used').waitFor();
    await expectLeadsTo(what, 'App passwords');
    await section.getByRole('button', { name: 'Revoke Thunderbird' }).click();
    await agree('Revoke');
    await row(what).waitFor({ state: 'detached' });
  });

  it('names a person who was given a backup, and who gave it', async () => {
    const backup = { user_id: String(owner.user.id), backup_user_email: reader.user.email };
    await api.data('PUT', '/mail/backup', backup);
    await look();
    const copy = row(`Vic Reader (${reader.user.email})`);
    await copy.getByText('Can read', { exact: true }).waitFor();
    await copy.getByText(/given by Asha Menon on .* not opened yet/).waitFor();
  });

  it('names an administrator who set a password, and whose login with it reads nothing and ends', async () => {
    const password = 'seven green bottles';
    await api.data('PUT', `/user/update/${owner.user.id}`, { password: encodePassword(password) });
    await page.waitForURL('**/auth/sign-in*');
    const asOwner = await apiOf({ user: owner.user, password });
    expect((await asOwner.call('GET', '/mail/get/sent/by_user?received_status=true')).status).toBe(403);
    page = await openTab(host, { user: owner.user, password });
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password);
    await dialog.getByRole('textbox', { name: 'New password' }).fill('one that only Ola knows');
    await dialog.getByRole('textbox', { name: 'Confirm password' }).fill('one that only Ola knows');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await asOwner.call('GET', '/user/info')).status).toBe(401);
    await look();
    const what = 'Asha Menon set a new password for you';
    await row(what).getByText('Administrator', { exact: true }).waitFor();
    await row(what)
      .getByText(/from 127\.0\.0\.1$/)
      .waitFor();
    // What holds now stands before what was done once. No other login is left
    const titles = await list().getByRole('listitem').allTextContents();
    const known = titles.map((text) => /Vic Reader|other device|new password/.exec(text)?.[0]);
    expect(known).toEqual(['Vic Reader', 'new password']);
    await list().scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'mail-access')).toEqual({});
    await expectLeadsTo(what, 'Password');
  });
});
