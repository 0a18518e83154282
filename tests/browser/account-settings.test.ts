import { Session } from '@selvage/core/models/session';
import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { seriousProblems } from '../support/axe.ts';
import { openBrowser, signIn, submitSignIn } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { layoutProblems } from '../support/page-layout.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const STEP_MS = 30_000;

let host: ReachableHost;
let ana: Mailbox;
let browser: BrowserContext;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  // Passkeys are bound to a host name, which an IP address is not
  host.url = host.app.config.url;
  ana = await buildMailbox(host.app, { user: { undoMs: 0 } });
  await prepareSigning(host, ana);
  browser = await openBrowser();
  page = await browser.newPage();
  await signIn(page, host, ana);
});

async function open(tab: 'general' | 'security'): Promise<void> {
  await page.goto(`${host.url}/dashboard/accountsettings?activeTab=${tab}`);
  await page.getByRole('heading', { name: 'Account settings' }).waitFor();
}

/** Waits for words. Notices repeat theirs for screen readers, so the first match counts. */
async function sees(text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

function section(name: string) {
  return page.getByRole('region', { name });
}

/** An authenticator app. A code works once, so each code is of the next half minute. */
class AuthenticatorApp {
  private readonly totp: TOTP;
  private next = 0;

  constructor(secret: string) {
    this.totp = new TOTP({ secret });
  }

  /** The host accepts codes of the step before, of now and of the step after. */
  async code(): Promise<string> {
    const step = await until(
      'the app has a code that was not used',
      () => {
        const now = Math.floor(Date.now() / STEP_MS);
        return this.next <= now + 1 && Math.max(this.next, now);
      },
      2 * STEP_MS,
    );
    this.next = step + 1;
    return this.totp.generate({ timestamp: step * STEP_MS });
  }
}

/** Fills a dialog in and presses its button. */
async function giveForm(values: Record<string, string>, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(values)) await dialog.getByLabel(new RegExp(`^${label}`)).fill(value);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

const codeLabel = 'Code from your app, or a recovery code';

async function recoveryCodesShown(): Promise<string[]> {
  const list = page.getByRole('alertdialog').getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return await list.getByRole('listitem').allTextContents();
}

/** Logs out and begins to log in again, up to the second step. */
async function beginSignIn(): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByAltText('Letters to copy into the field below').waitFor();
  await submitSignIn(page, host, ana);
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
}

async function submission(password: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
  const reply = await peer.signIn(ana.user.email, password);
  peer.close();
  return reply;
}

/** Puts the focus into the name of a signature as soon as the page has its field. */
const GO_TO_NAME_WHEN_THERE = `new MutationObserver((_changes, watch) => {
  const name = document.querySelector('[name=signature_name]');
  if (!name || name.closest('[role=dialog]')) return;
  watch.disconnect();
  name.focus();
}).observe(document.body, { childList: true, subtree: true })`;

