import { builtInRole } from '@selvage/core/contracts/permissions';
import { Client } from '@selvage/core/models/client';
import { Delivery } from '@selvage/core/models/delivery';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { untilHourLasts } from '../support/rest-of-day.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let mill: Tenant;
let admin: Mailbox;
let page: Page;
let staff: Page;

beforeAll(async () => {
  host = await startTestHost();
  mill = await buildCompany(host.app);
  admin = await buildMailbox(host.app, { tenant: mill, roleNumber: builtInRole.admin });
  await add(mill, '2022-05-03', 3);
  await add(mill, '2022-06-20', 2);
  const provider = await buildCompany(host.app, { isProvider: true });
  const tenant = { companyId: String(mill.company.id), fname: 'C' };
  await Client.create({ ...tenant, personalEmail: 'c@x.test', businessEmail: 'c@y.test' });
  await add(await buildCompany(host.app), '2022-05-04', 1);
  // One row of the table by hour holds all of them
  await untilHourLasts();
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = 'foreign@remote.test';
  const message = plainMessage({ from, to: admin.user.email, subject: 'In the morning' });
  expect(await peer.deliver(from, admin.user.email, message)).toMatch(/^250/);
  expect(await peer.deliver(from, `nobody@${mill.domain.domainName}`, message)).toMatch(/^550/);
  await peer.command('RSET');
  expect(await peer.deliver(from, 'nobody@elsewhere.test', message)).toMatch(/^550/);
  peer.close();
  // The peer has its answer before a refusal is in the ledger, and the page counts once a minute
  await until('the refusals are counted', async () => (await Delivery.count({ where: { state: 'refused' } })) === 2);
  page = await openTab(host, admin);
  staff = await openTab(host, await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
});

async function add(tenant: Tenant, day: string, people: number): Promise<void> {
  const createdAt = new Date(`${day}T12:00:00Z`);
  for (let number = 0; number < people; number += 1) await buildMailbox(host.app, { tenant, user: { createdAt } });
}

const growth = (title: string, on = page) => on.getByRole('region', { name: title, exact: true });

async function chooseRange(start: string, end: string, on = page): Promise<void> {
  await growth('User Growth', on).getByLabel('Period of the user growth').selectOption('range');
  await growth('User Growth', on).getByLabel('First day').fill(start);
  await growth('User Growth', on).getByLabel('Last day').fill(end);
}

describe('the home page', { timeout: 120_000 }, () => {
  it('says how many people and domains there are, and leads to them', async () => {
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByText('6', { exact: true }).waitFor();
    await growth('User Growth')
      .getByRole('img', { name: /^Line chart: 1 person added, / })
      .waitFor();
    await growth('Mail in the last 24 hours, by the full hour').getByText('Refused on arrival').waitFor();
    await expect.poll(() => growth('Client Growth').count()).toBe(0);
    await expect.poll(() => page.getByPlaceholder('All Clients').count()).toBe(0);
    expect(await problemsInAllLooks(page, 'home')).toEqual({});
    await page.getByRole('link', { name: 'Manage users' }).click();
    await page.getByRole('heading', { level: 1, name: 'User Management' }).waitFor();
    await page.goBack();
  });

  it('says what mail came and went', async () => {
    const section = growth('Mail in the last 24 hours, by the full hour');
    await section.getByText('From other servers', { exact: true }).first().waitFor();
    await expect.poll(() => section.locator('dl').innerText()).toMatch(/^From other servers\s*1$/m);
    await expect
      .poll(() => section.getByRole('link', { name: 'Waiting now' }).getAttribute('href'))
      .toBe('/dashboard/queue');
    await section.getByRole('button', { name: 'Show as a table' }).click();
    for (const name of ['From other servers', 'Sent', 'Refused on arrival', 'Not delivered'])
      await section.getByRole('columnheader', { name, exact: true }).waitFor();
    await section.getByRole('row', { name: / 1 0 1 0$/ }).waitFor();
    expect(await problemsInAllLooks(page, 'home-mail-table')).toEqual({});
  });

  it('draws a range in weeks, and says the same as a table', async () => {
    await chooseRange('2022-05-01', '2022-06-30');
    await growth('User Growth').getByText('5 people added, May 1, 2022 to Jun 30, 2022').waitFor();
    await growth('User Growth').locator('svg path.recharts-line-curve').waitFor();
    await growth('User Growth').getByRole('button', { name: 'Show as a table' }).click();
    await growth('User Growth').getByRole('row', { name: 'Week of May 2 3' }).waitFor();
    await growth('User Growth').getByRole('row', { name: 'Week of Jun 20 2' }).waitFor();
    expect(await problemsInAllLooks(page, 'home-table')).toEqual({});
  });

  it('says what is wrong with a range', async () => {
    await chooseRange('2022-06-30', '2022-05-01');
    await page.getByText('The last day is before the first.').waitFor();
    await chooseRange('1980-01-01', '2022-05-01');
    await page.getByText('Choose ten years at most.').waitFor();
    await chooseRange('2022-05-01', '2022-05-03');
    await growth('User Growth').getByText('3 people added, May 1, 2022 to May 3, 2022').waitFor();
  });

  it('shows people of the provider all companies, one client, and the growth of clients', async () => {
    await staff.getByRole('link', { name: 'Home', exact: true }).first().click();
    await expect.poll(() => staff.getByText('No company is hosted here yet.').count()).toBe(0);
    await growth('Client Growth', staff)
      .getByText(/^2 clients added, /)
      .waitFor();
    await chooseRange('2022-05-01', '2022-05-31', staff);
    await growth('User Growth', staff)
      .getByText(/^4 people added, /)
      .waitFor();
    await staff.getByPlaceholder('All Clients').click();
    await staff.getByRole('option', { name: mill.company.name }).click();
    await growth('User Growth', staff)
      .getByText(/^3 people added, /)
      .waitFor();
    expect(await problemsInAllLooks(staff, 'home-provider')).toEqual({});
    // What was refused for no company of the host belongs to the host alone
    const mail = growth('Mail in the last 24 hours, by the full hour', staff);
    await mail.getByRole('button', { name: 'Show as a table' }).click();
    await mail.getByRole('row', { name: / 1 0 2 0$/ }).waitFor();
  });

  it('counts mail that was refused at the door, which the trace tells of', async () => {
    const unknown = `nobody@${mill.domain.domainName}`;
    await page.goto(`${host.url}/dashboard/trace?search=${encodeURIComponent(unknown)}`);
    await page.getByRole('link').filter({ hasText: unknown }).click();
    await page.getByText('Refused: there is no such mailbox.').waitFor();
  });

  it('is left out for people who may not see it, who go to the first page that they may open', async () => {
    const role = await buildRole(mill, { permissions: [{ model: 'sent', view: true }] });
    mill.roles.set(role.roleId, role);
    const person = await buildMailbox(host.app, { tenant: mill, roleNumber: role.roleId });
    const tab = await openTab(host, person);
    await tab.goto(`${host.url}/dashboard/home`);
    await tab.waitForURL('**/dashboard/sent');
    await expect.poll(() => tab.getByRole('link', { name: 'Home', exact: true }).count()).toBe(0);
  });
});
