import { Address } from '@selvage/core/models/address';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { ComposePage } from '../support/compose-page.ts';
import { buildAlias, buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { sharedTestHost } from '../support/shared-host.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import type { ReachableHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: ReachableHost;
let ana: Mailbox;
let ben: Mailbox;
/** Ana's inbox. She has two aliases. */
let page: Page;
let compose: ComposePage;

beforeAll(async () => {
  host = await sharedTestHost();
  ana = await buildMailbox(host.app, { local: 'ana', user: { fname: 'Ana', lname: 'Silva', undoMs: 500 } });
  ben = await buildMailbox(host.app, { tenant: ana, local: 'ben' });
  await prepareSigning(host, ana);
  for (const name of ['orders', 'sales']) await buildAlias(ana, name);
  page = await openTab(host, ana);
  compose = new ComposePage(page);
});

beforeEach(async () => {
  await page.goto(`${host.url}/dashboard/inbox`);
});

const at = (local: string) => `${local}@${ana.domain.domainName}`;
const from = () => compose.window().getByRole('combobox', { name: 'From', exact: true });
const letter = (subject: string) => ({ to: ben.user.email, subject, text: `All about ${subject}.` });

/** From which address Ana has sent a message. A draft that its writer pauses in is one as well. */
async function sentAs(subject: string): Promise<string | null> {
  const entries = await MailboxEntry.findAll({ where: { userId: String(ana.user.id), sendStatus: true } });
  const message = await Message.findOne({ where: { id: entries.map(({ messageId }) => messageId), subject } });
  return message && message.fromAddress;
}

/** What arrives at the remote server. */
const arrived = (subject: string) =>
  until(`${subject} arrives`, () =>
    host.remote.received.find(({ raw }) => raw.includes(`Subject: ${subject}`) && raw.includes(ana.domain.domainName)),
  );

/** Delivers a message to one of the addresses, and opens it in the browser. */
async function receive(recipient: string, to: string, subject: string): Promise<void> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const sender = 'priya@remote.test';
  const reply = await peer.deliver(sender, [recipient], plainMessage({ from: sender, to, subject }));
  peer.close();
  expect(reply).toMatch(/^250 /);
  await page.goto(`${host.url}/dashboard/inbox`);
  await page.getByText(subject).first().click();
  await page.getByRole('heading', { name: subject }).waitFor();
}

describe('From', () => {
  it('is not there for a person without an alias', async () => {
    const tab = await openTab(host, ben);
    const other = new ComposePage(tab);
    await other.open();
    await other.field('Subject').waitFor();
    await expect.poll(() => other.window().getByText('From', { exact: true }).count()).toBe(0);
  });

  it('is the mailbox, and an alias that is chosen with the keyboard is what the readers see', async () => {
    await compose.open();
    await expect
      .poll(() => from().locator('option').allTextContents())
      .toEqual([ana.user.email, at('orders'), at('sales')]);
    await expect.poll(() => from().inputValue()).toBe(ana.user.email);
    await compose.write(letter('Chosen'));
    await compose.field('To').fill('bob@remote.test');
    await page.keyboard.press('Enter');
    await from().focus();
    await page.keyboard.press('s');
    await expect.poll(() => from().inputValue()).toBe(at('sales'));
    expect(await problemsInAllLooks(page, 'compose-from')).toEqual({});
    await compose.press('Send');
    const { raw, from: envelope } = await arrived('Chosen');
    expect(raw.toString()).toMatch(new RegExp(`^From: Ana Silva <${at('sales')}>\r$`, 'm'));
    // Reports on it come to the mailbox
    expect(envelope).toBe(ana.user.email);
    const tab = await openTab(host, ben);
    await tab.getByText('Chosen').first().click();
    await tab.getByText(at('sales')).first().waitFor();
  });

  it('of an answer is the alias that the message was written to', async () => {
    await receive(at('sales'), at('sales'), 'To an alias');
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
    await compose.text().waitFor();
    await expect.poll(() => from().inputValue()).toBe(at('sales'));
    await compose.press('Send');
    expect((await arrived('Re: To an alias')).raw.toString()).toContain(`From: Ana Silva <${at('sales')}>`);
  });

  it('of an answer is the alias that the message came in by, where its header names another address', async () => {
    await receive(at('orders'), 'list@remote.test', 'By a list');
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click();
    await compose.text().waitFor();
    await expect.poll(() => from().inputValue()).toBe(at('orders'));
    await page.keyboard.press('Escape');
  });

  it('stays as it was chosen when the page is loaded anew, and when the message is taken back', async () => {
    await compose.open();
    await compose.write({ ...letter('Kept'), to: 'bob@remote.test' });
    await from().selectOption(at('orders'));
    await page.keyboard.press('Escape');
    await page.getByText('Saved in Drafts.').first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('button', { name: /Kept/ }).click();
    await compose.text().waitFor();
    await expect.poll(() => from().inputValue()).toBe(at('orders'));
    await ana.user.update({ undoMs: 30_000 });
    await compose.press('Send');
    await page.getByRole('button', { name: 'Undo sending' }).click();
    await compose.text().getByText('All about Kept.').waitFor();
    await expect.poll(() => from().inputValue()).toBe(at('orders'));
    await ana.user.update({ undoMs: 500 });
    await compose.press('Send');
    expect((await arrived('Kept')).raw.toString()).toContain(`From: Ana Silva <${at('orders')}>`);
  });

  it('that was taken away meanwhile is told at its field, and nothing is lost', async () => {
    const alias = await buildAlias(ana, 'gone');
    await page.reload();
    await compose.open();
    await compose.write(letter('Not lost'));
    await from().selectOption(alias.address);
    await Address.destroy({ where: { id: alias.id } });
    await compose.press('Send');
    const said = `You can no longer send from ${alias.address}. Choose another address.`;
    await compose.window().getByText(said, { exact: true }).waitFor();
    await expect.poll(() => from().getAttribute('aria-invalid')).toBe('true');
    expect(await problemsInAllLooks(page, 'compose-from-gone')).toEqual({});
    await expect.poll(() => compose.recipients()).toEqual([ben.user.email]);
    await compose.text().getByText('All about Not lost.').waitFor();
    await expect.poll(() => sentAs('Not lost')).toBe(null);
    await from().selectOption(ana.user.email);
    await compose.window().getByText(said, { exact: true }).waitFor({ state: 'detached' });
    await compose.press('Send');
    await compose.window().waitFor({ state: 'detached' });
    expect(await until('it is sent', () => sentAs('Not lost'))).toBe(ana.user.email);
  });
});
