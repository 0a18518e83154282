import { randomBytes } from 'node:crypto';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openTab, submitSignIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let staff: Mailbox;
let page: Page;
const mark = randomBytes(4).toString('hex');
const company = `Ambika Mills ${mark}`;
const address = `meera@${mark}.test`;

beforeAll(async () => {
  host = await startWebHost({ POSTAL_CODE_URL: 'http://127.0.0.1:1/' });
  const provider = await buildCompany(host.app, { isProvider: true });
  staff = await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  page = await openTab(host, staff);
});

async function choose(name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

async function headingsOf(tab: Page): Promise<string[]> {
  return (await tab.getByRole('columnheader').allTextContents()).map((text) => text.trim());
}

describe('a provider’s first day', { timeout: 120_000 }, () => {
  let password = '';

  it('begins with a client, who gets a company, a domain and an administrator', async () => {
    await page.getByRole('link', { name: 'Clients' }).click();
    await page.getByRole('button', { name: '+ Add New Client' }).first().click();
    await page.getByRole('button', { name: 'Create' }).click();
    for (const problem of ['Company name is required', 'First name is required', 'Personal email is required']) {
      await page.getByText(problem).waitFor();
    }
    expect(await problemsInAllLooks(page, 'clients-1')).toEqual({});
    await page.getByLabel('Company Name').fill(company);
    await page.getByLabel('First Name').fill('Meera');
    await page.getByLabel('Personal Email').fill('meera@home.example');
    await page.getByLabel('Business Email').fill(address);
    await page.getByRole('button', { name: 'Generate' }).click();
    password = await page.getByRole('textbox', { name: 'Password' }).inputValue();
    expect(password).toMatch(/^[A-Za-z0-9*&^%$#@!]{9}$/);
    await page.getByLabel('The password must be changed at the first login').uncheck();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Client created successfully').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Meera' }).waitFor();
    expect(await headingsOf(page)).toEqual([
      '#',
      'Client Name',
      'Personal Email',
      'Business Email',
      'Company Name',
      'Status',
      'Actions',
    ]);
    expect(await problemsInAllLooks(page, 'clients-2')).toEqual({});
  });

  it('goes on as that administrator, who sees their own company alone', async () => {
    const user = await User.findOne({ where: { email: address }, rejectOnEmpty: true });
    const theirs = await (await openBrowser()).newPage();
    await submitSignIn(theirs, host, { user, password });
    await theirs.getByRole('button', { name: 'Continue to mail' }).click();
    await theirs.getByRole('link', { name: 'Companies' }).click();
    await theirs.getByRole('link', { name: company }).waitFor();
    await expect.poll(() => theirs.getByRole('row').count()).toBe(2);
    expect(await headingsOf(theirs)).toEqual(['#', 'Company Name', 'Email', 'Industry', 'Status', 'Actions']);
    await expect.poll(() => theirs.getByRole('link', { name: 'Clients' }).count()).toBe(0);
    await expect.poll(() => theirs.getByRole('button', { name: '+ Add New Company' }).count()).toBe(0);
    await theirs.goto(`${host.url}/dashboard/client`);
    await theirs.getByText('You may not open this page').waitFor();
  });

  it('opens the form of a new company at its own address', async () => {
    const tab = await page.context().newPage();
    await tab.goto(`${host.url}/dashboard/company/create`);
    const form = tab.getByRole('dialog', { name: 'Add New Company' });
    await form.getByRole('button', { name: 'Cancel' }).click();
    await tab.waitForURL('**/dashboard/company');
    await tab.getByRole('button', { name: '+ Add New Company' }).waitFor();
    await tab.close();
  });

  it('shows the client with real counts, and its company', async () => {
    await page.getByRole('link', { name: 'Meera' }).click();
    await page.getByRole('heading', { name: 'Company information' }).waitFor();
    await page.getByText('Active Account').waitFor();
    await expect.poll(() => page.getByRole('definition').first().textContent()).toBe('meera@home.example');
    expect(await problemsInAllLooks(page, 'clients-3')).toEqual({});
    await page.getByRole('link', { name: company }).click();
    await page.getByRole('button', { name: 'Edit Company' }).waitFor();
    expect(await problemsInAllLooks(page, 'clients-4')).toEqual({});
  });

  it('lets a place be typed when the look-up of postal codes is out of reach', async () => {
    await page.getByRole('button', { name: 'Edit Company' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Phone').fill('98765 43210 99');
    await dialog.getByLabel(/^Address/).fill('1 Mill Lane');
    const lookedUp = page.waitForResponse(/postal-code\/395003/);
    await dialog.getByLabel('Pin Code').fill('0395003');
    expect((await lookedUp).status()).toBe(503);
    await dialog.getByLabel('City').fill('Surat');
    await dialog.getByLabel('State').fill('Gujarat');
    await dialog.getByLabel('Country').fill('India');
    expect(await problemsInAllLooks(page, 'clients-5')).toEqual({});
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Company updated successfully').first().waitFor();
    const saved = await Company.findOne({ where: { name: company }, rejectOnEmpty: true });
    expect([saved.phone, saved.pinCode, saved.city]).toEqual(['9876543210', '395003', 'Surat']);
  });

  it('shows the business email of a client that is edited, as a field that stays', async () => {
    await page.getByRole('link', { name: 'Clients' }).first().click();
    await choose('Meera', 'Edit');
    const field = page.getByRole('dialog', { name: 'Edit Client' }).getByLabel('Business Email');
    await expect.poll(() => field.inputValue()).toBe(address);
    expect(await field.isEditable()).toBe(false);
    expect(await problemsInAllLooks(page, 'clients-edit')).toEqual({});
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('deletes a client by a typed word, and brings it back', async () => {
    await page.getByRole('link', { name: 'Clients' }).first().click();
    await choose('Meera', 'Delete');
    const dialog = page.getByRole('alertdialog');
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Type DELETE to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Client deleted (soft) successfully').first().waitFor();
    // The list shows the change once the question is gone
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Status', { exact: true }).selectOption('deleted');
    await page.getByRole('link', { name: 'Meera' }).waitFor();
    await choose('Meera', 'Restore Client');
    await page.getByText('Client restored successfully').first().waitFor();
    await page.getByText('Oops! No Data Found').waitFor();
    expect(await problemsInAllLooks(page, 'clients-6')).toEqual({});
    await page.getByRole('button', { name: 'Clear Filters' }).last().click();
    await page.getByRole('link', { name: 'Meera' }).waitFor();
  });
});

describe('a domain that readers could take for another one', () => {
  const shown = `b\u00fccher${mark}.test`;

  async function fillForm(name: string, email: string): Promise<void> {
    await page.goto(`${host.url}/dashboard/client`);
    await page.getByRole('button', { name: '+ Add New Client' }).first().click();
    await page.getByLabel('Company Name').fill(name);
    await page.getByLabel('First Name').fill(name);
    await page.getByLabel('Personal Email').fill('vera@home.example');
    await page.getByLabel('Business Email').fill(email);
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
  }

  it('is shown in its own letters', async () => {
    await fillForm('Buchers', `vera@${shown}`);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page
      .getByRole('row', { name: /Buchers/ })
      .getByText(`vera@${shown}`)
      .waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText(`vera@${shown}`).first().waitFor();
  });

  it('is added once the provider says that it is meant', async () => {
    await fillForm('Lookalikes', `vera@bucher${mark}.test`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This domain looks like ${shown}, which this host has already.`).first().waitFor();
    const meant = dialog.getByLabel('I have checked the domain: add it although it looks like another one');
    await meant.check();
    expect(await problemsInAllLooks(page, 'clients-similar')).toEqual({});
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Lookalikes' }).first().waitFor();
  });
});
