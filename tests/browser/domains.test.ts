import { randomBytes } from 'node:crypto';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { DomainRecord } from '@selvage/core/models/domain-record';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { untilDayLasts } from '../support/rest-of-day.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const mark = randomBytes(4).toString('hex');
const millName = `Ambika Cotton Mills ${mark}`;
const dayIn = (days: number): string => {
  const day = new Date(Date.now() + days * 86_400_000);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

let host: TestHost;
let mill: Tenant;
/** A person of the provider, in the browser. */
let staff: Page;
/** The company's administrator, in the browser. */
let page: Page;

beforeAll(async () => {
  await untilDayLasts();
  host = await startWebHost();
  mill = await buildCompany(host.app, { name: millName });
  const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
  staff = await openTab(host, await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
  page = await openTab(host, await buildMailbox(host.app, { tenant: mill, roleNumber: builtInRole.admin }));
});

async function choose(tab: Page, name: string, entry: string): Promise<void> {
  await tab.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
  await tab.getByRole('menuitem', { name: entry, exact: true }).press('Enter');
}

const clipboardOf = (tab: Page): Promise<string> => tab.evaluate<string>('navigator.clipboard.readText()');
const rowOf = (tab: Page, name: string) => tab.getByRole('row').filter({ has: tab.getByRole('link', { name }) });

describe('a domain that the provider adds', { timeout: 120_000 }, () => {
  const name = `kn\u00fcpfer-${mark}.test`;

  it('needs a name, a real one, and a company', async () => {
    await staff.getByRole('link', { name: 'Domains' }).click();
    await staff.getByRole('heading', { name: 'Domain Management' }).waitFor();
    await staff.getByRole('button', { name: '+ Add New Domain' }).press('Enter');
    const form = staff.getByRole('dialog', { name: 'Add New Domain' });
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await form.getByText('Domain name is required').waitFor();
    await form.getByText('Company selection is required').waitFor();
    await form.getByLabel('Domain Name').fill('not a domain');
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await form.getByText('Invalid domain format').waitFor();
    expect(await problemsInAllLooks(staff, 'domains-form')).toEqual({});
  });

  it('is vouched for at once, and the list marks that its registration ends soon', async () => {
    const form = staff.getByRole('dialog', { name: 'Add New Domain' });
    await form.getByLabel('Domain Name').fill(name);
    await form.getByLabel('Company').selectOption(millName);
    await form.getByLabel('Expiration Date').fill(dayIn(5));
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await staff.getByText('Domain created successfully').first().waitFor();
    await form.waitFor({ state: 'detached' });
    const row = rowOf(staff, name);
    await row.getByText('Active', { exact: true }).waitFor();
    await row.getByText('5 days left').waitFor();
    await row.getByRole('link', { name: millName }).waitFor();
    await expect.poll(() => row.getByText('Not verified').count()).toBe(0);
    const headings = (await staff.getByRole('columnheader').allTextContents()).map((text) => text.trim());
    expect(headings).toEqual(['#', 'Domain', 'Company Name', 'Status', 'Expiration Date', 'Actions']);
    expect(await problemsInAllLooks(staff, 'domains-list')).toEqual({});
  });

  it('that looks like another one is added once the provider says that it is meant', async () => {
    await staff.getByRole('button', { name: '+ Add New Domain' }).press('Enter');
    const form = staff.getByRole('dialog', { name: 'Add New Domain' });
    await form.getByLabel('Domain Name').fill(`knupfer-${mark}.test`);
    await form.getByLabel('Company').selectOption(millName);
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await form.getByText(`This domain looks like ${name}, which this host has already.`).first().waitFor();
    await form.getByLabel('I have checked the domain: add it although it looks like another one').press('Space');
    expect(await problemsInAllLooks(staff, 'domains-similar')).toEqual({});
    await form.getByRole('button', { name: 'Create' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    await rowOf(staff, `knupfer-${mark}.test`).getByText('N/A').waitFor();
  });

  it('keeps its name and its company when it is edited', async () => {
    await choose(staff, name, 'Edit');
    const form = staff.getByRole('dialog', { name: 'Edit Domain' });
    await until('the name stands there', async () => (await form.getByLabel('Domain Name').inputValue()) === name);
    await expect.poll(() => form.getByLabel('Domain Name').isEditable()).toBe(false);
    await expect.poll(() => form.getByLabel('Company').isEditable()).toBe(false);
    await form.getByLabel('Expiration Date').fill(dayIn(-2));
    await form.getByRole('switch', { name: 'Active' }).press('Space');
    expect(await problemsInAllLooks(staff, 'domains-edit')).toEqual({});
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    await rowOf(staff, name).getByText('Expired').waitFor();
    await rowOf(staff, name).getByText('Inactive').waitFor();
    await choose(staff, name, 'Edit & View');
    await staff.getByRole('heading', { name, level: 1 }).waitFor();
    await staff.getByRole('navigation', { name: 'Breadcrumb' }).getByText(name).waitFor();
    await expect
      .poll(() => staff.getByRole('tab').allTextContents())
      .toEqual(['Add Records', 'Open DKIM', 'Check DNS', 'History']);
  });
});

describe('a domain that a company adds', { timeout: 120_000 }, () => {
  const name = `ambika-${mark}.test`;
  const find = () => Domain.findOne({ where: { domainName: name }, rejectOnEmpty: true });
  const keyOf = (selector: string) =>
    page
      .getByRole('list', { name: 'Keys of this domain' })
      .getByRole('listitem')
      .filter({ hasText: `${selector}._` });
  /** Copies a value. The words of an earlier copy may still stand there, and what it has copied. */
  const valueOf = async (tab: Page): Promise<string> => {
    await tab.evaluate("navigator.clipboard.writeText('')");
    await tab.getByRole('button', { name: 'Copy the value' }).press('Enter');
    await tab.getByText('Copied to clipboard').first().waitFor();
    return await until('it is copied', () => clipboardOf(tab).then((text) => text !== '' && text));
  };

  it('belongs to that company, and leads to the page that says how to verify it', async () => {
    await page.getByRole('link', { name: 'Domains' }).press('Enter');
    await page.getByRole('button', { name: '+ Add New Domain' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Add New Domain' });
    await expect.poll(() => form.getByLabel('Company').inputValue()).toBe(millName);
    await expect.poll(() => form.getByLabel('Company').isEditable()).toBe(false);
    await form.getByLabel('Domain Name').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Show that the domain is yours' }).waitFor();
    await page.getByRole('heading', { name: 'Domain Details' }).waitFor();
    await expect.poll(() => page.getByText('Not verified').count()).toBe(2);
    await expect.poll(() => page.getByRole('button', { name: 'Vouch for this domain' }).count()).toBe(0);
    await expect
      .poll(() => page.getByRole('tab').allTextContents())
      .toEqual(['Add Records', 'Open DKIM', 'Check DNS', 'History']);
    expect(await problemsInAllLooks(page, 'domain-unverified')).toEqual({});
  });

  it('says that its record is not in the DNS yet, or that the DNS is silent', async () => {
    const check = page.getByRole('button', { name: 'Check now' });
    await check.press('Enter');
    await page.getByText('The record is not there yet.').waitFor();
    expect(await problemsInAllLooks(page, 'domain-missing')).toEqual({});
    host.dns.addRecords(`_selvage.${name}`, 'SERVFAIL');
    await check.press('Enter');
    await page.getByText(/^The name servers answer with an error \(SERVFAIL\)/).waitFor();
    expect((await find()).verifiedAt).toBeNull();
  });

  it('is verified once the DNS has the record that was copied from the page', async () => {
    await page.getByRole('button', { name: 'Copy the name', exact: true }).press('Enter');
    await page.getByText('Copied to clipboard').first().waitFor();
    const owner = await clipboardOf(page);
    expect(owner).toBe(`_selvage.${name}`);
    await page.getByText('Name without the domain').waitFor();
    await page.getByRole('button', { name: 'Copy the name without the domain' }).press('Enter');
    await until('it is copied', async () => (await clipboardOf(page)) === '_selvage');
    host.dns.addRecords(owner, { TXT: [await valueOf(page)] });
    await page.getByRole('button', { name: 'Check now' }).press('Enter');
    await page.getByText('The domain is verified').first().waitFor();
    await page.getByRole('heading', { name: 'Show that the domain is yours' }).waitFor({ state: 'detached' });
    // The button is gone: the keyboard goes on from the heading
    await expect.poll(() => page.locator('h1:focus').textContent()).toBe(name);
    expect((await find()).verifiedAt).not.toBeNull();
    await page.getByText('The domain is verified. Next: point its mail here.').waitFor();
    expect(await problemsInAllLooks(page, 'domain-verified')).toEqual({});
  });

  it('keeps records of each type, with the fields that the type has', async () => {
    const form = page.getByRole('form', { name: 'Add a record' });
    const add = form.getByRole('button', { name: 'Add Record' });
    await page.getByText('No records are kept for this domain yet.').waitFor();
    await expect.poll(() => form.getByLabel('Priority').count()).toBe(0);
    await form.getByLabel('Points to').fill('mail.example');
    await add.press('Enter');
    await form.getByText('Enter an IPv4 address').waitFor();
    expect(await problemsInAllLooks(page, 'domain-record-problem')).toEqual({});
    await form.getByLabel('Points to').fill('192.0.2.7');
    await form.getByLabel('Custom Name').fill('Web site');
    await add.press('Enter');
    await page.getByRole('row', { name: 'Web site A @ – 192.0.2.7 3600' }).waitFor();
    await until('the form is empty again', async () => (await form.getByLabel('Points to').inputValue()) === '');
    for (const [type, label] of [
      ['AAAA', 'Points to'],
      ['CNAME', 'Target'],
      ['TXT', 'TXT value'],
      ['MX', 'Mail server'],
    ] as const) {
      await form.getByLabel('Type').selectOption(type);
      await form.getByLabel(label).waitFor();
    }
    await form.getByLabel('Mail server').fill('mx.example.net');
    await form.getByLabel('Priority').fill('10');
    await form.getByLabel('TTL').fill('600');
    await add.press('Enter');
    await page.getByRole('row', { name: '– MX @ 10 mx.example.net 600' }).scrollIntoViewIfNeeded();
    const headings = (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim());
    expect(headings).toEqual(['Custom Name', 'Type', 'Name', 'Priority', 'Content', 'TTL', 'In the DNS', 'Actions']);
    expect(await problemsInAllLooks(page, 'domain-records')).toEqual({});
  });

  it('has a record changed and another one deleted', async () => {
    await choose(page, 'MX @', 'Edit');
    const form = page.getByRole('dialog', { name: 'Edit Record' });
    await form.getByLabel('Priority').fill('');
    await form.getByLabel('Custom Name').fill('Mail');
    expect(await problemsInAllLooks(page, 'domain-record-edit')).toEqual({});
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Mail MX @ 0 mx.example.net 600' }).waitFor();
    await choose(page, 'Web site', 'Delete');
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Delete' }).press('Enter');
    // While the question is open, no row behind it has a role
    await question.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^Web site/ }).waitFor({ state: 'detached' });
    const { id } = await find();
    const kept = await DomainRecord.findAll({ where: { domainId: String(id) } });
    expect(kept.map(({ recordName, priority }) => [recordName, priority])).toEqual([['Mail', 0]]);
  });

  it('gets a DKIM record, which is copied to the clipboard', async () => {
    await page.getByRole('form', { name: 'Add a record' }).getByLabel('Points to').fill('192.0.2.9');
    await page.getByRole('tab', { name: 'Add Records' }).press('ArrowRight');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByText('the new record').waitFor();
    await question.getByRole('button', { name: 'Leave' }).press('Enter');
    const form = page.getByRole('form', { name: 'DKIM record' });
    await expect.poll(() => form.getByLabel('Domain').inputValue()).toBe(name);
    await expect.poll(() => form.getByLabel('Selector').inputValue()).toBe('default');
    await form.getByLabel('Domain').fill('');
    await form.getByRole('button', { name: 'Generate DKIM Record' }).press('Enter');
    await form.getByText('Please enter a domain').waitFor();
    await form.getByLabel('Domain').fill(`not-${name}`);
    await form.getByRole('button', { name: 'Generate DKIM Record' }).press('Enter');
    await form.getByText('You have no domain of this name').first().waitFor();
    expect(await problemsInAllLooks(page, 'domain-dkim-failed')).toEqual({});
    await form.getByLabel('Domain').fill(name);
    await form.getByLabel('Domain').press('Enter');
    const result = page.getByRole('region', { name: 'Add this record to the DNS' });
    await result.getByText(`default._domainkey.${name}`).waitFor();
    await expect.poll(() => valueOf(page)).toMatch(/^v=DKIM1;.*p=[A-Za-z0-9+/=]{300,}$/);
    expect(await problemsInAllLooks(page, 'domain-dkim')).toEqual({});
  });

  it('waits for its key while the workers are away, and shows it when they are back', async () => {
    await host.end('workers', 'SIGTERM');
    const form = page.getByRole('form', { name: 'DKIM record' });
    await form.getByLabel('Selector').fill('second');
    await form.getByRole('button', { name: 'Generate DKIM Record' }).press('Enter');
    await page.getByText('The key is being made.').waitFor();
    expect(await problemsInAllLooks(page, 'domain-dkim-waiting')).toEqual({});
    await host.start('workers');
    const result = page.getByRole('region', { name: 'Add this record to the DNS' });
    await result.getByText(`second._domainkey.${name}`).waitFor({ timeout: 30_000 });
    await keyOf('second').getByText('Waiting', { exact: true }).waitFor();
  });

  it('has its key changed under a name that the page suggests, and shows when it signs', async () => {
    const form = page.getByRole('form', { name: 'DKIM record' });
    const selector = form.getByLabel('Selector');
    const change = page.getByRole('button', { name: 'Change the key' });
    await change.press('Enter');
    const suggested = await selector.inputValue();
    expect(suggested).toMatch(/^s20\d\d(?:0[1-9]|1[0-2])$/);
    await expect.poll(() => page.locator('button:focus').textContent()).toBe('Generate DKIM Record');
    await page.keyboard.press('Enter');
    await keyOf(suggested).getByText('Waiting', { exact: true }).waitFor({ timeout: 30_000 });
    await change.press('Enter');
    await expect.poll(() => selector.inputValue()).toBe(`${suggested}a`);
    const { id } = await find();
    const where = { domainId: String(id), selector: suggested };
    await DkimKey.update({ isActive: true, signsSince: new Date() }, { where });
    // The page looks again by itself
    await keyOf(suggested).getByText('Signing', { exact: true }).waitFor({ timeout: 30_000 });
    expect(await problemsInAllLooks(page, 'domain-dkim-changed')).toEqual({});
  });

  it('is deleted by a typed word, and restored', async () => {
    await page.getByRole('link', { name: 'Domains' }).first().press('Enter');
    await choose(page, name, 'Delete');
    const dialog = page.getByRole('alertdialog');
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Type DELETE to confirm').pressSequentially('delete');
    expect(await problemsInAllLooks(page, 'domain-delete')).toEqual({});
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('Domain deleted').first().waitFor();
    await rowOf(page, name).waitFor({ state: 'detached' });
    await page.getByLabel('Status', { exact: true }).selectOption('deleted');
    await rowOf(page, name).getByText('Deleted').waitFor();
    await choose(page, name, 'Restore');
    await page.getByText('Oops! No Data Found').waitFor();
    expect(await problemsInAllLooks(page, 'domains-empty')).toEqual({});
    expect((await find()).deletedAt).toBeNull();
  });

  it('is deleted for good from its own page', async () => {
    await page.getByRole('button', { name: 'Clear Filters' }).last().press('Enter');
    await choose(page, name, 'Edit & View');
    await page.getByRole('button', { name: 'Delete Domain' }).press('Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: 'Permanently Delete' }).waitFor();
    await expect.poll(() => page.getByRole('tab').count()).toBe(1);
    await expect.poll(() => page.getByRole('form', { name: 'Add a record' }).count()).toBe(0);
    expect(await problemsInAllLooks(page, 'domain-deleted')).toEqual({});
    await page.getByRole('button', { name: 'Permanently Delete' }).press('Enter');
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('heading', { name: 'Domain Management' }).waitFor();
    await expect.poll(() => Domain.count({ where: { domainName: name } })).toBe(0);
  });

  it('with addresses says why it stays', async () => {
    await Domain.update({ deletedAt: new Date() }, { where: { id: mill.domain.id } });
    await staff.goto(`${host.url}/dashboard/domain/${mill.domain.id}`);
    await staff.getByRole('button', { name: 'Permanently Delete' }).press('Enter');
    const dialog = staff.getByRole('alertdialog');
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await dialog.getByText('This domain has 1 address.').waitFor();
    await Domain.update({ deletedAt: null }, { where: { id: mill.domain.id } });
  });
});

describe('a person that may only see domains', () => {
  it('is offered nothing that changes them', async () => {
    const role = await buildRole(mill, {
      permissions: [
        { model: 'domain', view: true },
        { model: 'inbox', view: true },
      ],
    });
    const tab = await openTab(host, await buildMailbox(host.app, { tenant: mill, user: { roleId: String(role.id) } }));
    const domain = await Domain.create({ companyId: String(mill.company.id), domainName: `seen-${mark}.test` });
    // The heading of a page that arrives takes the focus
    await tab.getByText('No emails found').waitFor();
    await tab.getByRole('link', { name: 'Domains' }).press('Enter');
    await rowOf(tab, domain.domainName).getByText('Not verified').waitFor();
    await expect.poll(() => tab.getByRole('button', { name: '+ Add New Domain' }).count()).toBe(0);
    await expect.poll(() => tab.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await rowOf(tab, domain.domainName).getByRole('link', { name: domain.domainName }).press('Enter');
    await tab.getByRole('button', { name: 'Copy the value' }).waitFor();
    await expect.poll(() => tab.getByRole('tab').allTextContents()).toEqual(['Records', 'Check DNS', 'History']);
    for (const name of [
      'Setup Guide',
      'Edit Domain',
      'Delete Domain',
      'Check now',
      'Add Record',
      'Vouch for this domain',
    ]) {
      await expect.poll(() => tab.getByRole('button', { name }).count()).toBe(0);
    }
    expect(await problemsInAllLooks(tab, 'domain-view-only')).toEqual({});
    await domain.update({ verifiedAt: new Date() });
    await tab.reload();
    await tab.getByText('The domain is verified. Next: point its mail here.').waitFor();
    await expect.poll(() => tab.getByRole('button', { name: 'Open the setup guide' }).count()).toBe(0);
  });
});

describe('a domain that waits for its proof', { timeout: 120_000 }, () => {
  it('turns verified while its page is open, without a press', async () => {
    const name = `waits-${mark}.test`;
    const domain = await Domain.create({ companyId: String(mill.company.id), domainName: name });
    let answers = 0;
    page.on('response', (response) => {
      if (response.url().endsWith(`/domain/get/${domain.id}`)) answers += 1;
    });
    await page.goto(`${host.url}/dashboard/domain/${domain.id}`);
    await page.getByRole('heading', { name: 'Show that the domain is yours' }).waitFor();
    // A page fetches all again once its live connection is there
    await until('it has caught up', () => answers >= 2, 20_000);
    await domain.update({ verifiedAt: new Date() });
    await page.getByText('The domain is verified').first().waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Check now' }).waitFor({ state: 'detached' });
  });

  it('is no longer looked for by the host after 30 days, and its page says so', async () => {
    const createdAt = new Date(Date.now() - 31 * 86_400_000);
    const values = { companyId: String(mill.company.id), domainName: `late-${mark}.test`, createdAt };
    const domain = await Domain.create(values);
    await page.goto(`${host.url}/dashboard/domain/${domain.id}`);
    await page.getByText('We no longer look for it automatically.').waitFor();
    await expect.poll(() => page.getByText('We look for it every few minutes').count()).toBe(0);
  });

  it('is verified from the setup guide as well', async () => {
    const name = `steps-${mark}.test`;
    const domain = await Domain.create({ companyId: String(mill.company.id), domainName: name });
    await page.goto(`${host.url}/dashboard/domain/setup_guide/${domain.id}`);
    const step = page.getByRole('region', { name: '2. Verify the domain' });
    await step.getByText('Not in the DNS yet', { exact: true }).waitFor();
    const check = step.getByRole('button', { name: 'Check now' });
    await check.press('Enter');
    await step.getByText('The record is not there yet.').waitFor();
    await step.scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'domains-guide-proof')).toEqual({});
    await step.getByRole('button', { name: 'Copy the value' }).press('Enter');
    await until('it is copied', async () => (await clipboardOf(page)).startsWith('selvage'));
    host.dns.addRecords(`_selvage.${name}`, { TXT: [await clipboardOf(page)] });
    await check.press('Enter');
    await page.getByText('The domain is verified').first().waitFor();
    await step.getByText('Done').waitFor();
    await check.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('h1:focus').textContent()).toBe(`Setup Guide: ${name}`);
  });

  it('can be vouched for by the provider, who is asked first', async () => {
    const name = `${'a-long-name-of-a-domain-'.repeat(2)}${mark}.test`;
    const domain = await Domain.create({ companyId: String(mill.company.id), domainName: name });
    await staff.goto(`${host.url}/dashboard/domain`);
    await staff.getByLabel('Search domains').fill(name);
    await rowOf(staff, name).getByText('Not verified').waitFor();
    expect(await problemsInAllLooks(staff, 'domains-long')).toEqual({});
    await rowOf(staff, name).getByRole('link', { name }).press('Enter');
    await staff.getByRole('button', { name: 'Vouch for this domain' }).press('Enter');
    const dialog = staff.getByRole('alertdialog', { name: 'Vouch for this domain?' });
    await dialog.getByText(`You say that ${name} belongs to ${millName}`).waitFor();
    expect(await problemsInAllLooks(staff, 'domain-vouch')).toEqual({});
    await dialog.getByRole('button', { name: 'Vouch' }).press('Enter');
    await staff.getByText('The domain is verified').first().waitFor();
    expect((await domain.reload()).vouchedBy).not.toBeNull();
  });
});
