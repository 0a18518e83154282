import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Client } from '@selvage/core/models/client';
import { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ComposePage } from '../support/compose-page.ts';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';

const megabyte = 1_048_576;
const gigabyte = 1024 * megabyte;
let host: ReachableHost;
let tenant: Tenant;
let admin: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const provider = await buildCompany(host.app, { isProvider: true });
  const staff = await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
  tenant = await buildCompany(host.app, { name: 'Ambika Mills' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: builtInRole.admin });
  const facts = { fname: 'Meera', personalEmail: 'meera@home.example', businessEmail: admin.user.email };
  await Client.create({ ...facts, companyId: String(tenant.company.id) });
  page = await openTab(host, staff);
});

async function receive({ user, company }: Mailbox, bytes: number): Promise<void> {
  const header = `From: Bea <bea@sender.test>\r\nSubject: ${randomBytes(4).toString('hex')}\r\n\r\n`;
  await storeInbound(systemContext(host.app), {
    raw: Buffer.from(header + `${'x'.repeat(78)}\r\n`.repeat(Math.ceil(bytes / 80))).subarray(0, bytes),
    envelopeFrom: 'bea@sender.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'mx.sender.test', tls: true },
    authentication: null,
    traceHeaders: '',
    mailId: randomBytes(10).toString('hex'),
  });
}

describe('the plan of a client', { timeout: 120_000 }, () => {
  it('is set in its form, with the problem at its field, and shown with what is used', async () => {
    await page.getByRole('link', { name: 'Clients' }).click();
    await page.getByRole('link', { name: 'Meera' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum users').fill('1 user');
    await dialog.getByLabel('Storage in GB').fill('a lot');
    await dialog.getByLabel('Mailbox limit in GB').fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be a number').waitFor();
    expect(await problemsInAllLooks(page, 'limits-form')).toEqual({});
    await dialog.getByLabel('Storage in GB').fill('2,5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const company = await Company.findByPk(tenant.company.id);
    expect(company).toMatchObject({ maxUsers: 1, maxDomains: null, storageLimit: String(2.5 * gigabyte) });
    await page.getByText('1 of 1').waitFor();
    await page.getByText('Limit reached').waitFor();
    await page.getByText('Up to 512').waitFor();
    expect(await problemsInAllLooks(page, 'limits-client')).toEqual({});
    await page.getByRole('link', { name: 'Ambika Mills' }).click();
    await page.getByRole('heading', { name: 'Plan' }).waitFor();
    await page.getByText('1, no limit').waitFor();
    expect(await problemsInAllLooks(page, 'limits-company')).toEqual({});
  });

  it('is said in the form of a new user before it is filled in', async () => {
    const own = await openTab(host, admin);
    await own.goto(`${host.url}/dashboard/user`);
    await own.getByRole('button', { name: '+ Add New User' }).first().click();
    await own
      .getByText('No more users can be added: the plan of Ambika Mills allows 1. The provider can raise the limit.')
      .waitFor();
    expect(await problemsInAllLooks(own, 'limits-new-user')).toEqual({});
  });
});

describe('the limit of a mailbox', { timeout: 120_000 }, () => {
  it('is set by an administrator in the form of the user, and shown on their page', async () => {
    const person = await buildMailbox(host.app, { tenant });
    await tenant.company.update({ mailboxLimit: String(gigabyte / 2) });
    const own = await openTab(host, admin);
    await receive(person, 2 * megabyte);
    await own.goto(`${host.url}/dashboard/user/${person.user.id}`);
    await own.getByText(/^2 MB of 512 MB$/).waitFor();
    await own.getByRole('button', { name: 'Edit User' }).click();
    const dialog = own.getByRole('dialog');
    await dialog.getByLabel('Mailbox in GB').fill('1');
    expect(await problemsInAllLooks(own, 'limits-edit-user')).toEqual({});
    await dialog.getByRole('button', { name: 'Save' }).click();
    await own.getByText(/^2 MB of 1 GB$/).waitFor();
    expect(await User.findByPk(person.user.id)).toMatchObject({ storageLimit: String(gigabyte) });
    expect(await problemsInAllLooks(own, 'limits-user')).toEqual({});
  });

  it('is told to its owner: quietly at first, with a warning at nine tenths, clearly when it is full', async () => {
    const person = await buildMailbox(host.app, { user: { storageLimit: String(2 * megabyte) } });
    await receive(person, megabyte);
    const own = await openTab(host, person);
    await own.getByText('1 MB of 2 MB used').waitFor();
    await expect.poll(() => own.getByText('Your mailbox is almost full').count()).toBe(0);
    expect(await problemsInAllLooks(own, 'limits-mail')).toEqual({});
    await receive(person, 900_000);
    await own.getByText('Your mailbox is almost full').waitFor();
    await receive(person, megabyte - 900_000);
    await own.getByText('Your mailbox is full: you cannot send, and new mail waits on the sending servers').waitFor();
    expect(await problemsInAllLooks(own, 'limits-mail-full')).toEqual({});
  });

  it('keeps what was written when it can’t be sent, and says what to do', async () => {
    const person = await buildMailbox(host.app);
    await receive(person, 5000);
    await person.user.update({ storageLimit: '5100' });
    const own = await openTab(host, person);
    const letter = new ComposePage(own);
    await letter.open();
    await letter.write({ to: 'bob@remote.test', subject: 'A long letter', text: 'word word' });
    await letter.window().getByRole('button', { name: 'Send', exact: true }).click();
    // Not the same reason beside a draft that could not be saved, which may come sooner
    await own.getByText(/^Your mailbox is full\. .* Nothing was sent/).waitFor();
    await expect.poll(() => letter.field('Subject').inputValue()).toBe('A long letter');
    await expect.poll(() => letter.text().textContent()).toContain('word word');
    await person.user.update({ storageLimit: '100000' });
    await letter.window().getByRole('button', { name: 'Send', exact: true }).click();
    await letter.window().waitFor({ state: 'hidden' });
  });
});
