import { readFile } from 'node:fs/promises';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openTab, submitSignIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let admin: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: builtInRole.admin, user: { fname: 'Asha', lname: 'M' } });
  await buildRole(tenant, { name: 'Weavers', permissions: [{ model: 'inbox', view: true }] });
  for (const fname of ['Bina', 'Chitra']) await buildMailbox(host.app, { tenant, user: { fname, lname: 'Rao' } });
  const boss = { fname: 'Diya', lname: 'Rao' };
  await buildMailbox(host.app, { tenant, roleNumber: builtInRole.superAdmin, user: boss });
  page = await openTab(host, admin);
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { name: 'User Management' }).waitFor();
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const tick = (name: string) => row(name).getByRole('checkbox').click();
const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
const file = (lines: string[]) => ({
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['First name,Last name,Email,Role', ...lines].join('\r\n')),
});
const address = (local: string) => `${local}@${admin.domain.domainName}`;

describe('several users', () => {
  it('are ticked, deactivated after a question, and activated', async () => {
    await tick('Bina Rao');
    await tick('Chitra Rao');
    await page.getByText('2 selected').waitFor();
    expect(await problemsInAllLooks(page, 'many-users-1')).toEqual({});
    await press('Deactivate');
    await page.getByRole('alertdialog', { name: 'Deactivate 2 users?' }).waitFor();
    expect(await problemsInAllLooks(page, 'many-users-2')).toEqual({});
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
    await toast('2 users updated');
    await row('Bina Rao').getByText('Inactive', { exact: true }).waitFor();
    await row('Chitra Rao').getByText('Inactive', { exact: true }).waitFor();
    await press('Activate');
    await row('Bina Rao').getByText('Active', { exact: true }).waitFor();
    expect(await User.count({ where: { companyId: String(admin.company.id), activeStatus: false } })).toBe(0);
  });

  it('get another role, and those that stay as they are say why', async () => {
    await tick('Diya Rao');
    await press('Change role');
    const dialog = page.getByRole('dialog', { name: 'Change the role of 3 users' });
    await dialog.waitFor();
    await press('Change');
    await dialog.getByText('Role is required').waitFor();
    await dialog.getByLabel('Role').selectOption({ label: 'Weavers' });
    await press('Change');
    const refused = page.getByRole('alertdialog', { name: '1 user was not changed' });
    await refused.getByText('This person may do more than you, so you cannot change them.').waitFor();
    expect(await problemsInAllLooks(page, 'many-users-3')).toEqual({});
    await press('OK');
    await row('Bina Rao').getByText('Weavers').waitFor();
    await row('Chitra Rao').getByText('Weavers').waitFor();
  });
});

describe('users of a file', () => {
  it('are checked first: every problem is named by its line', async () => {
    await press('Import');
    const dialog = page.getByRole('dialog', { name: 'Import users' });
    await dialog.waitFor();
    expect(await problemsInAllLooks(page, 'many-users-4')).toEqual({});
    const lines = [`Esha,Rao,${address('esha')},Weavers`, `F4,Rao,${address('farah')},`, `Gita,Rao,gita,Emperor`];
    await dialog.locator('input[type=file]').setInputFiles(file(lines));
    await dialog.getByText('The file has 3 problems. Nothing is added until it has none.').waitFor();
    const problems = dialog.getByRole('table', { name: 'Problems of the file' });
    await expect
      .poll(() => problems.getByRole('row').allTextContents())
      .toEqual([
        'LineColumnProblem',
        '3First nameFirst name should only contain letters, spaces, hyphens, apostrophes and full stops',
        expect.stringMatching(/^4Email/),
        '4RoleThe company has no such role',
      ]);
    expect(await problemsInAllLooks(page, 'many-users-5')).toEqual({});
    expect(await User.count({ where: { email: address('esha') } })).toBe(0);
  });

  it('are added when the file is good, and their passwords are saved as a file', async () => {
    const dialog = page.getByRole('dialog', { name: 'Import users' });
    const lines = [`Esha,Rao,${address('esha')},Weavers`, `Farah,Rao,${address('farah')},`];
    await dialog.locator('input[type=file]').setInputFiles(file(lines));
    await dialog.getByText(/^2 users can be added\./).waitFor();
    await press('Add 2 users');
    await page.getByRole('alertdialog', { name: '2 users were added' }).waitFor();
    expect(await problemsInAllLooks(page, 'many-users-6')).toEqual({});
    await press('Done');
    await page.getByText('Close without the passwords?').waitFor();
    await press('Go back');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Save addresses and passwords')]);
    const saved = await readFile(await download.path(), 'utf8');
    await press('Done');
    await row('Farah Rao').waitFor();
    const password = /Esha Rao,[^,]+,([^,]+),Active\r\n/.exec(saved)?.[1] ?? '';
    const user = await User.findOne({ where: { email: address('esha') }, rejectOnEmpty: true });
    const theirs = await (await openBrowser()).newPage();
    await submitSignIn(theirs, host, { user, password });
    await theirs.getByRole('dialog', { name: /password/i }).waitFor();
  });

  it('begin with a template, which is a good file once it has users', async () => {
    await press('Import');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Download a template')]);
    const template = await readFile(await download.path(), 'utf8');
    const lines = `${template}Hina,Rao,${address('hina')},,,,\r\n`;
    const dialog = page.getByRole('dialog', { name: 'Import users' });
    const buffer = Buffer.from(lines);
    await dialog.locator('input[type=file]').setInputFiles({ name: 'template.csv', mimeType: 'text/csv', buffer });
    await dialog.getByText(/^1 user can be added\./).waitFor();
    await press('Cancel');
    await until('the dialog is gone', async () => (await dialog.count()) === 0);
  });
});
