import { builtInRole } from '@selvage/core/contracts/permissions';
import { Role } from '@selvage/core/models/role';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, signIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, buildRole, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedWebHost } from '../support/shared-host.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let admin: Mailbox;
let ana: Mailbox;
let weavers: Role;
/** The administrator's window, and Ana's. */
let page: Page;
let theirs: Page;

beforeAll(async () => {
  host = await sharedWebHost();
  const tenant = await buildCompany(host.app, { name: 'Loom and Daughters' });
  admin = await buildMailbox(host.app, { tenant, roleNumber: builtInRole.admin });
  const permissions = ['inbox', 'sent', 'accountsettings'].map((model) => ({ model, view: true, edit: true }));
  weavers = await buildRole(tenant, { name: 'Weavers', permissions });
  ana = await buildMailbox(host.app, { tenant, user: { roleId: String(weavers.id), fname: 'Ana' } });
  page = await (await openBrowser()).newPage();
  theirs = await (await openBrowser()).newPage();
  await signIn(page, host, admin);
  await signIn(theirs, host, ana);
});

async function setRule(days: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Weavers' }).click();
  await page.getByRole('menuitem', { name: 'Two-factor', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication of Weavers' });
  await dialog.getByRole('switch', { name: 'Required' }).setChecked(true);
  await dialog.getByLabel('Grace period in days').fill(days);
  await dialog.getByRole('button', { name: 'Save' }).click();
}

describe('a role whose people need a second factor', () => {
  it('is given the rule by an administrator, with days of grace', async () => {
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('row', { name: /Weavers/ }).waitFor();
    await setRule('91');
    await page.getByText('Grace period in days must be a whole number from 0 to 90').waitFor();
    expect(await problemsInAllLooks(page, 'two-factor-rule-1')).toEqual({});
    await page.getByLabel('Grace period in days').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /Weavers/ })
      .getByText('Two-factor required')
      .waitFor();
    expect(await problemsInAllLooks(page, 'two-factor-rule-2')).toEqual({});
  });

  it('lets its people know from when on it is needed', async () => {
    await theirs.reload();
    await theirs.getByText(/^Your company requires two-factor authentication from \w+ \d+, \d+\.$/).waitFor();
    expect(await problemsInAllLooks(theirs, 'two-factor-rule-3')).toEqual({});
    await theirs.getByRole('link', { name: 'Set it up' }).click();
    await theirs.getByRole('heading', { name: 'Account settings' }).first().waitFor();
    await theirs.getByRole('tab', { name: 'Security', selected: true }).waitFor();
  });

  it('asks for nothing else once the days are over, also in an open window', async () => {
    await setRule('0');
    await until('the rule is stored', async () => (await Role.findByPk(weavers.id))?.twoFactorGraceDays === 0);
    // The page may have called the server of itself by now, and then the question is over the link
    await theirs.locator('a[href="/dashboard/sent"]').first().dispatchEvent('click');
    const question = theirs.getByRole('alertdialog', { name: 'Set up two-factor authentication' });
    await question.waitFor();
    expect(await problemsInAllLooks(theirs, 'two-factor-rule-4')).toEqual({});
    await theirs.reload();
    await question.waitFor();
  });

  it('lets them go on once it is set up, after they have kept their codes', async () => {
    await theirs.getByRole('button', { name: 'Set it up' }).click();
    await theirs.getByLabel('Your password').fill(ana.password);
    await theirs.getByRole('button', { name: 'Next' }).click();
    const secret = ((await theirs.getByTestId('secret').textContent()) ?? '').replaceAll(' ', '');
    await theirs.getByRole('button', { name: 'Next' }).click();
    const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await theirs.getByLabel('6-digit code').fill(otp);
    const codes = theirs.getByRole('alertdialog', { name: 'Two-factor authentication is on' });
    await codes.waitFor();
    await expect.poll(() => codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count()).toBe(10);
    await theirs.getByRole('button', { name: 'I have saved them' }).click();
    await codes.waitFor({ state: 'detached' });
    await theirs.getByRole('heading', { name: 'Sent' }).first().waitFor();
    await expect.poll(() => theirs.getByText('Your company requires').count()).toBe(0);
  });
});