describe('signatures', () => {
  it('are written in the settings, and are part of the message that arrives', async () => {
    await open('general');
    await sees('You have no signature yet');
    await page.getByRole('button', { name: 'New signature' }).click();
    await giveForm({ Name: '' }, 'Create');
    await sees('Please enter a signature name');
    await page.evaluate(GO_TO_NAME_WHEN_THERE);
    await giveForm({ Name: 'Off' }, 'Create');
    await page.getByLabel('Signature text').waitFor();
    // 60 ms after the editor is there it takes the focus, if the person is in no other field
    await page.evaluate(() => new Promise((settle) => setTimeout(settle, 150)));
    await page.keyboard.press('End');
    await page.keyboard.type('ice');
    expect(await page.locator('[name=signature_name]').inputValue()).toBe('Office');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sees('Please enter signature content');
    await page.getByLabel('Signature text').click();
    await page.keyboard.type('Ana of the mill');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sees('Signature saved');
    await page.getByLabel('New messages').selectOption({ label: 'Office' });
    await sees('Saved for new messages');
    expect(await seriousProblems(page)).toEqual([]);

    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    const editor = page.getByLabel('Message text');
    await editor.getByText('Ana of the mill').waitFor();
    await page.getByLabel('To', { exact: true }).fill('foreign@remote.test');
    await page.getByLabel('Subject').fill('Signed by hand');
    await editor.click({ position: { x: 20, y: 16 } });
    await page.keyboard.type('Own words.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const arrived = await until('the message arrives', () =>
      host.remote.received.find((message) => message.raw.includes('Subject: Signed by hand')),
    );
    expect(arrived.raw.toString('latin1')).toMatch(/Own words\.[\s\S]*Ana of the mill/);
    expect(arrived.raw.toString('latin1')).not.toContain('selvage-signature');
  });

  it('are changed in the message without touching what was typed, and do not count as typed', async () => {
    const api = new ApiClient(host);
    await api.signIn(ana.user.email, ana.password);
    await api.data('POST', '/mailsetting/signature/create', {
      signature_name: 'Holiday',
      signature_body: '<div>Ana at the <b>sea</b></div>',
    });
    await page.goto(`${host.url}/dashboard/inbox`);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    const editor = page.getByLabel('Message text');
    await editor.getByText('Ana of the mill').waitFor();
    await chooseSignature('Holiday');
    await editor.getByText('Ana at the sea').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await editor.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Compose' }).first().click();
    await editor.getByText('Ana of the mill').waitFor();
    await editor.click({ position: { x: 20, y: 16 } });
    await page.keyboard.type('Own words.');
    await chooseSignature('Holiday');
    await expect.poll(async () => words(await editor.innerText())).toBe('Own words. Ana at the sea');
    await chooseSignature('No signature');
    await expect.poll(async () => words(await editor.innerText())).toBe('Own words.');
    await chooseSignature('Office');
    await expect.poll(async () => words(await editor.innerText())).toBe('Own words. Ana of the mill');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await editor.waitFor({ state: 'detached' });
  });

  it('are not overwritten when they were changed elsewhere meanwhile', async () => {
    const api = new ApiClient(host);
    await api.signIn(ana.user.email, ana.password);
    const all = await api.data<{ _id: string; signature_name: string }[]>('GET', '/mailsetting/signature/get/all');
    const { _id: id } = all.find((one) => one.signature_name === 'Holiday') ?? { _id: '' };
    await open('general');
    await page.getByRole('list', { name: 'Signatures' }).getByText('Holiday').click();
    await page.getByLabel('Signature text').getByText('Ana at the').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Holidays');
    await api.data('PATCH', `/mailsetting/signature/update/${id}`, { signature_body: '<div>Ana in the hills</div>' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sees(/changed Signature text on .* after you opened this\. Nothing of yours was saved yet\.$/);
    await page.getByRole('button', { name: 'Keep my changes on top' }).click();
    await page.getByLabel('Signature text').getByText('Ana in the hills').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Holidays');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await sees('Signature saved');
    const saved = await api.data<object[]>('GET', '/mailsetting/signature/get/all');
    expect(saved).toContainEqual(
      expect.objectContaining({ signature_name: 'Holidays', signature_body: '<div>Ana in the hills</div>' }),
    );
  });

  it('wait for a person who leaves before saving', async () => {
    await open('general');
    await page.getByRole('list', { name: 'Signatures' }).getByText('Office').click();
    await page.getByLabel('Signature text').getByText('Ana of the mill').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and more');
    await page.getByRole('list', { name: 'Signatures' }).getByText('Not saved').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await sees('The signature “Office” is not saved yet.');
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByRole('list', { name: 'Signatures' }).getByText('Office').click();
    await page.getByLabel('Signature text').getByText('Ana of the mill and more').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByLabel('Signature text').getByText('Ana of the mill', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await sees('Signature deleted');
  });
});

async function chooseSignature(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Signature', exact: true }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

describe('two-factor', () => {
  let app: AuthenticatorApp;
  let recoveryCodes: string[];

  it('is turned on with an app, and asked for at the next login', async () => {
    await open('security');
    expect(await seriousProblems(page)).toEqual([]);
    // Whatever takes the focus has a name for screen readers
    await expect.poll(() => page.locator('[aria-hidden="true"][tabindex="0"]').count()).toBe(0);
    await section('Passkeys').getByText('Passkeys can be added once two-factor authentication is on.').waitFor();
    await page.getByRole('switch', { name: 'Two-factor authentication' }).click();
    await giveForm({ 'Your password': 'not my password' }, 'Next');
    await sees('The password is wrong.');
    await giveForm({ 'Your password': ana.password }, 'Next');
    const secret = (await page.getByTestId('secret').innerText()).replaceAll(/\s/g, '');
    expect(await seriousProblems(page)).toEqual([]);
    app = new AuthenticatorApp(secret);
    await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog').getByLabel('6-digit code').fill('12345');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await sees('Please enter a valid 6-digit OTP.');
    await page
      .getByRole('dialog')
      .getByLabel('6-digit code')
      .fill(await app.code());
    recoveryCodes = await recoveryCodesShown();
    expect(new Set(recoveryCodes).size).toBe(10);
    // A dialog that is shown once is not closed by accident
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await sees('10 recovery codes left');
    await page.getByRole('switch', { name: 'Two-factor authentication', checked: true }).waitFor();

    await beginSignIn();
    await page.getByLabel('Code').fill(await app.code());
    await page.waitForURL('**/dashboard/**');
  });

  it('accepts a recovery code once, and renews the codes', async () => {
    await beginSignIn();
    const dialog = page.locator('[role=alertdialog], [role=dialog]');
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await dialog.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await page.waitForURL('**/dashboard/**');
    await open('security');
    await sees('9 recovery codes left');
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await giveForm({ [codeLabel]: recoveryCodes[1] ?? '', 'Your password': ana.password }, 'Make new codes');
    const renewed = await recoveryCodesShown();
    expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    recoveryCodes = renewed;
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await sees('10 recovery codes left');
  });

  it('is moved to another app while it stays on', async () => {
    await Session.update({ confirmedAt: null }, { where: { userId: String(ana.user.id) } });
    await open('security');
    await page.getByRole('button', { name: 'Set up another app' }).click();
    await page.getByRole('dialog').getByText('Your current app keeps working until').waitFor();
    expect(await problemsInAllLooks(page, 'another-app')).toEqual({});
    await giveForm({ 'Your password': ana.password }, 'Next');
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel(/^Your password/).fill(ana.password);
    await question.getByLabel(/^Code from your app/).fill(recoveryCodes[9] ?? '');
    await question.getByRole('button', { name: 'Confirm' }).click();
    app = new AuthenticatorApp((await page.getByTestId('secret').innerText()).replaceAll(/\s/g, ''));
    await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click();
    // A whole code is sent at once
    await page
      .getByRole('dialog')
      .getByLabel('6-digit code')
      .fill(await app.code());
    await sees('Your new app is set up');
    await page.getByRole('button', { name: 'Done' }).click();
    await sees('9 recovery codes left');

    await beginSignIn();
    await page.getByLabel('Code').fill(await app.code());
    await page.waitForURL('**/dashboard/**');
  });

  it('takes a passkey in place of the code', async () => {
    const devTools = await browser.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
    });
    await open('security');
    await section('Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
    await giveForm({ Name: 'My phone', 'Your password': ana.password }, 'Add');
    await sees('Please enter a code from your app, or a recovery code.');
    await giveForm({ [codeLabel]: recoveryCodes[1] ?? '' }, 'Add');
    const row = section('Passkeys').getByRole('listitem');
    await row.getByText('My phone').waitFor();
    await section('Passkeys').getByRole('button', { name: 'Rename My phone' }).click();
    await giveForm({ Name: 'My key' }, 'Save');
    await row.getByText('My key').waitFor();

    await beginSignIn();
    const other = page.getByRole('button', { name: 'Use a passkey' });
    if (await other.isVisible()) await other.click();
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await page.waitForURL('**/dashboard/**');
    await open('security');
    await row.getByText('last used').waitFor();
    await section('Passkeys').getByRole('button', { name: 'Remove My key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await section('Passkeys').getByText('You have no passkey yet.').waitFor();
  });

  it('gives mail programs passwords of their own', async () => {
    await open('security');
    await section('App passwords').getByRole('button', { name: 'New app password' }).click();
    const proof = { 'Your password': ana.password, [codeLabel]: recoveryCodes[2] ?? '' };
    await giveForm({ 'Name of the mail program': 'Thunderbird', ...proof }, 'Create');
    const password = await page.getByTestId('app-password').innerText();
    await page.getByRole('alertdialog').getByText(`${host.ports.submissions} with SSL/TLS`).waitFor();
    expect(await submission(ana.password)).toMatch(/^534 5.7.9 Two-factor/);
    const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
    expect(await peer.signIn(ana.user.email, password)).toMatch(/^235/);
    const message = plainMessage({ from: ana.user.email, to: 'foreign@remote.test', subject: 'From a mail program' });
    expect(await peer.deliver(ana.user.email, 'foreign@remote.test', message)).toMatch(/^250/);
    peer.close();
    await until('it arrives', () =>
      host.remote.received.find(({ raw }) => raw.includes('Subject: From a mail program')),
    );
    await page.getByRole('button', { name: 'Done' }).click();
    await open('security');
    await section('App passwords').getByText('last used').waitFor();
    // A change of the account's password asks whether it shall end as well
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('checkbox', { name: /Thunderbird/ }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await section('App passwords').getByRole('button', { name: 'Revoke Thunderbird' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await section('App passwords').getByText('No mail program has a password yet.').waitFor();
    expect(await submission(password)).toMatch(/^535/);
  });

  it('is turned off without the app by a recovery code', async () => {
    await open('security');
    await page.getByRole('button', { name: 'Lost access to your app?' }).click();
    await giveForm({ 'Your password': ana.password }, 'Next');
    await giveForm({ 'Recovery code': 'no-such-code' }, 'Turn off');
    await sees(/^Invalid/);
    await giveForm({ 'Recovery code': recoveryCodes[0] ?? '' }, 'Turn off');
    await sees('Two-factor authentication is off');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('switch', { name: 'Two-factor authentication', checked: false }).waitFor();
  });
});

describe('the account', () => {
  it('keeps a recovery email that waits for its confirmation', async () => {
    await open('security');
    const recovery = section('Recovery email');
    const save = recovery.getByRole('button', { name: 'Save' });
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true');
    await recovery.getByRole('textbox').fill('nobody');
    await save.click();
    await recovery.getByText('Please enter a valid email address.').waitFor();
    await recovery.getByRole('textbox').fill('ana.recovery@remote.test');
    await save.click();
    await giveForm({ 'Your password': ana.password }, 'Save');
    await recovery.getByText('Waiting for confirmation').waitFor();
    const mail = await until('the link is mailed', () =>
      host.remote.received.find(({ to }) => to.includes('ana.recovery@remote.test')),
    );
    const [link = ''] =
      /http\S+\/auth\/confirm-recovery\S+/.exec(mail.raw.toString('latin1').replace(/=\r\n/g, '')) ?? [];
    const other = await browser.newPage();
    await other.goto(link.replaceAll('=3D', '='));
    await other.getByRole('button', { name: /confirm/i }).click();
    await other
      .getByText(/confirmed/i)
      .first()
      .waitFor();
    await other.close();
    await page.bringToFront();
    await open('security');
    await recovery.getByText('Confirmed', { exact: true }).waitFor();
  });

  it('ends one other session, then all others, then its own', async () => {
    const others = [new ApiClient(host), new ApiClient(host)];
    for (const other of others) await other.signIn(ana.user.email, ana.password);
    await open('security');
    const sessions = section('Active sessions');
    await sessions.getByText('Chrome on Linux').first().waitFor();
    await expect.poll(() => sessions.getByText('This device').count()).toBe(1);
    const before = await sessions.getByRole('listitem').count();
    await sessions
      .getByRole('button', { name: /^Log out session [0-9a-f]{8}$/ })
      .first()
      .click();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before - 1);
    await sessions.getByRole('button', { name: 'Log out all others' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/^\d+ other sessions? ends?\./).waitFor();
    await page.evaluate(`{
      const note = () => {
        const text = document.querySelector('[role=alertdialog]')?.textContent.match(/\\d+ other/)?.[0];
        if (text) (window.said ??= new Set()).add(text);
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
      note();
    }`);
    await question.getByRole('button', { name: 'Log out all others' }).click();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await question.waitFor({ state: 'detached' });
    expect(await page.evaluate('[...window.said]')).toEqual([`${before - 2} other`]);
    for (const other of others) expect((await other.call('GET', '/user/info')).status).toBe(401);
    await section('Recent activity').getByText('Logged out').first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await sessions.getByRole('button', { name: 'Log out this device' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/auth/sign-in');
  });

  it('works on a small dark screen', async () => {
    const small = await openBrowser({ width: 390, height: 844, dark: true });
    const phone = await small.newPage();
    await signIn(phone, host, ana);
    await phone.getByRole('button', { name: 'Account settings' }).click();
    await phone.getByRole('heading', { name: 'Account settings' }).waitFor();
    for (const tab of ['General', 'Security', 'Filters', 'Vacation reply', 'Forwarding']) {
      await phone.getByRole('tab', { name: tab }).click();
      await phone.getByRole('region').first().waitFor();
      expect(await seriousProblems(phone)).toEqual([]);
      expect(await layoutProblems(phone)).toEqual([]);
    }
  });
});
