import { builtInRole } from '@selvage/core/contracts/permissions';
import { systemContext } from '@selvage/core/context/context';
import { proveNextSlice } from '@selvage/core/ledger/prove-days';
import { countCompanies } from '@selvage/core/mailstore/count-companies';
import { receive } from '@selvage/core/mailstore/test-messages';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { DomainHealth } from '@selvage/core/models/domain-health';
import { Message } from '@selvage/core/models/message';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { untilDayLasts } from '../support/rest-of-day.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let provider: Tenant;
let mill: Tenant;
let staff: Page;
let admin: Mailbox;
const dayMs = 86_400_000;
const longName = 'a-very-long-name-of-a-domain-that-somebody-has-registered.weaving-and-spinning.example';

beforeAll(async () => {
  await untilDayLasts();
  host = await startWebHost();
  provider = await buildCompany(host.app, { isProvider: true });
  mill = await buildCompany(host.app);
  admin = await buildMailbox(host.app, { tenant: mill, roleNumber: builtInRole.admin });
  staff = await openTab(host, await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin }));
});

const card = (on: Page, title: string) => on.getByRole('region', { name: title, exact: true });

async function openHome(on: Page): Promise<void> {
  await on.goto(`${host.url}/dashboard/home`);
  await on.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

/** A message that came so many days ago. */
async function receiveDaysAgo(days: number): Promise<string> {
  const { messageId } = await receive(systemContext(host.app), [admin]);
  const createdAt = new Date(Math.floor(Date.now() / dayMs) * dayMs - (days - 0.5) * dayMs);
  await Message.update({ createdAt }, { where: { id: messageId }, silent: true });
  await Delivery.update({ createdAt }, { where: { messageId }, silent: true });
  return messageId;
}

async function prove(): Promise<void> {
  const ctx = systemContext(host.app);
  await host.app.db.query('DELETE FROM ledger_days');
  while (await proveNextSlice(ctx));
}

async function breakDomain(): Promise<void> {
  const domain = await Domain.create({
    companyId: String(mill.company.id),
    domainName: longName,
    verifiedAt: new Date(),
    health: 3,
    checkedAt: new Date(),
    nextCheckAt: new Date(Date.now() + dayMs),
  });
  const text = 'Mail for this domain does not come here: its MX record names another host.';
  const problems = [{ part: 'mx', level: 'error', code: 'mx_elsewhere', text }] as never;
  await DomainHealth.create({ domainId: String(domain.id), facts: {}, watches: {}, problems });
}

describe('the morning on the home page', { timeout: 120_000 }, () => {
  it('says what to expect while there is nothing', async () => {
    await mill.company.update({ deletedAt: new Date() });
    await openHome(staff);
    await card(staff, 'Every message accounted for').getByText('Nothing to prove yet.').waitFor();
    await card(staff, 'Refused logins').getByText('None in the last 24 hours.').waitFor();
    await card(staff, 'Domains').getByRole('link', { name: 'DNS health of all domains' }).waitFor();
    await card(staff, 'Storage')
      .getByText(/ free of /)
      .waitFor();
    await card(staff, 'This host')
      .getByText(/MariaDB/)
      .waitFor();
    await card(staff, 'This host').getByText('None known').waitFor();
    await card(staff, 'This host')
      .getByText(/ free of /)
      .waitFor();
    await staff.getByText('No company is hosted here yet.').waitFor();
    expect(await problemsInAllLooks(staff, 'morning-empty')).toEqual({});
    await staff.getByRole('link', { name: 'Host the first company' }).click();
    await staff.getByRole('heading', { level: 1, name: 'Client Management' }).waitFor();
    await mill.company.update({ deletedAt: null });
  });

  it('says that every message of the last days is accounted for', async () => {
    for (const days of [5, 3, 3, 2]) await receiveDaysAgo(days);
    await prove();
    await openHome(staff);
    const ledger = card(staff, 'Every message accounted for');
    await ledger.getByText(/^The last \d days add up$/).waitFor();
    await ledger.getByRole('table', { name: 'The last days' }).getByText('Adds up').first().waitFor();
    await expect.poll(() => ledger.getByRole('alert').count()).toBe(0);
    expect(await problemsInAllLooks(staff, 'morning-good')).toEqual({});
  });

  it('raises an alarm for a day that does not add up, and leads to its messages', async () => {
    const [lost, unexplained] = [await receiveDaysAgo(3), await receiveDaysAgo(3)];
    await Delivery.destroy({ where: { messageId: lost } });
    await Delivery.update({ reason: null }, { where: { messageId: unexplained } });
    const { mailId: lostId } = (await Message.findByPk(lost)) ?? { mailId: '' };
    const { mailId } = (await Message.findByPk(unexplained)) ?? { mailId: '' };
    await prove();
    await openHome(staff);
    const ledger = card(staff, 'Every message accounted for');
    await ledger.getByText('1 day does not add up').waitFor();
    const alarm = ledger.getByRole('alert');
    await alarm.getByText('1 message has no record of what became of it.').waitFor();
    await alarm.getByText(lostId).waitFor();
    await alarm.getByText('./ops/ledger-check').waitFor();
    expect(await problemsInAllLooks(staff, 'morning-alarm')).toEqual({});
    await alarm.getByRole('link', { name: mailId }).click();
    await staff.getByRole('heading', { level: 1, name: 'Message trace' }).waitFor();
    await staff.getByText(admin.user.email).first().waitFor();
  });

  it('raises it for a person of the provider who may see nothing but the home page', async () => {
    const role = await buildRole(provider, { permissions: [{ model: 'home', view: true, edit: true }] });
    provider.roles.set(role.roleId, role);
    const tab = await openTab(host, await buildMailbox(host.app, { tenant: provider, roleNumber: role.roleId }));
    await openHome(tab);
    const ledger = card(tab, 'Every message accounted for');
    await ledger.getByText('1 day does not add up').waitFor();
    // The trace is not theirs to open
    await ledger.getByText('Mail ids:').first().waitFor();
    await expect.poll(() => ledger.getByRole('link').count()).toBe(0);
    await expect.poll(() => card(tab, 'Domains').count()).toBe(0);
    await tab.close();
  });

  it('shows an administrator what is short, broken or attacked, and nothing of the host', async () => {
    await mill.company.update({ storageLimit: '5000000' });
    const fill = (id: unknown, bytes: number) =>
      host.app.db.query("UPDATE folders SET bytes = :bytes WHERE user_id = :id AND role = 'inbox'", {
        replacements: { id: String(id), bytes },
      });
    await fill(admin.user.id, 2_600_000);
    for (let count = 1; count <= 5; count += 1) {
      const person = await buildMailbox(host.app, { tenant: mill });
      await receive(systemContext(host.app), [person]);
      await person.user.update({ storageLimit: '400000' });
      await fill(person.user.id, 80_000 * count);
    }
    await breakDomain();
    for (const address of ['192.0.2.1', '192.0.2.1', '2001:db8:85a3:1234:5678:8a2e:370:7334']) {
      const companyId = String(mill.company.id);
      await AuditEvent.create({ companyId, action: 'session:refused', address, details: null, createdAt: new Date() });
    }
    const tab = await openTab(host, admin);
    await openHome(tab);
    const storage = card(tab, 'Storage');
    await storage.getByText('Limit reached').first().waitFor();
    await card(tab, 'Refused logins').getByText('3 in the last 24 hours').waitFor();
    await card(tab, 'Domains').getByText(longName).waitFor();
    await expect.poll(() => card(tab, 'This host').count()).toBe(0);
    await expect.poll(() => card(tab, 'Every message accounted for').count()).toBe(0);
    expect(await problemsInAllLooks(tab, 'morning-tenant')).toEqual({});
    await card(tab, 'Domains')
      .getByRole('link', { name: `Set up ${longName}` })
      .click();
    await tab.waitForURL('**/dashboard/domain/setup_guide/*');
    await tab.goBack();
    await card(tab, 'Refused logins').getByRole('link', { name: 'See them in the audit log' }).click();
    await tab.getByText('192.0.2.1').first().waitFor();
    await tab.close();
  });

  it('shows the provider the fullest companies', async () => {
    for (let after: string | null = '0'; after !== null; ) after = await countCompanies(systemContext(host.app), after);
    await openHome(staff);
    await card(staff, 'Storage').getByRole('link', { name: mill.company.name }).waitFor();
    expect(await problemsInAllLooks(staff, 'morning-full')).toEqual({});
  });

  it('shows each figure to people who may see its screen alone', async () => {
    const role = await buildRole(mill, {
      permissions: [
        { model: 'home', view: true },
        { model: 'domain', view: true },
      ],
    });
    mill.roles.set(role.roleId, role);
    const tab = await openTab(host, await buildMailbox(host.app, { tenant: mill, roleNumber: role.roleId }));
    await openHome(tab);
    await card(tab, 'Domains').getByText(longName).waitFor();
    for (const title of ['Storage', 'Refused logins', 'This host']) expect(await card(tab, title).count()).toBe(0);
    await tab.close();
  });
});
