import type { Page } from 'playwright-core';
import { Folder } from '@selvage/core/models/folder';
import { Session } from '@selvage/core/models/session';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { SignInPage } from '../support/sign-in-page.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await sharedTestHost();
  host.dns.addRecords('_dmarc.forged.test', { TXT: ['v=DMARC1; p=quarantine'] });
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  page = await openTab(host, ana);
});

async function receive(subject: string, from = 'news@remote.test'): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  expect(await peer.deliver(from, [ana.user.email], plainMessage({ from, to: ana.user.email, subject }))).toMatch(
    /^250/,
  );
  peer.close();
}

const openFolder = (name: string) => page.goto(`${host.url}/dashboard/${name}`);
const row = (subject: string) => page.getByRole('link', { name: subject });
const isGone = (subject: string) => row(subject).waitFor({ state: 'detached' });

async function openMenu(item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('junk', () => {
  it('is reported and taken back, by button, by key and by Undo', async () => {
    await receive('cheap bobbins');
    await row('cheap bobbins').waitFor();
    await row('cheap bobbins').hover();
    await page.getByRole('button', { name: 'Report cheap bobbins as junk' }).click();
    await isGone('cheap bobbins');
    await page.getByText('Moved to Junk').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('cheap bobbins').click();
    await page.getByRole('button', { name: 'Report junk' }).waitFor();
    await page.keyboard.press('!');
    await page.waitForURL('**/dashboard/inbox');
    await isGone('cheap bobbins');
    await page.getByRole('link', { name: /^Junk/ }).click();
    await page.getByRole('heading', { name: 'Junk Mail' }).waitFor();
    await row('cheap bobbins').waitFor();
    expect(await problemsInAllLooks(page, 'junk-list')).toEqual({});
    await page.getByRole('checkbox', { name: 'Select cheap bobbins' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Not junk' }).click();
    await page.getByText('No emails found').waitFor();
    expect(await problemsInAllLooks(page, 'junk-empty')).toEqual({});
    await openFolder('inbox');
    await row('cheap bobbins').waitFor();
  });

  it('gets what a domain asks to quarantine, and says why', async () => {
    await receive('pay at once', 'bank@forged.test');
    await openFolder('junk');
    await row('pay at once').click();
    const why = 'In Junk because the domain forged.test asks for it: the message did not prove it comes from there.';
    await page.getByText(why).waitFor();
    expect(await problemsInAllLooks(page, 'junk-message')).toEqual({});
  });
});

describe('a blocked sender', () => {
  it('is blocked from a message, found in Junk, and unblocked by what is no junk', async () => {
    await receive('first offer', 'sales@loud.test');
    await openFolder('inbox');
    await row('first offer').click();
    await openMenu('Block sales@loud.test');
    const dialog = page.getByRole('dialog', { name: 'Block sales@loud.test?' });
    await dialog.getByLabel('Whom to block').selectOption('loud.test');
    expect(await problemsInAllLooks(page, 'block')).toEqual({});
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByText('loud.test is blocked: new mail goes to Junk').first().waitFor();
    await receive('second offer', 'other@shop.loud.test');
    await openFolder('junk');
    await row('second offer').click();
    await page.getByText('In Junk because you have blocked loud.test.').waitFor();
    await page.getByRole('button', { name: 'Not junk' }).click();
    await page.getByText('loud.test is still blocked: new mail goes to Junk.').first().waitFor();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('loud.test is no longer blocked').first().waitFor();
    await receive('third offer', 'other@shop.loud.test');
    await openFolder('inbox');
    await row('third offer').waitFor();
    await row('second offer').waitFor();
  });
});

describe('a filter', () => {
  it('is made from a message in two presses and works from then on', async () => {
    await receive('weekly one', 'digest@remote.test');
    await openFolder('inbox');
    await row('weekly one').click();
    await openMenu('Filter messages like this');
    const dialog = page.getByRole('dialog', { name: 'New filter' });
    await expect.poll(() => dialog.getByLabel('From contains').inputValue()).toBe('digest@remote.test');
    expect(await problemsInAllLooks(page, 'filter-dialog')).toEqual({});
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('Filter “digest@remote.test” added').first().waitFor();
    const question = page.getByRole('alertdialog', {
      name: 'Also apply it to the 1 message in the inbox that matches?',
    });
    await question.waitFor();
    expect(await problemsInAllLooks(page, 'filter-apply')).toEqual({});
    await question.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Filter applied to 1 message').first().waitFor();
    await receive('weekly two', 'digest@remote.test');
    await openFolder('archive');
    await row('weekly one').waitFor();
    await row('weekly two').click();
    await page.getByText('Moved to Archive by the filter “digest@remote.test”.').waitFor();
  });

  it('is added, ordered, switched off and deleted in the settings', async () => {
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=filters`);
    await page.getByRole('button', { name: 'New filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'New filter' });
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await dialog.getByText('Say what the messages have in common').waitFor();
    await dialog.getByText('Say what happens to the messages').waitFor();
    await dialog.getByLabel('Subject contains').fill('invoice');
    await dialog.getByLabel('Add a star').click();
    await dialog.getByLabel('Name').fill('Bills');
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    const list = page.getByRole('list', { name: 'Filters' });
    await list.getByText('Bills').waitFor();
    await list.getByRole('button', { name: 'Move Bills up' }).click();
    await list.getByRole('listitem').first().getByText('Bills').waitFor();
    await list.getByRole('switch', { name: 'Turn off digest@remote.test' }).click();
    await list.getByText('Off', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'filters')).toEqual({});
    await page.reload();
    await list.getByRole('listitem').first().getByText('Bills').waitFor();
    await receive('an invoice', 'digest@remote.test');
    await list.getByRole('button', { name: 'Delete Bills' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await list.getByText('Bills').waitFor({ state: 'detached' });
    await openFolder('starred');
    await row('an invoice').waitFor();
  });

  it('moves mail into a folder of one’s own, also what is in the inbox already', async () => {
    const owner = { userId: String(ana.user.id), companyId: String(ana.company.id) };
    await Folder.create({ ...owner, role: null, name: 'Looms', nameKey: 'looms', uidValidity: 1 });
    for (const subject of ['loom one', 'loom two', 'reed']) await receive(subject);
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=filters`);
    await page.getByRole('button', { name: 'New filter' }).click();
    const dialog = page.getByRole('dialog', { name: 'New filter' });
    await dialog.getByLabel('Subject contains').fill('LOOM');
    await dialog.getByLabel('Move to').selectOption('Looms');
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'Also apply it to the 2 messages in the inbox that match?',
    });
    await question.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Filter applied to 2 messages').first().waitFor();
    await page.getByText('move to Looms').waitFor();
    await receive('loom three');
    await page.getByRole('link', { name: /^Looms/ }).click();
    for (const number of ['one', 'two', 'three']) await row(`loom ${number}`).waitFor();
    await row('loom three').click();
    await page.getByText('Moved to a folder of yours by the filter “LOOM”.').waitFor();
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=filters`);
    await page.getByRole('button', { name: 'Edit LOOM' }).click();
    const edited = page.getByRole('dialog', { name: 'Edit the filter' });
    await edited.getByLabel('Subject contains').fill('reed');
    await edited.getByRole('button', { name: 'Save' }).click();
    const second = page.getByRole('alertdialog', { name: /1 message/ });
    await second.getByRole('button', { name: 'Not now' }).click();
    await openFolder('inbox');
    await row('reed').waitFor();
  });
});

describe('the vacation reply', () => {
  it('is turned on in the settings, answers, and is turned off above the mail', async () => {
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=vacation`);
    const form = page.getByRole('form', { name: 'Vacation reply' });
    await form.getByLabel('Answer my mail').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Please enter the text of the reply').waitFor();
    await form.getByLabel('Subject').fill('Away until Monday');
    await form.getByLabel('Message').fill('I am back on Monday.');
    await form.getByLabel('Last day').fill('2999-12-31');
    await form.getByLabel('Answer only people I know').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The vacation reply is on').first().waitFor();
    await page.getByText('On', { exact: true }).waitFor();
    expect(await problemsInAllLooks(page, 'vacation-settings')).toEqual({});
    await page.reload();
    await expect.poll(() => form.getByLabel('Answer only people I know').isChecked()).toBe(true);
    await form.getByLabel('Answer only people I know').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The vacation reply is on').first().waitFor();
    await receive('are you there', 'friend@remote.test');
    const isAnswer = ({ to, raw }: { to: string[]; raw: Buffer }) =>
      to.includes('friend@remote.test') && raw.toString().includes('Subject: Away until Monday');
    await until('the answer', () => host.remote.received.some(isAnswer));
    await openFolder('inbox');
    const banner = page.getByRole('region', { name: 'Vacation reply' });
    await banner.getByText('Your vacation reply is on until December 31, 2999.').waitFor();
    expect(await problemsInAllLooks(page, 'vacation-banner')).toEqual({});
    await banner.getByRole('button', { name: 'Turn off' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByText('The vacation reply is off').first().waitFor();
    await page.reload();
    await row('are you there').waitFor();
    await expect.poll(() => banner.count()).toBe(0);
  });

  it('is not lost when the session ends elsewhere while it is being written', async () => {
    const login = new SignInPage(page, host);
    await page.goto(`${host.url}/dashboard/accountsettings?activeTab=vacation`);
    const form = page.getByRole('form', { name: 'Vacation reply' });
    await form.getByLabel('Message').fill('A long text, written for an hour.');
    // A push may notice the end before the key is pressed, and then the form is gone already
    await form.getByRole('button', { name: 'Save' }).focus();
    await Session.update({ endedAt: new Date() }, { where: { userId: String(ana.user.id) } });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/auth/sign-in');
    await login.submit(ana);
    await page.waitForURL('**/dashboard/inbox');
    await page.getByRole('button', { name: 'Account settings' }).click();
    await page.getByRole('tab', { name: 'Vacation reply' }).click();
    await expect.poll(() => form.getByLabel('Message').inputValue()).toBe('A long text, written for an hour.');
  });
});
