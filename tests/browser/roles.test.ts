import type { Locator, Page } from 'playwright-core';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Role } from '@selvage/core/models/role';
import { RolePermission } from '@selvage/core/models/role-permission';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
/** The Super Admin of the provider, in the browser. */
let boss: Mailbox;
let page: Page;
let mill: Tenant;
let weavers: Role;

beforeAll(async () => {
  host = await startWebHost();
  const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
  boss = await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  mill = await buildCompany(host.app, { name: 'Ambika Cotton Mills' });
  page = await openTab(host, boss);
});

const row = (name: string | RegExp) => page.getByRole('row', { name }).first();
const dialog = (name: string) => page.getByRole('dialog', { name });
const flag = (name: string, on: Page = page) => on.getByRole('switch', { name, exact: true });
const choose = async (name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};
/** Finds a company by typing. */
const pick = async (field: Locator, typed: string) => {
  await field.click();
  await field.pressSequentially(typed);
  await page.getByRole('option', { name: 'Ambika Cotton Mills' }).click();
};
/** Waits for a toast. The same words are there for screen readers as well. */
const said = (text: string) => page.getByText(text).last().waitFor();
/** Waits until the server has a flag of the weavers as the screen has it. */
const stored = (model: string, flags: object) =>
  until(`${model} is stored`, async () => {
    const found = await RolePermission.findOne({ where: { roleId: weavers.id, model, ...flags } });
    return found !== null;
  });

