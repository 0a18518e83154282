import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Domain } from '@selvage/core/models/domain';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildCompany, buildMailbox, buildRole, type Tenant } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const { SCREEN_SHOTS: shots } = process.env;
const mark = randomBytes(4).toString('hex');

let host: ReachableHost;
let mill: Tenant;
/** The company's administrator, in the browser. */
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  mill = await buildCompany(host.app, { name: `Ambika Cotton Mills ${mark}` });
  page = await openTab(host, await buildMailbox(host.app, { tenant: mill, roleNumber: builtInRole.admin }));
});

const clipboardOf = (tab: Page): Promise<string> => tab.evaluate<string>('navigator.clipboard.readText()');

describe('what the DNS says of a domain', { timeout: 120_000 }, () => {
  const name = `guide-${mark}.test`;
  let id = '';

  it('is checked in its tab, which names each problem with the record that mends it', async () => {
    const domain = await Domain.create({
      companyId: String(mill.company.id),
      domainName: name,
      verifiedAt: new Date(),
    });
    id = String(domain.id);
    host.dns.addRecords('host.test', { A: ['127.0.0.1'] });
    host.dns.addRecords(name, { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] });
    host.dns.addRecords(`_dmarc.${name}`, { TXT: ['v=DMARC1; p=quarantine'] });
    await page.goto(`${host.url}/dashboard/domain/${id}`);
    await page.getByRole('tab', { name: 'Check DNS' }).press('Enter');
    await page.getByText('Email Configuration Issues Detected').waitFor();
    await page.getByText('There is no MX record.').first().waitFor();
    await page.getByText('v=spf1 ip4:192.0.2.1 a:host.test ~all').waitFor();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    expect(await problemsInAllLooks(page, 'domains-check-overview')).toEqual({});
    for (const [tab, text] of [
      ['MX Records', 'No records were found.'],
      ['SPF', '0 of at most 10'],
      ['DMARC', 'quarantine'],
      ['DKIM', 'This host has no key for'],
      ['DNS Info', 'Name servers'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).press('Enter');
      await page
        .getByText(text, { exact: tab === 'DMARC' })
        .first()
        .waitFor();
      expect(await problemsInAllLooks(page, `domains-check-${tab.toLowerCase().replace(' ', '-')}`)).toEqual({});
    }
  });

  it('is followed by the guide, whose steps turn green while a person watches', async () => {
    await page.getByRole('button', { name: 'Open the setup guide' }).press('Enter');
    await page
      .getByRole('heading', { name: /^Setup Guide/ })
      .first()
      .waitFor();
    const step = (label: RegExp) => page.getByRole('region', { name: label });
    await step(/^4\. MX record/)
      .getByText('Not in the DNS yet', { exact: true })
      .waitFor();
    const mx = step(/^4\. MX record/);
    for (const [what, text] of [
      ['name', name],
      ['name without the domain', '@'],
      ['priority', '10'],
      ['mail server', 'host.test'],
    ] as const) {
      await mx.getByRole('button', { name: `Copy the ${what}`, exact: true }).press('Enter');
      await until(`the ${what} is copied`, async () => (await clipboardOf(page)) === text);
    }
    await expect.poll(() => mx.getByRole('button', { name: 'Copy the value' }).count()).toBe(0);
    const a = step(/^3\. A record/);
    await a.getByText('Your provider keeps this record: there is nothing to add.').waitFor();
    await a.getByText('127.0.0.1', { exact: true }).waitFor();
    await expect.poll(() => a.getByRole('button').count()).toBe(0);
    await step(/^5\. SPF record/)
      .getByText('v=spf1 ip4:192.0.2.1 a:host.test ~all')
      .waitFor();
    await step(/^7\. DMARC record/)
      .getByText('Done')
      .waitFor();
    expect(await problemsInAllLooks(page, 'domains-guide')).toEqual({});
    host.dns.addRecords(name, {
      MX: [{ preference: 10, exchange: 'host.test' }],
      TXT: ['v=spf1 ip4:192.0.2.1 a:host.test ~all'],
    });
    await step(/^4\. MX record/)
      .getByText('Done')
      .waitFor({ timeout: 40_000 });
    await step(/^5\. SPF record/)
      .getByText('Done')
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download zone file' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.zone.txt`);
  });

  const extra = (label: string) => page.getByRole('listitem', { name: label, exact: true });

  it('recommends records beyond the steps, which turn green by themselves as well', async () => {
    const policy = extra('Encryption policy (MTA-STS)');
    await policy.getByText('Not in the DNS yet', { exact: true }).waitFor();
    await policy.getByText(/^v=STSv1; id=[0-9a-f]{32}$/).waitFor();
    await policy.getByRole('button', { name: 'Copy the value' }).press('Enter');
    await until('it is copied', async () => (await clipboardOf(page)).startsWith('v=STSv1; id='));
    for (const label of ['Name of the encryption policy', 'Server for sending', 'No server for POP']) {
      await extra(label).scrollIntoViewIfNeeded();
      expect(await problemsInAllLooks(page, `domains-guide-${label.toLowerCase().replaceAll(' ', '-')}`)).toEqual({});
    }
    await extra('No server for IMAP').getByText('0 0 0 .').waitFor();
    host.dns.addRecords(`_imaps._tcp.${name}`, { SRV: [{ priority: 0, weight: 0, port: 0, target: '.' }] });
    await extra('No server for IMAP').getByText('Done').waitFor({ timeout: 40_000 });
  });

  it('says how the common providers want it, once that is asked for', async () => {
    const notes = page.locator('summary', { hasText: 'Notes for DNS providers' });
    await expect.poll(() => page.getByText('Route 53').isVisible()).toBe(false);
    await notes.press('Enter');
    await page.getByText('Route 53').waitFor();
    await page.getByText('OVHcloud').scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'domains-guide-notes')).toEqual({});
    await notes.press('Enter');
  });

  it('is written into a message, which the person only has to address', async () => {
    const compose = new ComposePage(page);
    await page.getByRole('button', { name: 'Email these records' }).press('Enter');
    await compose.text().waitFor();
    await expect.poll(() => compose.field('Subject').inputValue()).toBe(`DNS records for ${name}`);
    const text = () => compose.text().innerText();
    await expect.poll(text).toMatch(/recommended (?:as well, )?for mail programs and other servers:/);
    expect(await text()).toMatch(
      new RegExp(
        `Record name: _submissions\\._tcp\\.${name}\\n+Type: SRV\\n+Value: 0 1 ${host.ports.submissions} host\\.test\\.`,
      ),
    );
    // What the DNS says already is not asked for again
    expect(await text()).not.toMatch(/MX record|No server for IMAP/);
    expect(await problemsInAllLooks(page, 'domains-guide-mail')).toEqual({});
    await compose.press('Close');
    await compose.window().waitFor({ state: 'detached' });
  });

  it('is printed as one sheet of all records, without the rest of the page', async () => {
    await page.evaluate('window.print = () => { window.printed = true; }');
    await page.getByRole('button', { name: 'Print' }).press('Enter');
    expect(await page.evaluate('window.printed')).toBe(true);
    const sheet = page.getByRole('heading', { name: `Records for mail of ${name}` });
    await expect.poll(() => sheet.isVisible()).toBe(false);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ media: 'print', colorScheme });
      await sheet.waitFor();
      await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
      await expect.poll(() => page.getByRole('button').count()).toBe(0);
      const shown = await page.locator('[data-sheet]').innerText();
      for (const record of [
        'MX record (Done)',
        '10 host.test.',
        'No server for POP (To add)',
        'v=DMARC1',
        `_smtp._tls.${name}`,
        `_pop3s._tcp.${name}`,
      ]) {
        expect(shown).toContain(record);
      }
      const colours = await page.evaluate<string>(
        'getComputedStyle(document.documentElement).colorScheme + getComputedStyle(document.querySelector("[data-sheet]")).color',
      );
      expect(colours).toBe('lightrgb(29, 28, 26)');
      if (shots) await page.screenshot({ path: join(shots, `domains-guide-print-${colorScheme}.png`), fullPage: true });
      if (shots) await page.pdf({ path: join(shots, `domains-guide-print-${colorScheme}.pdf`) });
    }
    await page.emulateMedia({ media: null, colorScheme: 'light' });
  });

  it('offers no mail to a person that may not send', async () => {
    const role = await buildRole(mill, { permissions: [{ model: 'domain', view: true }] });
    const tab = await openTab(host, await buildMailbox(host.app, { tenant: mill, user: { roleId: String(role.id) } }));
    await tab.goto(`${host.url}/dashboard/domain/setup_guide/${id}`);
    await tab.getByRole('button', { name: 'Print' }).waitFor();
    await expect.poll(() => tab.getByRole('button', { name: 'Email these records' }).count()).toBe(0);
  });
});
