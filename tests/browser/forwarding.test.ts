import { builtInRole } from '@selvage/core/contracts/permissions';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { mailedText } from '../support/mailed-text.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const target = 'ana@remote.test';

let host: ReachableHost;
let ana: Mailbox;
let admin: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  admin = await buildMailbox(host.app, { roleNumber: builtInRole.admin });
  ana = await buildMailbox(host.app, { tenant: admin });
  page = await openTab(host, ana);
});

async function openSettings(): Promise<void> {
  await page.goto(`${host.url}/dashboard/accountsettings`);
  await page.getByRole('tab', { name: 'Forwarding' }).click();
  await page.getByRole('region', { name: 'Forwarding' }).waitFor();
}

async function receive(subject: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = 'foreign@remote.test';
  await peer.deliver(from, [ana.user.email], plainMessage({ from, to: ana.user.email, subject }));
  peer.close();
}

const hasCopy = (subject: string) =>
  host.remote.received.some(({ to, raw }) => to.includes(target) && raw.toString().includes(`Subject: ${subject}`));

describe('forwarding', () => {
  it('is asked for with the password, and waits for the owner of the address', async () => {
    await openSettings();
    await page.getByText('Your mail is not forwarded.').waitFor();
    expect(await problemsInAllLooks(page, 'forwarding-none')).toEqual({});
    await page.getByRole('button', { name: 'Forward my mail' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forward my mail' });
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog.getByText('Password is required').waitFor();
    await dialog.getByLabel('Forward to').fill(ana.user.email);
    await dialog.getByLabel('Your password').fill(ana.password);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog.getByText('Mail cannot be forwarded to the mailbox that it comes from.').first().waitFor();
    expect(await problemsInAllLooks(page, 'forwarding-ask')).toEqual({});
    await dialog.getByLabel('Forward to').fill(target);
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`Waiting for confirmation: the owner of ${target}`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await problemsInAllLooks(page, 'forwarding-waiting')).toEqual({});
  });

  it('begins when the owner of the address agrees on the page behind the link, without an account', async () => {
    const link = await mailedText(host, target, /http\S+confirm-forwarding#\S+/);
    const theirs = await (await openBrowser()).newPage();
    await theirs.goto(link);
    await theirs.getByRole('button', { name: 'Agree' }).waitFor();
    expect(await problemsInAllLooks(theirs, 'forwarding-agree')).toEqual({});
    await theirs.getByRole('button', { name: 'Agree' }).click();
    await theirs.getByText(`From now on, copies of the mail for ${ana.user.email} go to ${target}.`).waitFor();
    await openSettings();
    await page.getByText(`Copies of new mail go to ${target}.`).waitFor();
    expect(await problemsInAllLooks(page, 'forwarding-on')).toEqual({});
    await receive('forwarded now');
    await until('the copy', () => hasCopy('forwarded now'));
  });

  it('is seen by an administrator, who ends it', async () => {
    const office = await openTab(host, admin);
    await office.goto(`${host.url}/dashboard/user/${ana.user.id}?tab=security`);
    await office.getByRole('tab', { name: 'Security' }).click();
    await office.getByText(target, { exact: true }).waitFor();
    await office.getByRole('button', { name: 'Stop forwarding' }).click();
    await office.getByText(`Copies of mail for Ana Test no longer go to ${target}.`).waitFor();
    expect(await problemsInAllLooks(office, 'forwarding-stop')).toEqual({});
    await office.getByRole('alertdialog').getByRole('button', { name: 'Stop forwarding' }).click();
    await office.getByText('The mail is no longer forwarded').first().waitFor();
    await office.getByText(target, { exact: true }).waitFor({ state: 'detached' });
    await openSettings();
    await page.getByText('Your mail is not forwarded.').waitFor();
  });

  it('is ended by the person', async () => {
    await ana.user.update({ forwardTo: target, forwardConfirmedAt: new Date() });
    await openSettings();
    await page.getByRole('button', { name: 'Stop forwarding' }).click();
    await page.getByText('Your mail is no longer forwarded').first().waitFor();
    await page.getByText('Your mail is not forwarded.').waitFor();
    await receive('kept here');
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByText('kept here').first().waitFor();
    expect(hasCopy('kept here')).toBe(false);
  });
});
