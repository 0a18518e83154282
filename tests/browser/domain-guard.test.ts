import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { guardDomain } from '@selvage/core/domain-guard/guard-domain';
import { retireOldKeys } from '@selvage/core/domain-guard/retire-keys';
import { dkimRecord, generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { DomainRecord } from '@selvage/core/models/domain-record';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const mark = randomBytes(4).toString('hex');
const hour = 3_600_000;
const pieces = (text: string): string[] => text.match(/.{1,255}/g) ?? [];

let host: TestHost;
let mill: Tenant;
let publicKey: string;
/** A person of the provider, in the browser. */
let staff: Page;
/** The company's administrator, in the browser. */
let page: Page;

beforeAll(async () => {
  host = await startWebHost();
  host.dns.addRecords('host.test', { A: ['127.0.0.1'] });
  publicKey = (await generateDkimKeyPair()).publicKeyBase64;
  mill = await buildCompany(host.app, { name: `Ambika Cotton Mills ${mark}` });
  const provider = await buildCompany(host.app, { isProvider: true, name: 'Selvage Hosting' });
  for (const [tenant, roleNumber] of [
    [provider, builtInRole.superAdmin],
    [mill, builtInRole.admin],
  ] as const) {
    const tab = await openTab(host, await buildMailbox(host.app, { tenant, roleNumber }));
    if (tenant === mill) page = tab;
    else staff = tab;
  }
});

/** A domain whose DNS is as it should be. The host's own guardian leaves it to the test. */
async function addDomain(name: string): Promise<Domain> {
  const companyId = String(mill.company.id);
  const nextCheckAt = new Date(Date.now() + 40 * hour);
  const domain = await Domain.create({ companyId, domainName: name, verifiedAt: new Date(), nextCheckAt });
  const key = { companyId, domainId: String(domain.id), selector: 'default', privateKey: 'sealed', publicKey };
  await DkimKey.create({ ...key, signsSince: new Date() });
  publish(name, {});
  host.dns.addRecords(`_dmarc.${name}`, { TXT: ['v=DMARC1; p=reject'] });
  host.dns.addRecords(`default._domainkey.${name}`, { TXT: [pieces(dkimRecord(publicKey))] });
  return domain;
}

function publish(name: string, change: Record<string, unknown[]>): void {
  const good = { NS: ['ns1.dns.test'], MX: [{ preference: 10, exchange: 'host.test' }], TXT: ['v=spf1 mx -all'] };
  host.dns.addRecords(name, { ...good, ...change });
}

const look = (domain: Domain, hoursFromNow: number) =>
  guardDomain(systemContext(host.app), domain, { now: new Date(Date.now() + hoursFromNow * hour) });

describe('the health of the domains', { timeout: 120_000 }, () => {
  const names = { good: `a-good-${mark}.test`, broken: `z-broken-${mark}.test` };

  it('is a list beside that of the domains, the worst first', async () => {
    const good = await addDomain(names.good);
    const broken = await addDomain(names.broken);
    for (const domain of [good, broken]) await look(domain, 0);
    publish(names.broken, { MX: [{ preference: 5, exchange: 'mx.elsewhere.test' }], TXT: ['v=spf1 -all'] });
    for (const hours of [12, 13]) await look(broken, hours);
    await staff.goto(`${host.url}/dashboard/domain`);
    await staff.getByRole('navigation', { name: 'Lists of domains' }).getByRole('link', { name: 'DNS health' }).click();
    await staff.getByRole('heading', { name: 'DNS health' }).waitFor();
    await staff.getByLabel('Search domains').fill(`-${mark}.test`);
    const rows = staff.getByRole('row').filter({ has: staff.getByRole('link') });
    await until('the list is narrowed', async () => (await rows.count()) === 2);
    await expect.poll(() => rows.getByRole('link').allTextContents()).toEqual([names.broken, names.good]);
    await rows.nth(0).getByText('Broken', { exact: true }).waitFor();
    await rows.nth(0).getByText('No MX record names host.test').waitFor();
    await rows.nth(0).getByText('and 2 more').waitFor();
    await rows.nth(1).getByText('Good', { exact: true }).waitFor();
    await rows.nth(1).getByText('Nothing is wrong').waitFor();
    expect(await problemsInAllLooks(staff, 'domains-health')).toEqual({});
  });

  it('leads to the domain, whose history shows each difference with its date', async () => {
    await staff.getByRole('link', { name: names.broken }).press('Enter');
    await staff.getByRole('tab', { name: 'History' }).press('Enter');
    const history = staff.getByRole('list', { name: 'History' });
    const entry = (text: string) => history.getByRole('listitem').filter({ hasText: text });
    await entry('10 host.test').getByText('5 mx.elsewhere.test').waitFor();
    await entry('v=spf1 mx -all').getByText('v=spf1 -all', { exact: true }).waitFor();
    await entry(`No MX record names host.test, so mail for ${names.broken} does not come here.`)
      .getByText('Broken', { exact: true })
      .waitFor();
    expect(await problemsInAllLooks(staff, 'domains-history')).toEqual({});
  });

  it('has an empty history while nothing has changed', async () => {
    const domain = await Domain.findOne({ where: { domainName: names.good }, rejectOnEmpty: true });
    await page.goto(`${host.url}/dashboard/domain/${domain.id}?tab=history`);
    await page.getByText('Nothing has changed since the first check.').waitFor();
    expect(await problemsInAllLooks(page, 'domains-history-empty')).toEqual({});
  });
});

describe('the guide of a domain whose DNS is as it should be', { timeout: 120_000 }, () => {
  it('leads to the people who get addresses, where a person may add them', async () => {
    const domain = await addDomain(`done-${mark}.test`);
    await page.goto(`${host.url}/dashboard/domain/setup_guide/${domain.id}`);
    const next = 'Next: add the people who get addresses.';
    await page.getByText(`Everything is set up: mail for this domain arrives. ${next}`).waitFor();
    expect(await problemsInAllLooks(page, 'domains-guide-done')).toEqual({});
    await page.getByRole('button', { name: 'Open the users' }).press('Enter');
    await page.waitForURL(`${host.url}/dashboard/user`);
    const role = await buildRole(mill, { permissions: [{ model: 'domain', view: true }] });
    const tab = await openTab(host, await buildMailbox(host.app, { tenant: mill, user: { roleId: String(role.id) } }));
    await tab.goto(`${host.url}/dashboard/domain/setup_guide/${domain.id}`);
    await tab.getByText('Everything is set up: mail for this domain arrives.').waitFor();
    await expect.poll(() => tab.getByText(next).count()).toBe(0);
    await expect.poll(() => tab.getByRole('button', { name: 'Open the users' }).count()).toBe(0);
  });
});

describe('a record that is tried', { timeout: 120_000 }, () => {
  it('shows what it would fix and what it would break, and changes nothing', async () => {
    const name = `try-${mark}.test`;
    const domain = await addDomain(name);
    publish(name, { TXT: ['v=spf1 -all'] });
    await page.goto(`${host.url}/dashboard/domain/${domain.id}?tab=check`);
    const form = page.getByRole('form', { name: 'Try a record' });
    await form.getByRole('button', { name: 'Try' }).press('Enter');
    await form.getByText('Content is required').waitFor();
    await form.getByLabel('Records').fill('v=spf1 a:host.test -all');
    await form.getByRole('button', { name: 'Try' }).press('Enter');
    await page.getByText('With this record, mail for the domain is in order.').waitFor();
    await page.getByText('This would fix:').waitFor();
    // The check above has ended as well
    await page.getByText('Email Configuration Issues Detected').waitFor();
    expect(await problemsInAllLooks(page, 'domains-try-good')).toEqual({});
    await form.getByLabel('Type').selectOption('MX');
    await form.getByLabel('Records').fill('mx.elsewhere.test');
    await form.getByRole('button', { name: 'Try' }).press('Enter');
    await form.getByText('Enter a priority and a mail server in each line, such as 10 mail.example.com').waitFor();
    await form.getByLabel('Records').fill('10 mx.elsewhere.test');
    await form.getByRole('button', { name: 'Try' }).press('Enter');
    const wrong = page.getByRole('list', { name: 'This would be wrong:' });
    await wrong.getByText('No MX record names host.test').waitFor();
    expect(await problemsInAllLooks(page, 'domains-try-wrong')).toEqual({});
  });
});

describe('the signing keys of a domain', { timeout: 120_000 }, () => {
  it('are listed with what there is to do, and an old one is deleted in the end', async () => {
    const name = `keys-${mark}.test`;
    const domain = await addDomain(name);
    const values = { companyId: domain.companyId, domainId: String(domain.id), privateKey: 'sealed', publicKey };
    await DkimKey.create({ ...values, selector: 'next', signsSince: new Date() });
    await retireOldKeys(systemContext(host.app), new Date(Date.now() + 8 * 24 * hour));
    await page.goto(`${host.url}/dashboard/domain/${domain.id}?tab=dkim`);
    const keys = page.getByRole('list', { name: 'Keys of this domain' });
    const key = (selector: string) => keys.getByRole('listitem').filter({ hasText: `${selector}._domainkey` });
    await key('next').getByText('Signing', { exact: true }).waitFor();
    await key('default').getByText('No longer needed', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'domains-keys')).toEqual({});
    await page.getByRole('button', { name: 'Delete the key default' }).press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Delete this key?' });
    await question.getByText(`default._domainkey.${name}`).waitFor();
    await question.getByRole('button', { name: 'Delete' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    await page.getByText('Key deleted').first().waitFor();
    await key('next').waitFor();
    await expect.poll(() => key('default').count()).toBe(0);
  });
});

describe('records that are kept', { timeout: 120_000 }, () => {
  it('are shown beside what the DNS says', async () => {
    const name = `records-${mark}.test`;
    const domain = await addDomain(name);
    host.dns.addRecords(`www.${name}`, { A: ['192.0.2.80'] });
    host.dns.addRecords(`slow.${name}`, 'SERVFAIL');
    const owner = { companyId: domain.companyId, domainId: String(domain.id), recordName: '', ttl: 3600 };
    for (const record of [
      { type: 'MX', name: '@', priority: 10, content: 'HOST.test.' },
      { type: 'A', name: 'www', priority: 0, content: '192.0.2.99' },
      { type: 'TXT', name: 'gone', priority: 0, content: 'text' },
      { type: 'A', name: 'slow', priority: 0, content: '192.0.2.1' },
    ] as const) {
      await DomainRecord.create({ ...owner, ...record });
    }
    await page.goto(`${host.url}/dashboard/domain/${domain.id}`);
    for (const [record, state] of [
      ['MX @ 10', 'There'],
      ['A www', 'Different'],
      ['TXT gone', 'Missing'],
      ['A slow', 'No answer'],
    ] as const) {
      await page.getByRole('row', { name: record }).getByText(state, { exact: true }).waitFor();
    }
    await page.getByText('The DNS has 192.0.2.80').waitFor();
    expect(await problemsInAllLooks(page, 'domains-records-dns')).toEqual({});
  });
});
