import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { User } from '@selvage/core/models/user';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { openBrowser, submitSignIn } from '../support/browser.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { mailedText } from '../support/mailed-text.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const mark = randomBytes(4).toString('hex');

let host: TestHost;
let postalCodes: Server;

beforeAll(async () => {
  postalCodes = createServer((_request, response) => {
    const found = [{ Status: 'Success', PostOffice: [{ Name: 'A', Division: 'Surat', State: 'Gujarat' }] }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  }).listen(0, '127.0.0.1');
  await once(postalCodes, 'listening');
  const { port } = postalCodes.address() as AddressInfo;
  host = await startWebHost({ POSTAL_CODE_URL: `http://127.0.0.1:${port}/` });
});

afterAll(() => postalCodes.close());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const peopleTitle = 'Roles and the first employee';
const next = (page: Page) => page.getByRole('button', { name: 'Next Step' });
const isOpen = async (page: Page): Promise<boolean> =>
  (await next(page).getAttribute('aria-disabled')) !== 'true' && (await next(page).isEnabled());
const current = (page: Page) => page.locator('[aria-current=step]');

/** Fills in what the postal code does not say. */
async function fillCompany(page: Page): Promise<void> {
  await page.getByLabel('Industry').fill('Cotton');
  await page.getByLabel('Phone').fill('9876543210');
  await page.getByLabel('Address', { exact: false }).first().fill('1 Mill Lane');
}

/** The administrator of a new company, whose setup is not done. */
async function newcomer(isComplete = false): Promise<Mailbox> {
  const tenant = await buildCompany(host.app, { name: `Mills ${randomBytes(4).toString('hex')}` });
  if (isComplete) {
    const place = { address: '1 Mill Lane', city: 'Surat', state: 'Gujarat', country: 'India', pinCode: '395003' };
    await tenant.company.update({ ...place, industry: 'Cotton', phone: '9876543210' });
  }
  return await buildMailbox(host.app, { tenant, roleNumber: builtInRole.admin, user: { requiredData: true } });
}

/** A tab in which this person has just logged in. */
async function openSetUp(person: Mailbox): Promise<Page> {
  const page = await (await openBrowser()).newPage();
  await submitSignIn(page, host, person);
  await page.waitForURL('**/required_data?step=*');
  return page;
}

/** Two tabs of one browser, both at a step. */
async function twoTabs(person: Mailbox, step = 1): Promise<[Page, Page]> {
  const page = await openSetUp(person);
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(`${host.url}/required_data?step=${step}`);
  for (const tab of [page, other]) await heading(tab, step === 1 ? 'Company details' : peopleTitle).waitFor();
  return [page, other];
}

describe('the first day of a company', { timeout: 180_000 }, () => {
  const address = `meera@${mark}.test`;
  const personal = `meera-${mark}@remote.test`;
  const password = 'warp and weft 1995';
  let page: Page;
  let user: User;

  it('begins with a mailed link, a password and a login, which leads to the setup', async () => {
    const provider = await buildCompany(host.app, { isProvider: true });
    const staff = await buildMailbox(host.app, { tenant: provider, roleNumber: builtInRole.superAdmin });
    const api = new ApiClient(host);
    await api.signIn(staff.user.email, staff.password);
    const { _id } = await api.data<{ _id: string }>('POST', '/planbaseclient/create', {
      company_name: `Ambika Cotton Mills ${mark}`,
      fname: 'Meera',
      personal_email: personal,
      business_email: address,
      password: Buffer.from('never mailed 1').toString('base64'),
    });
    await api.data('POST', `/planbaseclient/send-credentials/${_id}`, { email: personal });
    const link = await mailedText(host, personal, /http\S+\/auth\/set-password#\S+/);
    page = await (await openBrowser()).newPage();
    await page.goto(link);
    await page.getByRole('textbox', { name: 'New password' }).fill(password);
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL('**/auth/sign-in');
    // The captcha of this page must not be taken for that of the next one
    await page.getByRole('img', { name: 'Letters to copy into the field below' }).waitFor();
    user = await User.findOne({ where: { email: address }, rejectOnEmpty: true });
    await submitSignIn(page, host, { user, password });
    await page.waitForURL('**/required_data?step=1');
    await heading(page, 'Company details').waitFor();
    await until('the tab is named', async () => (await page.title()).includes('Step 1 of 4: Company details'));
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Company details');
  });

  it('asks for the company, names each field that is wrong, and goes on only when it is saved', async () => {
    expect(await problemsInAllLooks(page, 'onboarding-1-empty')).toEqual({});
    await expect.poll(() => page.getByLabel('Company Name').getAttribute('readonly')).not.toBeNull();
    await expect.poll(() => page.getByLabel('Business Email').inputValue()).toBe(address);
    const active = page.getByRole('checkbox', { name: 'Active' });
    await active.press('Space');
    await expect.poll(() => active.isChecked()).toBe(true);
    await next(page).press('Enter');
    expect(new URL(page.url()).search).toBe('?step=1');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    for (const problem of ['Industry is required', 'Phone number must be 10 digits', 'Address is required'])
      await page.getByText(problem).waitFor();
    for (const problem of ['Invalid pincode', 'City is required', 'State is required', 'Country is required'])
      await page.getByText(problem).waitFor();
    await fillCompany(page);
    await page.getByLabel('Pin Code').fill('395003');
    await until('the place is found', async () => (await page.getByLabel('Country').inputValue()) === 'India');
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Surat');
    await expect.poll(() => isOpen(page)).toBe(false);
    await page.getByLabel('Industry').press('Enter');
    await page.getByText('Company updated successfully').first().waitFor();
    await until('the next step is open', () => isOpen(page));
    expect(await problemsInAllLooks(page, 'onboarding-1-saved')).toEqual({});
    const saved = await Company.findOne({ where: { id: user.companyId }, rejectOnEmpty: true });
    expect([saved.industry, saved.pinCode, saved.country]).toEqual(['Cotton', '395003', 'India']);
    await next(page).press('Enter');
    await heading(page, 'Your mail domain').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Your mail domain');
    await expect.poll(() => current(page).textContent()).toContain('Domain');
  });

  it('asks for the domain, and shows what its DNS lacks', async () => {
    await until('the tab is named', async () => (await page.title()).includes('Step 2 of 4: Your mail domain'));
    await expect.poll(() => page.getByLabel('Domain Name').inputValue()).toBe(`${mark}.test`);
    for (const [text, problem] of [
      ['', 'Expiry date is required'],
      ['31/02/2030', 'Enter a valid date (dd/MM/yyyy)'],
    ] as const) {
      await page.getByLabel('Expiry date').fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(problem).waitFor();
    }
    await page.getByRole('region', { name: /^6\. DKIM record/ }).waitFor();
    await page
      .getByRole('region', { name: /^4\. MX record/ })
      .getByText('Not in the DNS yet', { exact: true })
      .waitFor();
    expect(await problemsInAllLooks(page, 'onboarding-2')).toEqual({});
    await page.getByLabel('Expiry date').fill('9/3/2031');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Domain updated successfully').first().waitFor();
    await until('the next step is open', () => isOpen(page));
    await expect.poll(() => page.getByLabel('Expiry date').inputValue()).toBe('09/03/2031');
    const domain = await Domain.findOne({ where: { domainName: `${mark}.test` }, rejectOnEmpty: true });
    expect(new Date(domain.expirationDate ?? 0).toISOString()).toContain('2031-03-09');
    await next(page).click();
  });

  it('goes on where it was after a reload, with what was typed but no password', async () => {
    await heading(page, peopleTitle).waitFor();
    await page.getByLabel('First name').fill('Neha');
    await page.getByLabel('Username').fill('neha');
    await page.getByRole('textbox', { name: 'Password' }).fill('typed before the reload');
    await page.reload();
    await heading(page, peopleTitle).waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Neha');
    await expect.poll(() => page.getByLabel('Full email address').inputValue()).toBe(`neha@${mark}.test`);
    await expect.poll(() => page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Previous' }).click();
    await heading(page, 'Your mail domain').waitFor();
    await page.goto(`${host.url}/required_data`);
    await heading(page, peopleTitle).waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Neha');
    expect(await problemsInAllLooks(page, 'onboarding-3')).toEqual({});
  });

  it('adds the first employee, and shows what the server refuses at its field', async () => {
    const create = page.getByRole('button', { name: 'Create employee' });
    await page.getByLabel('Username').fill('meera');
    await page.getByRole('textbox', { name: 'Password' }).fill('selvedge 5 finish');
    await create.click();
    await page.getByLabel('Username').and(page.locator('[aria-invalid=true]')).waitFor();
    await expect.poll(() => isOpen(page)).toBe(false);
    await page.getByLabel('Username').fill('neha');
    await create.click();
    const dialog = page.getByRole('alertdialog', { name: 'Neha can log in now' });
    await dialog.getByText(`neha@${mark}.test`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Your company has 1 person besides you.').waitFor();
    await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('');
    expect(await problemsInAllLooks(page, 'onboarding-3-people')).toEqual({});
    await until('the next step is open', () => isOpen(page));
    await next(page).click();
  });

  it('ends with what is done and what waits, and goes home for good', async () => {
    await heading(page, 'Where your setup stands').waitFor();
    await page.getByText(/Waiting: .*MX record/).waitFor();
    await page.getByText('1 person besides you').waitFor();
    expect(await problemsInAllLooks(page, 'onboarding-4')).toEqual({});
    await page.getByRole('button', { name: 'Finish' }).press('Enter');
    await page.waitForURL('**/dashboard/home');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect((await user.reload()).requiredData).toBe(false);
    for (const path of ['/required_data', '/dashboard/required_data?step=2']) {
      await page.goto(`${host.url}${path}`);
      await page.waitForURL('**/dashboard/home');
    }
  });
});

describe('the steps', { timeout: 120_000 }, () => {
  it.each(['4', '99', '0', '-1', 'two', ''])('of an address with %j begin where something is left', async (step) => {
    const page = await openSetUp(await newcomer());
    await page.goto(`${host.url}/dashboard/required_data?step=${step}`);
    await page.waitForURL('**/dashboard/required_data?step=1');
    await heading(page, 'Company details').waitFor();
    await expect.poll(() => current(page).textContent()).toContain('1');
  });

  it('are opened out of order once their turn has come, and an employee can wait', async () => {
    const page = await openSetUp(await newcomer(true));
    await heading(page, 'Your mail domain').waitFor();
    await page.getByRole('link', { name: /Company/ }).click();
    await heading(page, 'Company details').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /People/ }).count()).toBe(0);
    await page.getByLabel('City').fill('Pune');
    await expect.poll(() => isOpen(page)).toBe(false);
    await page.getByRole('link', { name: /Domain/ }).click();
    await page.getByLabel('Expiry date').fill('09/03/2031');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the next step is open', () => isOpen(page));
    await next(page).click();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await heading(page, 'Where your setup stands').waitFor();
    await page.getByText('Only you so far').waitFor();
    const warning = page.getByRole('status').filter({ hasText: 'that is not saved' });
    expect(await problemsInAllLooks(page, 'onboarding-4-skipped')).toEqual({});
    await warning.getByRole('link', { name: 'Company details' }).click();
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Pune');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByText('the company details').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.goto(`${host.url}/required_data?step=99`);
    await heading(page, 'Where your setup stands').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.waitForURL('**/dashboard/inbox');
  });

  it('are finished in one of two tabs, and the other goes on', async () => {
    const person = await newcomer(true);
    await person.domain.update({ expirationDate: new Date('2031-03-09') });
    const page = await openSetUp(person);
    const other = await page.context().newPage();
    await other.goto(`${host.url}/required_data?step=1`);
    await other.getByLabel('City').fill('Pune');
    await page.goto(`${host.url}/required_data?step=4`);
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.waitForURL('**/dashboard/home');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByText('Company updated successfully').first().waitFor();
    await other.getByRole('link', { name: /Finish/ }).click();
    await other.getByRole('button', { name: 'Finish' }).click();
    await other.waitForURL('**/dashboard/home');
    expect((await Company.findByPk(person.company.id))?.city).toBe('Pune');
  });

  it('that two tabs save at once are saved by one of them, and the other one is asked', async () => {
    const person = await newcomer(true);
    const [page, other] = await twoTabs(person);
    await page.getByLabel('City').fill('Pune');
    await other.getByLabel('Address').first().fill('2 Loom Street');
    await press(page, 'Save');
    await page.getByText('Company updated successfully').first().waitFor();
    await press(other, 'Save');
    await other.getByText(/changed City on .* Nothing of yours was saved yet\.$/).waitFor();
    expect(await problemsInAllLooks(other, 'onboarding-1-conflict')).toEqual({});
    await press(other, 'Keep my changes on top');
    await expect.poll(() => other.getByLabel('City').inputValue()).toBe('Pune');
    await press(other, 'Save');
    await other.getByText('Company updated successfully').first().waitFor();
    const both = { city: 'Pune', address: '2 Loom Street' };
    expect(await Company.findByPk(person.company.id, { raw: true })).toMatchObject(both);
  });

  it('keep what is typed in one tab while another one saves the step, also after a reload', async () => {
    const person = await newcomer(true);
    const [page, other] = await twoTabs(person);
    await page.getByLabel('City').fill('Pune');
    await other.getByLabel('Address').first().fill('2 Loom Street');
    await press(other, 'Save');
    await other.getByText('Company updated successfully').first().waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Pune');
    await expect.poll(() => page.getByLabel('Address').first().inputValue()).toBe('2 Loom Street');
  });

  it('add a person whom another tab has added meanwhile by another name, and lose nothing', async () => {
    const person = await newcomer(true);
    await person.domain.update({ expirationDate: new Date('2031-03-09') });
    const [page, other] = await twoTabs(person, 3);
    for (const tab of [page, other]) {
      await tab.getByLabel('First name').fill('Neha');
      await tab.getByLabel('Username').fill('neha');
      await tab.getByRole('textbox', { name: 'Password' }).fill('selvedge 5 finish');
    }
    await press(page, 'Create employee');
    await page.getByRole('alertdialog', { name: 'Neha can log in now' }).getByRole('button', { name: 'Done' }).click();
    await press(other, 'Create employee');
    await other.getByLabel('Username').and(other.locator('[aria-invalid=true]')).waitFor();
    await expect.poll(() => other.getByLabel('First name').inputValue()).toBe('Neha');
    await other.getByLabel('Username').fill('neha.rao');
    await press(other, 'Create employee');
    await other.getByRole('alertdialog', { name: 'Neha can log in now' }).waitFor();
    const { domainName } = person.domain;
    const added = [`neha@${domainName}`, `neha.rao@${domainName}`];
    expect(await User.count({ where: { email: added } })).toBe(2);
  });

  it('are left by logging out, and gone on with in another browser, where one was', async () => {
    const person = await newcomer(true);
    const page = await openSetUp(person);
    await page.getByLabel('Expiry date').fill('09/03/2031');
    await press(page, 'Save');
    await until('the next step is open', () => isOpen(page));
    await next(page).click();
    const other = await page.context().newPage();
    await other.goto(`${host.url}/required_data?step=3`);
    for (const tab of [page, other]) await tab.getByLabel('First name').fill('Neha');
    await press(page, 'Logout');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByText('the new employee').waitFor();
    await question.getByRole('button', { name: 'Leave' }).click();
    for (const tab of [page, other]) await tab.waitForURL('**/auth/sign-in*');
    // What was given up is not left behind on the device
    await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('Neha');
    for (const tab of [await openSetUp(person), await openSetUp(person)]) {
      await heading(tab, peopleTitle).waitFor();
      await expect.poll(() => tab.getByLabel('First name').inputValue()).toBe('');
      await press(tab, 'Previous');
      await expect.poll(() => tab.getByLabel('Expiry date').inputValue()).toBe('09/03/2031');
    }
  });
});

describe('a company', { timeout: 120_000 }, () => {
  it('whose domain is gone adds another one', async () => {
    const person = await newcomer(true);
    await person.domain.update({ deletedAt: new Date() });
    const page = await openSetUp(person);
    await page.getByText('Your company has no mail domain.').waitFor();
    await page.getByLabel('Domain Name').fill('no domain');
    await page.getByRole('button', { name: 'Add the domain' }).click();
    await page.getByText('Enter a valid domain (e.g. example.com)').waitFor();
    expect(await problemsInAllLooks(page, 'onboarding-2-none')).toEqual({});
    await page.getByLabel('Domain Name').fill(`new-${person.domain.domainName}`);
    await page.getByLabel('Expiry date').fill('09/03/2031');
    await page.getByRole('button', { name: 'Add the domain' }).click();
    await page
      .getByRole('region', { name: /^2\. Verify the domain/ })
      .getByRole('button', { name: 'Check now' })
      .waitFor();
    await expect.poll(() => page.getByLabel('Expiry date').inputValue()).toBe('09/03/2031');
    await until('the next step is open', () => isOpen(page));
  });

  it('whose domain is not proved is led to prove it, and adds a person once it is', async () => {
    const person = await newcomer(true);
    await person.domain.update({ expirationDate: new Date('2031-03-09'), verifiedAt: null });
    const page = await openSetUp(person);
    await heading(page, peopleTitle).waitFor();
    const warning = page.getByRole('status').filter({ hasText: 'Verify the domain first' });
    await warning.getByText(person.domain.domainName).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Create employee' }).count()).toBe(0);
    expect(await problemsInAllLooks(page, 'onboarding-3-unproved')).toEqual({});
    await warning.getByRole('link', { name: 'Go to the domain' }).click();
    await heading(page, 'Your mail domain').waitFor();
    await page.getByRole('region', { name: /^2\. Verify the domain/ }).waitFor();
    // As a worker finds the record
    await person.domain.update({ verifiedAt: new Date() });
    // The page looks at the DNS again every 15 seconds, and each look may take long
    await page.getByText('is verified').first().waitFor({ timeout: 60_000 });
    await next(page).click();
    await page.getByLabel('First name').fill('Neha');
    await page.getByLabel('Username').fill('neha');
    await expect
      .poll(() => page.getByLabel('Full email address').inputValue())
      .toBe(`neha@${person.domain.domainName}`);
    await page.getByRole('textbox', { name: 'Password' }).fill('selvedge 5 finish');
    await page.getByRole('button', { name: 'Create employee' }).click();
    await page.getByRole('alertdialog', { name: 'Neha can log in now' }).waitFor();
  });

  it('with one domain that is proved and one that is not offers the proved one', async () => {
    const person = await newcomer(true);
    await person.domain.update({ expirationDate: new Date('2031-03-09'), verifiedAt: null });
    const proved = `proved-${person.domain.domainName}`;
    await Domain.create({ companyId: String(person.company.id), domainName: proved, verifiedAt: new Date() });
    const page = await openSetUp(person);
    await page.getByLabel('Username').fill('neha');
    await expect.poll(() => page.getByLabel('Full email address').inputValue()).toBe(`neha@${proved}`);
  });

  it('is told that an expiry date is over, and can save it all the same', async () => {
    const page = await openSetUp(await newcomer(true));
    await page.getByLabel('Expiry date').fill('09/03/2031');
    const warning = page.getByRole('status').filter({ hasText: 'This date has passed.' });
    await expect.poll(() => warning.count()).toBe(0);
    await page.getByLabel('Expiry date').fill('09/03/2021');
    await warning.waitFor();
    expect(await problemsInAllLooks(page, 'onboarding-2-past')).toEqual({});
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Domain updated successfully').first().waitFor();
    await warning.waitFor();
  });

  it('whose server fails is told what failed, with all that was typed', async () => {
    const page = await openSetUp(await newcomer(true));
    await heading(page, 'Your mail domain').waitFor();
    const answers = [{ status: 500, contentType: 'application/json', body: '{"success":false}' }, null];
    await page.route('**/api/v1/domain/update/*', async (route) => {
      const answer = answers.shift();
      await (answer ? route.fulfill(answer) : route.abort());
    });
    await page.getByLabel('Expiry date').fill('09/03/2031');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Failed to update domain.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Failed to save domain setup.').waitFor();
    await expect.poll(() => page.getByLabel('Expiry date').inputValue()).toBe('09/03/2031');
    await page.route('**/api/v1/company/update/*', (route) => route.abort());
    await page.goto(`${host.url}/required_data?step=1`);
    await page.getByLabel('City').fill('Pune');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Failed to update company.').waitFor();
    await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Pune');
  });

  it('leaves a person alone who may set up nothing', async () => {
    const person = await buildMailbox(host.app, { user: { requiredData: true } });
    const page = await openSetUp(person);
    await heading(page, 'Where your setup stands').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('Your role does not let you do this.').waitFor();
    await next(page).click();
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.waitForURL('**/dashboard/home');
  });
});
