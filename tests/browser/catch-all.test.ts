import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildGroup, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

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
  await buildGroup(mill, { local: 'sales', members: [ben] });
  page = await openTab(host, asha);
});

const catchAllOf = async ({ domain }: Tenant): Promise<string | null> => {
  const { catchAllId } = await domain.reload();
  return catchAllId ? ((await Address.findByPk(catchAllId))?.address ?? null) : null;
};
const open = async () => {
  await page.getByRole('button', { name: `Actions for ${mill.domain.domainName}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Change' }).press('Enter');
  return page.getByRole('dialog', { name: `Catch-all of ${mill.domain.domainName}` });
};
const kindIn = (form: Awaited<ReturnType<typeof open>>) =>
  form.getByLabel('Mail for names that the domain does not have');
const save = (form: Awaited<ReturnType<typeof open>>) => form.getByRole('button', { name: 'Save' }).press('Enter');

describe('the catch-alls', () => {
  it('stand beside the groups, with a domain that refuses unknown names', async () => {
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('link', { name: 'Catch-all', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Catch-all' }).waitFor();
    await page.getByRole('row', { name: `${mill.domain.domainName} Unknown names are refused` }).waitFor();
    // A company's own people see no column and no filter of companies
    await expect.poll(() => page.getByText('Company Name').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'catch-all-none')).toEqual({});
  });

  it('are set to a person that is found by typing, with the keyboard alone, and say what comes with it', async () => {
    const form = await open();
    await form.getByText('A sender who mistypes a name is told at once.').waitFor();
    expect(await problemsInAllLooks(page, 'catch-all-refuses')).toEqual({});
    await kindIn(form).selectOption('Goes to a person');
    await form.getByText(/A catch-all also receives a lot of junk/).waitFor();
    await save(form);
    await form.getByText('Choose a person', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'catch-all-missing')).toEqual({});
    const field = form.getByRole('combobox', { name: 'Person' });
    const found = page.waitForResponse((response) => response.url().includes('search=ben'));
    await field.pressSequentially('ben');
    await found;
    // All people stand there until the search has its answer
    await page.getByRole('option', { name: /^Asha Menon/ }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /^Ben Okri/ }).waitFor();
    await page.keyboard.press('Enter');
    await until('the field names the person', async () => (await field.inputValue()).startsWith('Ben Okri'));
    await save(form);
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: `${mill.domain.domainName} Ben Okri (${ben.user.email})` }).waitFor();
    await expect.poll(() => catchAllOf(mill)).toBe(ben.user.email);
    expect(await problemsInAllLooks(page, 'catch-all-person')).toEqual({});
  });

  it('are set to a group, and the server’s problem stands at its field', async () => {
    const form = await open();
    await expect.poll(() => kindIn(form).inputValue()).toBe('person');
    await kindIn(form).selectOption('Goes to a group');
    const group = form.getByRole('combobox', { name: 'Group' });
    await expect.poll(() => group.inputValue()).toBe('');
    await group.click();
    await page.getByRole('option', { name: /^Group sales/ }).click();
    const { address } = (await Address.findOne({ where: { kind: 'group', companyId: mill.company.id } })) as Address;
    // Meanwhile the group's address goes to another company
    const other = await buildCompany(host.app);
    await Address.update({ companyId: other.company.id }, { where: { address } });
    await save(form);
    await form.getByText('Choose a person or a group of the company').waitFor();
    expect(await problemsInAllLooks(page, 'catch-all-refused')).toEqual({});
    await Address.update({ companyId: mill.company.id }, { where: { address } });
    await save(form);
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: `${mill.domain.domainName} Group sales (${address})` }).waitFor();
    await expect.poll(() => catchAllOf(mill)).toBe(address);
  });

  it('are not overwritten by a form that was opened before another change', async () => {
    const form = await open();
    await kindIn(form).selectOption('Is refused');
    const mailbox = (await Address.findOne({ where: { userId: String(ben.user.id), kind: 'mailbox' } })) as Address;
    const domain = await mill.domain.reload();
    await domain.update({ catchAllId: String(mailbox.id), version: domain.version + 1 });
    await save(form);
    await form.getByText(/Nothing of yours was saved yet/).waitFor();
    expect(await problemsInAllLooks(page, 'catch-all-conflict')).toEqual({});
    await form.getByRole('button', { name: 'Use theirs' }).press('Enter');
    const field = form.getByRole('combobox', { name: 'Person' });
    await expect.poll(() => field.inputValue()).toMatch(/^Ben Okri/);
    await form.getByRole('button', { name: 'Cancel' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    expect(await catchAllOf(mill)).toBe(ben.user.email);
    // The list behind the form was outdated as well
    await page.getByRole('row', { name: `${mill.domain.domainName} Ben Okri (${ben.user.email})` }).waitFor();
  });

  it('keep one’s own choice of a person over a group that another administrator chose', async () => {
    const form = await open();
    const field = form.getByRole('combobox', { name: 'Person' });
    await field.click();
    await field.fill('asha');
    await page.getByRole('option', { name: /^Asha Menon/ }).click();
    await expect.poll(() => field.inputValue()).toMatch(/^Asha Menon/);
    const group = (await Address.findOne({ where: { kind: 'group', companyId: mill.company.id } })) as Address;
    const domain = await mill.domain.reload();
    await domain.update({ catchAllId: String(group.id), version: domain.version + 1 });
    await save(form);
    await form.getByRole('button', { name: 'Keep my changes on top' }).press('Enter');
    await expect.poll(() => kindIn(form).inputValue()).toBe('person');
    await expect.poll(() => field.inputValue()).toMatch(/^Asha Menon/);
    await save(form);
    await form.waitFor({ state: 'detached' });
    expect(await catchAllOf(mill)).toBe(asha.user.email);
  });

  it('are taken away again', async () => {
    const form = await open();
    await kindIn(form).selectOption('Is refused');
    await save(form);
    await page.getByRole('row', { name: `${mill.domain.domainName} Unknown names are refused` }).waitFor();
    await expect.poll(() => catchAllOf(mill)).toBe(null);
  });

  it('of all companies are seen by the provider, with long names, and found by domain', async () => {
    const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
    const boss = await buildMailbox(host.app, { tenant: provider, roleNumber: 0 });
    const name = 'Tirupur Knitwear Exporters and Spinning Mills Private Limited';
    const other = await buildCompany(host.app, { name });
    const long = await Domain.create({
      companyId: String(other.company.id),
      verifiedAt: new Date(),
      domainName: `mail.${'a-long-name-of-a-domain-'.repeat(2)}x.test`,
    });
    await buildMailbox(host.app, { tenant: other, user: { fname: 'Venkatanarasimharajuvaripeta' } });
    const person = (await User.findOne({ where: { companyId: other.company.id } })) as User;
    const target = (await Address.findOne({ where: { userId: String(person.id) } })) as Address;
    await long.update({ catchAllId: String(target.id) });
    await Domain.bulkCreate(
      Array.from({ length: 200 }, (_none, index) => ({
        companyId: String(other.company.id),
        domainName: `d${index}.${other.domain.domainName}`,
        verifiedAt: new Date(),
      })),
    );
    const tab = await openTab(host, boss);
    await tab.goto(`${host.url}/dashboard/groups/catch_all`);
    await tab.getByRole('row').nth(10).waitFor();
    expect(await problemsInAllLooks(tab, 'catch-all-many')).toEqual({});
    await tab.getByLabel('Search domains').fill('a-long-name');
    await tab.getByRole('row', { name: new RegExp(`mail\\.a-long.*${name}.*Venkatanarasimharajuvaripeta`) }).waitFor();
    expect(await problemsInAllLooks(tab, 'catch-all-long')).toEqual({});
    await tab.getByLabel('Search domains').fill('nothing-like-it');
    await tab.getByText('No domains found matching your search').waitFor();
  });

  it('are not there for a company without a domain, and say what they are for', async () => {
    await Domain.update({ deletedAt: new Date() }, { where: { id: mill.domain.id } });
    await page.reload();
    await page.getByText('No domains found').waitFor();
    expect(await problemsInAllLooks(page, 'catch-all-empty')).toEqual({});
    await Domain.update({ deletedAt: null }, { where: { id: mill.domain.id } });
  });
});
