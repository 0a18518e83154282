import { randomBytes } from 'node:crypto';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { parseMessage } from '@selvage/core/mail/parse-message';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openTab, submitSignIn } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { mailedText } from '../support/mailed-text.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const mark = randomBytes(4).toString('hex');
const domain = `${mark}.test`;
const meera = { address: `meera@${domain}`, personal: `meera-${mark}@remote.test`, password: 'warp and weft 1995' };
const neha = { address: `neha@${domain}`, first: 'selvedge 5 finish', password: 'a pass phrase of her own' };

let host: TestHost;
let staff: Mailbox;

beforeAll(async () => {
  host = await startTestHost({ UNDO_MS: '0', POSTAL_CODE_URL: 'http://127.0.0.1:1/' });
  const provider = await buildCompany(host.app, { isProvider: true });
  staff = await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The provider adds a client in the console, and has the login mailed. */
async function addClient(): Promise<void> {
  const page = await openTab(host, staff);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('button', { name: '+ Add New Client' }).first().click();
  await page.getByLabel('Company Name').fill(`Ambika Cotton Mills ${mark}`);
  await page.getByLabel('First Name').fill('Meera');
  await page.getByLabel('Personal Email').fill(meera.personal);
  await page.getByLabel('Business Email').fill(meera.address);
  await press(page, 'Generate');
  await press(page, 'Create');
  await page.getByText('Client created successfully').first().waitFor();
  await page.getByRole('button', { name: 'Actions for Meera' }).click();
  await page.getByRole('menuitem', { name: 'Send Credentials' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Credentials' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Credentials sent successfully!').first().waitFor();
}

/** A browser of their own, in which a person uses the login page. */
async function logIn(address: string, password: string): Promise<Page> {
  const page = await (await openBrowser()).newPage();
  const user = await User.findOne({ where: { email: address }, rejectOnEmpty: true });
  await submitSignIn(page, host, { user, password });
  return page;
}

/** The new administrator follows the mailed link, and chooses a password. */
async function choosePassword(): Promise<void> {
  const link = await mailedText(host, meera.personal, /http\S+\/auth\/set-password#\S+/);
  const page = await (await openBrowser()).newPage();
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password' }).fill(meera.password);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(meera.password);
  await press(page, 'Set password');
  await page.waitForURL('**/auth/sign-in');
}

async function saveAndGoOn(page: Page, notice: string): Promise<void> {
  await press(page, 'Save');
  await page.getByText(notice).first().waitFor();
  const next = page.getByRole('button', { name: 'Next Step' });
  await until('the next step is open', async () => (await next.getAttribute('aria-disabled')) !== 'true');
  await next.click();
}

/** The setup, up to the mailbox of the first employee. */
async function setUp(page: Page): Promise<void> {
  await page.waitForURL('**/required_data?step=1');
  const company = { Industry: 'Cotton', Phone: '9876543210', City: 'Surat', State: 'Gujarat', Country: 'India' };
  await page.getByLabel('Address').first().fill('1 Mill Lane');
  await page.getByLabel('Pin Code').fill('395003');
  for (const [label, text] of Object.entries(company)) await page.getByLabel(label).fill(text);
  await saveAndGoOn(page, 'Company updated successfully');
  await page.getByLabel('Expiry date').fill('09/03/2031');
  await saveAndGoOn(page, 'Domain updated successfully');
  await page.getByLabel('First name').fill('Neha');
  await page.getByLabel('Username').fill('neha');
  await page.getByRole('textbox', { name: 'Password' }).fill(neha.first);
  await press(page, 'Create employee');
  const made = page.getByRole('alertdialog', { name: 'Neha can log in now' });
  await made.getByText(neha.address).waitFor();
  await made.getByRole('button', { name: 'Done' }).click();
  await press(page, 'Next Step');
  await press(page, 'Finish');
  await page.waitForURL('**/dashboard/home');
}

/** The first login of the employee, who may do nothing before the password is their own. */
async function takeOver(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(neha.first);
  await dialog.getByRole('textbox', { name: 'New password' }).fill(neha.password);
  await dialog.getByRole('textbox', { name: 'Confirm password' }).fill(neha.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** A message of the employee's, as the foreign server took it. */
async function sendFirst(page: Page, subject: string): Promise<void> {
  await page.goto(`${host.url}/dashboard/inbox`);
  const compose = new ComposePage(page);
  await compose.open();
  await compose.write({ to: 'buyer@remote.test', subject, text: 'The first bale is ready.' });
  await compose.press('Send');
  const arrived = await until('the message is delivered', () =>
    host.remote.received.find(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)),
  );
  expect(arrived.to).toEqual(['buyer@remote.test']);
  const mail = await parseMessage(arrived.raw);
  expect([mail.from?.address, mail.text?.trim()]).toEqual([neha.address, 'The first bale is ready.']);
  expect(arrived.raw.toString('latin1')).toMatch(new RegExp(`^DKIM-Signature:[^]*?d=${domain}`, 'm'));
}

describe('a new client', () => {
  it('comes from the provider’s console to a first message that is delivered, and an answer to it', {
    timeout: 240_000,
  }, async () => {
    await addClient();
    await choosePassword();
    await setUp(await logIn(meera.address, meera.password));
    const page = await logIn(neha.address, neha.first);
    await takeOver(page);
    await sendFirst(page, 'First of all');
    const peer = await SmtpPeer.open(host.ports.smtp);
    const answer = plainMessage({ from: 'buyer@remote.test', to: neha.address, subject: 'Re: First of all' });
    expect(await peer.deliver('buyer@remote.test', neha.address, answer)).toMatch(/^250/);
    peer.close();
    await page.getByText('Re: First of all').first().waitFor();
  });
});
