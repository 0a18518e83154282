import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { workOnArchive } from '@selvage/core/company-archive/make-archive';
import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { CompanyArchive } from '@selvage/core/models/company-archive';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let admin: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await startWebHost({ ARCHIVE_SPARE_BYTES: '0' });
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: 1, user: { fname: 'Asha', lname: 'Menon' } });
  for (let number = 1; number <= 5; number += 1) {
    await receive(systemContext(host.app), [admin], { subject: `Bale ${number}` });
  }
  page = await openTab(host, admin);
});

describe('an archive of the whole company', () => {
  it('is made by its administrator, downloaded after the password, and deleted', async () => {
    await page.goto(`${host.url}/dashboard/company/${admin.company.id}`);
    const section = page.getByRole('region', { name: 'Archive of the whole company' });
    await section.getByText('There is no archive now.').waitFor();
    expect(await problemsInAllLooks(page, 'archives-none')).toEqual({});
    await section.getByRole('button', { name: 'Make an archive' }).click();
    await section.getByRole('button', { name: /^Download the archive/ }).waitFor();
    await section.getByText('1 person · 5 messages').waitFor();
    const archive = await CompanyArchive.findOne({ where: { companyId: admin.company.id }, rejectOnEmpty: true });
    expect(archive.state).toBe('ready');
    await section.getByText(`SHA-256 ${archive.sha256}`).waitFor();
    await section.scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'archives-ready')).toEqual({});
    await section.getByRole('button', { name: /^Download the archive/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Download this archive?' });
    const password = dialog.getByLabel('Password', { exact: false }).first();
    await password.fill('wrong');
    await dialog.getByRole('button', { name: 'Download' }).click();
    await dialog.getByText('The password is wrong.').first().waitFor();
    expect(await problemsInAllLooks(page, 'archives-download')).toEqual({});
    await password.fill(admin.password);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(archive.fileName);
    const bytes = await readFile(await download.path());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(archive.sha256);
    await section.getByRole('button', { name: /^Delete the archive/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await section.getByText('There is no archive now.').waitFor();
  });

  it('shows how far it is, and why it was given up', async () => {
    const facts = { companyId: String(admin.company.id), askerName: 'Asha Menon', askedBy: null, cursorAt: {} };
    const later = new Date(Date.now() + 600_000);
    const running = { state: 'making', done: 1200, total: 4800, claimId: 'a', leaseUntil: later } as const;
    const made = await CompanyArchive.create({ ...facts, ...running, fileName: 'a.tar', makingOf: facts.companyId });
    const failed = { state: 'failed', problem: 'no_room', makingOf: null, fileName: 'b.tar' } as const;
    await CompanyArchive.create({ ...facts, ...failed, finishedAt: new Date() });
    await page.reload();
    await page.getByText('1,200 of 4,800 messages').waitFor();
    await page.getByText('the server’s disk does not have enough room').waitFor();
    await page.getByRole('button', { name: /^Stop the archive/ }).scrollIntoViewIfNeeded();
    expect(await problemsInAllLooks(page, 'archives-making')).toEqual({});
    expect(await workOnArchive(systemContext(host.app), String(made.id))).toBe('done');
    await page.getByRole('button', { name: /^Stop the archive/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await until('the archive is stopped', async () => (await made.reload()).state === 'removed');
  });
});