describe('the roles', () => {
  it('are found by company and state, with those that are built in marked', async () => {
    await page.goto(`${host.url}/dashboard/role`);
    await page.getByRole('heading', { name: 'Role Management' }).waitFor();
    await pick(page.getByRole('combobox', { name: 'Company Name' }), 'ambika');
    await page.getByText('3 in all').waitFor();
    await expect
      .poll(() => page.getByRole('columnheader').allTextContents())
      .toEqual(['#', 'Roles', 'Company Name', 'Role id', 'Permissions', 'Status', 'Actions']);
    await row(/Super Admin/)
      .getByText('Home, Clients, Client, Company')
      .waitFor();
    await row(/Super Admin/)
      .getByText('+14')
      .waitFor();
    expect(await problemsInAllLooks(page, 'roles-three')).toEqual({});
    await page.getByRole('searchbox').fill('no such role');
    await page.getByText('No roles found matching your search.').waitFor();
    expect(await problemsInAllLooks(page, 'roles-none')).toEqual({});
    await page.getByRole('button', { name: 'Clear Filters' }).first().click();
    // A new role would begin with the company that the list is narrowed to
    await page.waitForURL(({ searchParams }) => !searchParams.has('company_id'));
  });

  it('are added, with problems shown at their fields', async () => {
    await page.getByRole('button', { name: '+ Add New Role' }).click();
    const form = dialog('Add New Role');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Role name is required').waitFor();
    await form.getByText('Company ID is required').waitFor();
    expect(await problemsInAllLooks(page, 'role-add')).toEqual({});
    await form.getByLabel('Role Name').fill('Weavers');
    await pick(form.getByRole('combobox', { name: 'Company Name' }), 'ambika');
    await form.getByLabel('Role id').fill('2');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('A role of this company has this number already').waitFor();
    await form.getByLabel('Role id').fill('');
    await form.getByRole('button', { name: 'Create' }).click();
    await said('Role created successfully');
    await form.waitFor({ state: 'detached' });
    weavers = (await Role.findOne({ where: { roleName: 'Weavers' } })) as Role;
    expect([String(weavers.companyId), weavers.roleId]).toEqual([String(mill.company.id), 3]);
  });

  it('get permissions, which a person with the role has at the next request in an open tab', async () => {
    await page.getByRole('searchbox').fill('weavers');
    await page.waitForURL('**/dashboard/role?*search=weavers*');
    // The rows are drawn after the address has changed, and only then know the way back to it
    await page.getByText('1 in all').waitFor();
    await page.getByRole('link', { name: 'Weavers' }).click();
    await page.getByRole('heading', { name: 'Permissions of Weavers' }).waitFor();
    await expect.poll(() => page.title()).toContain('Weavers');
    for (const name of ['View: Inbox', 'Edit: Inbox', 'View: Role']) await flag(name).click();
    await stored('inbox', { canView: true, canEdit: true, canCreate: false });
    await stored('role', { canView: true });
    // No call asks for it
    expect(await flag('Create: Inbox').count()).toBe(0);
    // The provider's alone: a person of a tenant can't be given it
    await expect.poll(() => flag('View: Clients').isDisabled()).toBe(true);
    expect(await problemsInAllLooks(page, 'matrix-role')).toEqual({});

    const person = await buildMailbox(host.app, { tenant: mill, user: { roleId: String(weavers.id) } });
    const tab = await openTab(host, person);
    const link = tab.getByRole('link', { name: 'Roles' });
    await link.waitFor();
    await flag('View: Role').click();
    await stored('role', { canView: false });
    await tab.getByRole('button', { name: 'Refresh' }).click();
    await link.waitFor({ state: 'detached' });
    await flag('View: Role').click();
    await stored('role', { canView: true });
    await tab.getByRole('button', { name: 'Refresh' }).click();
    await link.click();
    await tab.getByRole('heading', { name: 'Role Management' }).waitFor();
    // A tenant's person sees their own company's roles, chooses no company, and may not add one
    await tab.getByRole('row', { name: /Weavers/ }).waitFor();
    await expect.poll(() => tab.getByRole('combobox', { name: 'Company Name' }).count()).toBe(0);
    await expect.poll(() => tab.getByRole('button', { name: '+ Add New Role' }).count()).toBe(0);
    await tab.goto(`${host.url}/dashboard/modules`);
    await tab.getByText('You may not open this page').waitFor();
  });

  it('take a switch back that the server refuses, and say why', async () => {
    await page.route('**/users/add_or_update/permissions', (route) =>
      route.fulfill({
        status: 403,
        json: { success: false, message: 'You can only grant what you have.', code: 'not_yours_to_grant' },
      }),
    );
    await flag('Delete: Trash').click();
    await said('You can only grant what you have.');
    await until('the switch is back', async () => !(await flag('Delete: Trash').isChecked()));
    await page.unroute('**/users/add_or_update/permissions');
  });

  it('are switched by keyboard: arrows go from switch to switch, space changes it', async () => {
    await flag('View: Inbox').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
    const focused = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { document: { activeElement: { ariaLabel: string } } }).document.activeElement
            .ariaLabel,
      );
    await expect.poll(() => focused()).toBe('Delete: Inbox');
    await page.keyboard.press('Space');
    await stored('inbox', { canDelete: true });
    // Past the flags that are the provider's alone
    await flag('View: Company').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused()).toBe('View: Home');
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByRole('heading', { name: 'Role Management' }).waitFor();
    expect(new URL(page.url()).search).toContain('search=weavers');
  });

  it('are renamed unless another person was faster, and switched off', async () => {
    await choose('Weavers', 'Edit');
    await Role.update({ roleName: 'Master weavers', version: 2 }, { where: { id: weavers.id } });
    const form = dialog('Edit Role');
    await form.getByLabel('Role Name').fill('Weavers of Erode');
    expect(await problemsInAllLooks(page, 'role-edit')).toEqual({});
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('button', { name: 'Keep my changes on top' }).click();
    await form.getByRole('switch', { name: 'Active' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await said('Role updated successfully');
    await row(/Weavers of Erode.*Inactive/).waitFor();
    expect(await weavers.reload()).toMatchObject({ roleName: 'Weavers of Erode', activeStatus: false });
  });

  it('that people have are not deleted; others are deleted, restored and deleted for good', async () => {
    await choose('Weavers of Erode', 'Delete');
    const refusal = page.getByRole('alertdialog', { name: 'This role is in use' });
    await refusal.getByText(/^1 person has this role/).waitFor();
    expect(await problemsInAllLooks(page, 'role-in-use')).toEqual({});
    await refusal.getByRole('link', { name: 'Show its people' }).click();
    await row(/@.*Weavers of Erode/).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.goBack();
    // The list of people has a search field as well
    await page.getByRole('heading', { name: 'Role Management' }).waitFor();

    const question = page.getByRole('alertdialog', { name: 'Delete this role?' });
    const spinners = await buildRole(mill, { name: 'Spinners' });
    await page.getByRole('searchbox').fill('spinners');
    await choose('Spinners', 'Delete');
    await question.getByRole('button', { name: 'Delete' }).click();
    await said('Role deleted successfully');
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Deleted');
    await choose('Spinners', 'Restore');
    await said('Role restored successfully');
    expect((await spinners.reload()).deletedAt).toBeNull();
    await spinners.update({ deletedAt: new Date() });
    await page.reload();
    await choose('Spinners', 'Permanently Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said('Role permanently deleted');
    expect(await Role.findByPk(spinners.id)).toBeNull();
  });

  it('fill pages of a list whose rows are numbered', async () => {
    for (let number = 10; number < 45; number++) {
      const isLong = number === 12;
      await buildRole(mill, {
        name: isLong
          ? `A role with a name that is as long as a name may ever become, ${'and longer '.repeat(3)}`
          : `Loom ${number}`,
        permissions: ['inbox', 'sent', 'draft', 'trash', 'archive', 'accountsettings'].map((model) => ({
          model,
          view: true,
        })),
      });
    }
    await page.goto(`${host.url}/dashboard/role?company_id=${mill.company.id}&limit=10&page=2`);
    await row(/^11 /).waitFor();
    expect(await problemsInAllLooks(page, 'roles-many')).toEqual({});
    await page.goto(`${host.url}/dashboard/role?company_id=${mill.company.id}&limit=50`);
    await row(/name that is as long/).waitFor();
    expect(await problemsInAllLooks(page, 'roles-long')).toEqual({});
  });
});

describe('the permissions of a person', () => {
  it('begin as the role has them, say which are their own, and are reset after a question', async () => {
    const role = await buildRole(mill, { name: 'Dyers', permissions: [{ model: 'inbox', view: true }] });
    const person = await buildMailbox(host.app, {
      tenant: mill,
      user: { roleId: String(role.id), fname: 'Meena', lname: 'Kumar' },
    });
    await page.goto(`${host.url}/dashboard/user/permission/${person.user.id}`);
    await page.getByRole('heading', { name: 'Permissions of Meena Kumar' }).waitFor();
    await page.getByText('All permissions are those of the role.').waitFor();
    await flag('Edit: Inbox').click();
    await row(/^Inbox\s*Own/).waitFor();
    await page.getByText('By clicking this button, all permissions will be reset to default.').waitFor();
    expect(await problemsInAllLooks(page, 'matrix-person')).toEqual({});
    await expect
      .poll(() => UserPermission.count({ where: { userId: person.user.id, model: 'inbox', canView: true } }))
      .toBe(1);
    await page.getByRole('button', { name: 'Reset to Default' }).click();
    expect(await problemsInAllLooks(page, 'matrix-reset')).toEqual({});
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset to Default' }).click();
    await page.getByText('All permissions are those of the role.').waitFor();
    await expect.poll(() => flag('Edit: Inbox').isChecked()).toBe(false);
    await expect.poll(() => UserPermission.count({ where: { userId: person.user.id } })).toBe(0);
  });

  it('are shown but not changed where the caller may not: their own, and those of built-in roles', async () => {
    await page.goto(`${host.url}/dashboard/user/permission/${boss.user.id}`);
    await page.getByText('You cannot change your own permissions.').waitFor();
    const admin = mill.roles.get(builtInRole.admin);
    await page.goto(`${host.url}/dashboard/role/permission/${admin?.id}`);
    await page.getByText('This is a built-in role. Its permissions cannot be changed.').waitFor();
    await expect.poll(() => page.getByRole('switch', { disabled: false }).count()).toBe(0);
    expect(await problemsInAllLooks(page, 'matrix-built-in')).toEqual({});
    await page.goto(`${host.url}/dashboard/role/permission/999999`);
    await page.getByText('This is no longer here').waitFor();
  });
});

describe('the modules', () => {
  it('are added, renamed and deleted by people of the provider', async () => {
    await page.goto(`${host.url}/dashboard/modules`);
    await page.getByRole('heading', { name: 'Module Management' }).waitFor();
    await row(/accountsettings/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Actions for accountsettings' }).count()).toBe(0);
    expect(await problemsInAllLooks(page, 'modules')).toEqual({});
    await page.getByRole('button', { name: '+ Add New Module' }).click();
    const form = dialog('Add New Module');
    await expect.poll(() => form.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await form.getByLabel('Module Name').fill('two words');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Module name can only contain letters, digits, underscores and hyphens').waitFor();
    await form.getByLabel('Module Name').fill('Home');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('A module with this name already exists').waitFor();
    expect(await problemsInAllLooks(page, 'module-add')).toEqual({});
    await form.getByLabel('Module Name').fill('looms');
    await form.getByRole('button', { name: 'Create' }).click();
    await said('Module created successfully');
    await page.getByRole('searchbox').fill('loom');
    await choose('looms', 'Edit');
    await dialog('Edit Module').getByLabel('Module Name').fill('spindles');
    await dialog('Edit Module').getByRole('button', { name: 'Update' }).click();
    await said('Module updated successfully');
    await page.getByRole('searchbox').fill('spind');
    await choose('spindles', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said('Module deleted successfully');
    await page.getByText('No modules found matching your search').waitFor();
  });
});
