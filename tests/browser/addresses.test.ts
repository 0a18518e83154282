import { Address } from '@selvage/core/models/address';
import { Group } from '@selvage/core/models/group';
import { GroupMember } from '@selvage/core/models/group-member';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildGroup, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let mill: Tenant;
let asha: Mailbox;
let ben: Mailbox;
/** The company's administrator, in the browser. */
let page: Page;

beforeAll(async () => {
  host = await startWebHost();
  mill = await buildCompany(host.app, { name: 'Ambika Cotton Mills' });
  asha = await buildMailbox(host.app, { tenant: mill, roleNumber: 1, user: { fname: 'Asha', lname: 'Menon' } });
  ben = await buildMailbox(host.app, { tenant: mill, user: { fname: 'Ben', lname: 'Okri' } });
  page = await openTab(host, asha);
});

const at = (local: string) => `${local}@${mill.domain.domainName}`;
const dialog = (name: string) => page.getByRole('dialog', { name });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** Waits for a toast. The same words are there for screen readers as well. */
const said = (text: string) => page.getByText(text).last().waitFor();
const choose = async (name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};
const addPerson = async (form: ReturnType<typeof dialog>, typed: string, option: RegExp, on = page) => {
  const field = form.getByRole('combobox', { name: 'People' });
  await field.click();
  await field.pressSequentially(typed);
  const people = on.getByRole('listbox').getByRole('option');
  await people.filter({ hasText: option }).waitFor();
  // All people stand there until the search has its answer. Then the wanted one moves up, perhaps
  // away from under the press
  await people.filter({ hasNotText: option }).first().waitFor({ state: 'detached' });
  await people.filter({ hasText: option }).click();
};
const membersOf = async (group: Group) => {
  const rows = await GroupMember.findAll({ where: { groupId: String(group.id) } });
  return rows.map(({ userId }) => String(userId)).toSorted();
};
const idsOf = (...people: Mailbox[]) => people.map(({ user }) => String(user.id)).toSorted();

describe('the aliases of a person', () => {
  it('are added with each problem at its field, listed, and taken away after a question', async () => {
    await page.goto(`${host.url}/dashboard/user/${ben.user.id}`);
    await page.getByText('No aliases. Mail comes only to the mailbox’s own address.').waitFor();
    expect(await problemsInAllLooks(page, 'aliases-none')).toEqual({});
    await press('Add an alias');
    const form = dialog('Add an alias');
    await expect.poll(() => form.getByLabel('Domain').inputValue()).toBe(mill.domain.domainName);
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Username is required').waitFor();
    await form.getByLabel('Username').fill(asha.user.email.split('@')[0] ?? '');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('This address is taken, perhaps by a deleted user').first().waitFor();
    expect(await problemsInAllLooks(page, 'alias-add')).toEqual({});
    await form.getByLabel('Username').fill('Sales');
    await form.getByRole('button', { name: 'Create' }).click();
    await said('Alias added');
    await page.getByRole('list', { name: 'Aliases' }).getByText(at('sales')).waitFor();
    expect(await problemsInAllLooks(page, 'aliases-one')).toEqual({});
    expect(await Address.count({ where: { address: at('sales'), userId: String(ben.user.id) } })).toBe(1);
    await press(`Remove ${at('sales')}`);
    expect(await problemsInAllLooks(page, 'alias-remove')).toEqual({});
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said('Alias removed');
    await page.getByText('No aliases.').waitFor();
    expect(await Address.count({ where: { address: at('sales') } })).toBe(0);
  });

  it('are given by administrators to themselves as well', async () => {
    await page.goto(`${host.url}/dashboard/user/${asha.user.id}`);
    await page.getByRole('button', { name: 'Add an alias' }).waitFor();
  });
});

