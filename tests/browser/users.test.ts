import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openTab, submitSignIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let admin: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await startWebHost();
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters, Yarn and Cotton of Coimbatore' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: 1, user: { fname: 'Asha', lname: 'Menon' } });
  const long = { fname: 'Bartholomew Maximilian', lname: 'Featherstonehaugh-Wolverhampton' };
  await buildMailbox(host.app, { tenant, local: 'a.name.as.long.as.people.have.them', user: long });
  page = await openTab(host, admin);
});

async function openMenu(name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const address = () => `neha.rao@${admin.domain.domainName}`;

describe('the users of a company', () => {
  it('are listed to its administrator, who adds one with each problem at its field', async () => {
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
    await row('Asha Menon').getByText('Admin', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'users-1')).toEqual({});
    await press('+ Add New User');
    const dialog = page.getByRole('dialog', { name: 'Add New User' });
    await dialog.waitFor();
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Company' }).count()).toBe(0);
    await expect.poll(() => dialog.getByLabel('Username').isDisabled()).toBe(true);
    await press('Create');
    for (const problem of ['First name', 'Role', 'Domain', 'Username', 'Password']) {
      await dialog.getByText(`${problem} is required`).waitFor();
    }
    expect(await problemsInAllLooks(page, 'users-2')).toEqual({});
    await dialog.getByLabel('First name').fill('Neha 2 _');
    await expect.poll(() => dialog.getByLabel('First name').inputValue()).toBe('Neha  ');
    await dialog.getByLabel('First name').fill('Neha');
    await dialog.getByLabel('Last name').fill('Rao');
    await dialog.getByLabel('Role').selectOption({ label: 'User' });
    await dialog.getByLabel('Domain').selectOption({ label: admin.domain.domainName });
    await dialog.getByLabel('Username').fill('Neha Rao.');
    await expect
      .poll(() => dialog.getByLabel('Full email address').inputValue())
      .toBe(`neharao.@${admin.domain.domainName}`);
    await dialog.getByLabel('Phone').fill('98-76');
    await press('Generate');
    await press('Create');
    await dialog.getByText('Username must begin and end with a letter or digit').waitFor();
    await dialog.getByText('Phone number must be exactly 10 digits').waitFor();
    await dialog.getByLabel('Username').fill(admin.user.email.split('@')[0] ?? '');
    await dialog.getByLabel('Phone').fill('');
    await press('Create');
    await dialog.getByText('This address is taken, perhaps by a deleted user').waitFor();
    await dialog.getByLabel('Username').fill('neha.rao');
    await press('Create');
  });

  it('are handed their address and password once, and have to choose another at the first login', async () => {
    await page.getByRole('alertdialog', { name: 'Neha can log in now' }).waitFor();
    expect(await problemsInAllLooks(page, 'users-3')).toEqual({});
    await expect.poll(() => page.getByTestId('new-address').textContent()).toBe(address());
    const password = (await page.getByTestId('new-password').textContent()) ?? '';
    await press('Done');
    await row('Neha Rao').getByText('Active', { exact: true }).waitFor();
    const user = await User.findOne({ where: { email: address() }, rejectOnEmpty: true });
    const theirs = await (await openBrowser()).newPage();
    await submitSignIn(theirs, host, { user, password });
    await theirs.getByRole('dialog', { name: /password/i }).waitFor();
  });

  it('are sorted on a small screen too, where the headings are gone', async () => {
    const choice = page.getByRole('combobox', { name: 'Sort by' });
    expect(await choice.count()).toBe(0);
    const { width = 1280, height = 800 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 390, height: 844 });
    const first = page
      .getByRole('row')
      .filter({ has: page.getByRole('link') })
      .first();
    await choice.selectOption({ label: 'Author, descending' });
    await first.getByText('Neha Rao').waitFor();
    await choice.selectOption({ label: 'Author, ascending' });
    await first.getByText('Asha Menon').waitFor();
    expect(await problemsInAllLooks(page, 'users-sorted')).toEqual({});
    await page.setViewportSize({ width, height });
  });

  it('are found by name over all pages, and narrowed by role and state', async () => {
    await page.getByRole('searchbox', { name: 'Search users' }).fill('rao');
    await row('Asha Menon').waitFor({ state: 'detached' });
    await row('Neha Rao').waitFor();
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Admin' });
    await page.getByText('No users found matching your search.').waitFor();
    expect(await problemsInAllLooks(page, 'users-4')).toEqual({});
    await page.getByRole('button', { name: 'Clear Filters' }).first().click();
    await row('Asha Menon').waitFor();
  });
});

