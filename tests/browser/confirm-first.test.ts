import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, submitSignIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { type SecondFactor, turnOnTwoFactor } from '../support/two-factor.ts';

let host: TestHost;
let admin: Mailbox;
let ben: Mailbox;
let factor: SecondFactor;
let page: Page;

beforeAll(async () => {
  host = await startWebHost();
  // Passkeys are bound to a host name, which an IP address is not
  host.url = host.app.config.url;
  admin = await buildMailbox(host.app, { roleNumber: 1, user: { fname: 'Asha', lname: 'Menon' } });
  ben = await buildMailbox(host.app, { tenant: admin, user: { fname: 'Ben', lname: 'Okoro' } });
  await turnOnTwoFactor(host, ben);
  factor = await turnOnTwoFactor(host, admin);
  page = await (await openBrowser()).newPage();
  await submitSignIn(page, host, admin);
  await page.getByLabel('Code').fill(factor.nextCode());
  await page.waitForURL('**/dashboard/inbox');
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const question = () => page.getByRole('dialog', { name: 'Confirm that it is you' });
const saved = () => User.findByPk(ben.user.id, { rejectOnEmpty: true });
const endProof = () => Session.update({ confirmedAt: null }, { where: { userId: String(admin.user.id) } });

async function confirmWith(code: string): Promise<void> {
  await question()
    .getByLabel(/^Your password/)
    .fill(admin.password);
  await question()
    .getByLabel(/^Code from your app/)
    .fill(code);
  await question().getByRole('button', { name: 'Confirm' }).click();
}

describe('an administrator with two-factor on', () => {
  it('proves who they are before they take the second factor of another person', async () => {
    await page.goto(`${host.url}/dashboard/user/${ben.user.id}`);
    await page.getByRole('tab', { name: 'Security' }).click();
    await press('Turn off two-factor');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off two-factor' }).click();
    await question().waitFor();
    expect(await problemsInAllLooks(page, 'confirm-first')).toEqual({});
    await question().getByRole('button', { name: 'Cancel' }).click();
    const refused = page.getByRole('alertdialog').getByText('Nothing was changed: confirm first that it is you.');
    await refused.waitFor();
    expect((await saved()).twoFactorStatus).toBe(true);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off two-factor' }).click();
    await confirmWith('000000');
    await question().getByText('Invalid OTP. Please try again.').waitFor();
    await question()
      .getByLabel(/^Code from your app/)
      .fill(factor.recoveryCodes[0] ?? '');
    await question().getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Two-factor authentication turned off').waitFor();
    expect((await saved()).twoFactorStatus).toBe(false);
  });

  it('keeps the form that they filled in, and is not asked twice', async () => {
    await endProof();
    await page.goto(`${host.url}/dashboard/user`);
    await page.getByRole('button', { name: 'Actions for Ben Okoro' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('Designation').fill('Weaver');
    await form.getByLabel('Role').selectOption({ label: 'Admin' });
    await press('Save');
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await form.getByText('Nothing was changed: confirm first that it is you.').waitFor();
    expect(await form.getByLabel('Designation').inputValue()).toBe('Weaver');
    await press('Save');
    await confirmWith(factor.recoveryCodes[1] ?? '');
    await question().waitFor({ state: 'detached' });
    await form.waitFor({ state: 'detached' });
    const { designation, roleId } = await saved();
    expect([designation, String(roleId)]).toEqual(['Weaver', String(admin.role.id)]);
    await page.getByRole('button', { name: 'Actions for Ben Okoro' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await form.getByLabel('Role').selectOption({ label: 'User' });
    await press('Save');
    await form.waitFor({ state: 'detached' });
    expect(String((await saved()).roleId)).toBe(String(ben.role.id));
  });

  it('proves it by a passkey, with no password and no code', async () => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
    });
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=security`);
    await press('Add a passkey');
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel(/^Name/).fill('My phone');
    await adding.getByLabel(/^Your password/).fill(admin.password);
    await adding.getByLabel(/^Code from your app/).fill(factor.recoveryCodes[2] ?? '');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await adding.waitFor({ state: 'detached' });

    await endProof();
    await page.goto(`${host.url}/dashboard/user`);
    await page.getByRole('button', { name: 'Actions for Ben Okoro' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('Role').selectOption({ label: 'Admin' });
    await press('Save');
    await question().getByRole('button', { name: 'Use a passkey' }).click();
    expect(await problemsInAllLooks(page, 'confirm-by-passkey')).toEqual({});
    // The person does not put the finger on it
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await question().getByRole('button', { name: 'Use passkey' }).click();
    await question().getByText('The passkey was not used.').waitFor();
    expect(String((await saved()).roleId)).toBe(String(ben.role.id));
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await question().getByRole('button', { name: 'Use passkey' }).click();
    await question().waitFor({ state: 'detached' });
    await form.waitFor({ state: 'detached' });
    expect(String((await saved()).roleId)).toBe(String(admin.role.id));
  });
});