describe('the groups', () => {
  it('are added with people found by typing, and each problem at its field', async () => {
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('heading', { name: 'Group Management' }).waitFor();
    await page.getByText('No groups found').waitFor();
    expect(await problemsInAllLooks(page, 'groups-none')).toEqual({});
    await page.getByRole('button', { name: '+ Add New Group' }).first().click();
    const form = dialog('Add New Group');
    await form.getByRole('button', { name: 'Create' }).click();
    for (const problem of ['Name is required', 'Username is required', 'Choose a domain']) {
      await form.getByText(problem).last().waitFor();
    }
    expect(await problemsInAllLooks(page, 'group-add')).toEqual({});
    await form.getByLabel('Group Name').fill('Sales');
    await form.getByLabel('Username').fill('Sales');
    await form.getByLabel('Domain').selectOption(mill.domain.domainName);
    await expect.poll(() => form.getByLabel('Full email address').inputValue()).toBe(at('sales'));
    await addPerson(form, 'asha', /Asha Menon/);
    await addPerson(form, 'ben', /Ben Okri/);
    // The same person twice is one person
    await addPerson(form, 'ben', /Ben Okri/);
    await form.getByText('2 people', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'group-filled')).toEqual({});
    await form.getByRole('button', { name: 'Create' }).click();
    await said('Group created successfully');
    await page.getByRole('row', { name: new RegExp(`Sales ${at('sales')} 2 Active`) }).waitFor();
    expect(await problemsInAllLooks(page, 'groups-one')).toEqual({});
    const group = (await Group.findOne({ where: { address: at('sales') } })) as Group;
    await expect.poll(() => membersOf(group)).toEqual(idsOf(asha, ben));
  });

  it('are changed unless another person was faster, and switched off', async () => {
    const group = (await Group.findOne({ where: { address: at('sales') } })) as Group;
    await choose('Sales', 'Edit');
    const form = dialog('Edit Group');
    await form.getByRole('button', { name: 'Remove Asha Menon' }).click();
    await form.getByText('1 person', { exact: true }).waitFor();
    await group.update({ name: 'Sales of Erode', version: 2 });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('button', { name: 'Keep my changes on top' }).waitFor();
    expect(await problemsInAllLooks(page, 'group-edit')).toEqual({});
    await form.getByRole('button', { name: 'Keep my changes on top' }).click();
    await form.getByRole('switch', { name: 'Active' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await said('Group updated successfully');
    await page.getByRole('row', { name: /Sales of Erode .* 1 Inactive/ }).waitFor();
    await expect.poll(() => membersOf(group)).toEqual(idsOf(ben));
  });

  it('are deleted after a question', async () => {
    await choose('Sales of Erode', 'Delete');
    const question = page.getByRole('alertdialog', { name: 'Delete this group?' });
    await question.getByText(at('sales')).waitFor();
    expect(await problemsInAllLooks(page, 'group-delete')).toEqual({});
    await question.getByRole('button', { name: 'Delete' }).click();
    await said('Group deleted successfully');
    await page.getByText('No groups found').waitFor();
    expect(await Address.count({ where: { address: at('sales') } })).toBe(0);
  });

  it('of all companies are seen by the provider, who chooses the company of a new one and its people', async () => {
    const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
    const boss = await buildMailbox(host.app, { tenant: provider, roleNumber: 0, user: { fname: 'Ben' } });
    const crew = await Promise.all(Array.from({ length: 12 }, () => buildMailbox(host.app, { tenant: mill })));
    const name = 'A group with a name that is as long as a name of a group may ever become';
    await buildGroup(mill, { local: 'a.name.as.long.as.groups.have.them', members: crew });
    const tab = await openTab(host, boss);
    await tab.goto(`${host.url}/dashboard/groups`);
    await tab.getByRole('row', { name: /a\.name\.as\.long.*Ambika Cotton Mills/ }).waitFor();
    await tab.getByRole('button', { name: '+ Add New Group' }).first().click();
    const form = tab.getByRole('dialog', { name: 'Add New Group' });
    await expect.poll(() => form.getByRole('combobox', { name: 'People' }).isDisabled()).toBe(true);
    const company = form.getByRole('combobox', { name: 'Company Name' });
    await company.click();
    await company.pressSequentially('ambika');
    await tab.getByRole('option', { name: 'Ambika Cotton Mills' }).click();
    await form.getByLabel('Group Name').fill(name);
    await form.getByLabel('Username').fill('weavers');
    await form.getByLabel('Domain').selectOption(mill.domain.domainName);
    // The provider's own Ben is not among them
    await addPerson(form, 'ben', /^Ben Okri/, tab);
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    await tab.getByRole('row', { name: /A group with a name/ }).waitFor();
    expect(await problemsInAllLooks(tab, 'groups-long')).toEqual({});
    await tab.getByRole('button', { name: /^Actions for Group a\.name/ }).click();
    await tab.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await tab.getByRole('dialog', { name: 'Edit Group' }).getByText('12 people', { exact: true }).waitFor();
    expect(await problemsInAllLooks(tab, 'group-many')).toEqual({});
  });
});