describe('a user', () => {
  it('is changed, also when another administrator changed them meanwhile', async () => {
    await openMenu('Neha Rao', 'Edit');
    await page.getByRole('dialog', { name: 'Edit User' }).waitFor();
    expect(await problemsInAllLooks(page, 'users-5')).toEqual({});
    await page.getByLabel('Designation').fill('Weaver');
    await User.update({ country: 'India', version: 2 }, { where: { email: address() } });
    await press('Save');
    await page.getByText(/Nothing of yours was saved yet\.$/).waitFor();
    await press('Keep my changes on top');
    await expect.poll(() => page.getByLabel('Country').inputValue()).toBe('India');
    await press('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const saved = await User.findOne({ where: { email: address() } });
    expect(saved).toMatchObject({ designation: 'Weaver', country: 'India', version: 3 });
  });

  it('is shown on a page of their own, with three tabs', async () => {
    await page.getByRole('link', { name: 'Neha Rao' }).click();
    await page.getByRole('heading', { level: 1, name: 'Neha Rao' }).waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Neha Rao').waitFor();
    await page.getByText('Weaver').first().waitFor();
    expect(await problemsInAllLooks(page, 'users-6')).toEqual({});
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'users-7')).toEqual({});
    await page.getByRole('tab', { name: 'Permission' }).click();
    await page.getByRole('switch', { name: /Inbox/ }).first().waitFor();
    expect(await problemsInAllLooks(page, 'users-8')).toEqual({});
    await press('Back');
    await page.getByRole('heading', { name: 'User Management' }).waitFor();
  });

  it('who is switched off loses the tab that they have open', async () => {
    const ben = await buildMailbox(host.app, { tenant: admin, user: { fname: 'Ben', lname: 'Okoro' } });
    const theirs = await openTab(host, ben);
    await page.reload();
    await openMenu('Ben Okoro', 'Edit');
    await page.getByRole('switch', { name: 'Active' }).click();
    await press('Save');
    await row('Ben Okoro').getByText('Inactive', { exact: true }).waitFor();
    await theirs.waitForURL('**/auth/sign-in');
    await page.getByRole('link', { name: 'Ben Okoro' }).click();
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByText('The user cannot access the system until reactivated.').waitFor();
    expect(await problemsInAllLooks(page, 'users-9')).toEqual({});
    await press('Back');
  });

  it('is deleted, restored, and deleted for good', async () => {
    await openMenu('Neha Rao', 'Delete');
    await page.getByRole('alertdialog', { name: 'Delete this user?' }).waitFor();
    expect(await problemsInAllLooks(page, 'users-10')).toEqual({});
    await press('Delete');
    await row('Neha Rao').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Deleted' });
    await row('Neha Rao').getByText('Deleted', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'users-11')).toEqual({});
    await openMenu('Neha Rao', 'Restore');
    await page.getByText('No users found matching your search.').waitFor();
    expect(await User.findOne({ where: { email: address() } })).toMatchObject({ deletedAt: null, activeStatus: true });
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Active' });
    await openMenu('Neha Rao', 'Delete');
    await press('Delete');
    await row('Neha Rao').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Deleted' });
    await openMenu('Neha Rao', 'Permanently Delete');
    await page.getByRole('alertdialog', { name: 'Delete this user for good?' }).waitFor();
    await page.getByLabel('Type DELETE to confirm').fill('delete');
    await press('Delete');
    await page.getByText('No users found matching your search.').waitFor();
    const isGone = async () => (await User.count({ where: { email: address() } })) === 0;
    await until('the job has removed the user', isGone);
  });
});

describe('a colleague who may not see matrices', () => {
  it('sees what a user may do, and that the role or an own entry says so', async () => {
    const viewer = await buildMailbox(host.app, { tenant: admin, roleNumber: 1 });
    const ids = { companyId: String(admin.company.id), userId: String(viewer.user.id) };
    await UserPermission.create({ ...ids, model: 'permission' });
    await UserPermission.create({ ...ids, model: 'user', canView: true });
    page = await openTab(host, viewer);
    await page.goto(`${host.url}/dashboard/user`);
    await row('Asha Menon').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '+ Add New User' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Actions for Asha Menon' }).count()).toBe(0);
    await page.goto(`${host.url}/dashboard/user/${viewer.user.id}?tab=permission`);
    await page.getByRole('row', { name: /^Inbox Yes Yes Yes Yes Role$/ }).waitFor();
    await page.getByRole('row', { name: /^User Yes No No No Own$/ }).waitFor();
    expect(await problemsInAllLooks(page, 'users-12')).toEqual({});
  });
});

describe('a person of the provider', () => {
  it('chooses the company first, for a new user and in the list', async () => {
    const tenant = await buildCompany(host.app, { isProvider: true });
    const superAdmin = await buildMailbox(host.app, { tenant, roleNumber: 0 });
    page = await openTab(host, superAdmin);
    await page.goto(`${host.url}/dashboard/user?company_id=${admin.company.id}`);
    await row('Asha Menon').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Company' }).inputValue()).toBe(admin.company.name);
    expect(await problemsInAllLooks(page, 'users-13')).toEqual({});
    await press('+ Add New User');
    const dialog = page.getByRole('dialog', { name: 'Add New User' });
    const chooseCompany = async (name: string): Promise<void> => {
      const field = dialog.getByRole('combobox', { name: 'Company' });
      await field.click();
      await field.fill(name.slice(0, 8));
      await page.locator('[role=option]', { hasText: name }).click();
    };
    // The form begins with the company that the list is narrowed to
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Company' }).inputValue()).toBe(admin.company.name);
    await dialog.getByLabel('Domain').selectOption({ label: admin.domain.domainName });
    await dialog.getByLabel('Username').fill('mira');
    await expect
      .poll(() => dialog.getByLabel('Full email address').inputValue())
      .toBe(`mira@${admin.domain.domainName}`);
    expect(await problemsInAllLooks(page, 'users-14')).toEqual({});
    await chooseCompany(tenant.company.name);
    await expect.poll(() => dialog.getByLabel('Domain').inputValue()).toBe('');
    await expect.poll(() => dialog.getByLabel('Username').isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${host.url}/dashboard/user`);
    await press('+ Add New User');
    await expect.poll(() => dialog.getByLabel('Role').isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByLabel('Domain').isDisabled()).toBe(true);
    await chooseCompany(admin.company.name);
    await dialog.getByLabel('Domain').selectOption({ label: admin.domain.domainName });
  });
});
