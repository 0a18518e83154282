import { inTransaction, systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { settleDeliveries } from '@selvage/core/outbound/settle-deliveries';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openTab } from '../support/browser.ts';
import { claimOne } from '../support/claim-one.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { problemsInAllLooks } from '../support/looks.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let ana: Mailbox;
let page: Page;

beforeAll(async () => {
  host = await startWebHost();
  ana = await buildMailbox(host.app);
  // No worker takes what is put into a state here
  await host.end('workers', 'SIGTERM');
});

/** A message of Ana to two people, whose deliveries stand as given. */
async function send(subject: string, states: Partial<Delivery>[]): Promise<string> {
  const { user } = ana;
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: ${subject}\r\n\r\ntext\r\n`);
  const recipients = ['a@remote.test', 'b@remote.test'];
  const { mailId } = await submitMessage(systemContext(host.app), { user, raw, door: 'web', bcc: [], recipients });
  const rows = await Delivery.findAll({ where: { mailId }, order: [['id', 'ASC']] });
  for (const [index, row] of rows.entries()) await row.update(states[index] ?? {});
  const worst = states.find(({ state }) => state === 'bounced') ?? states[0];
  const id = String(rows[0]?.entryId);
  await MailboxEntry.update({ deliveryState: worst?.state ?? 'queued' }, { where: { id } });
  return id;
}

/** What a worker does when the next recipient's server has taken a message. */
async function relayNext(entryId: string): Promise<void> {
  const ctx = systemContext(host.app);
  const [next] = await Delivery.findAll({ where: { entryId, state: 'queued' }, order: [['id', 'ASC']] });
  const delivery = await claimOne(ctx, String(next?.id), new Date(Date.now() + 1000));
  if (delivery === null) throw new Error('nothing to deliver');
  const said = { reason: 'remote_accepted', lastReply: '250 ok', remoteHost: 'mx.remote.test' } as const;
  await inTransaction(ctx, (tx) => settleDeliveries(tx, [{ delivery, state: 'relayed', ...said }]));
}

/** Far sooner than the page asks by itself while the server announces what changes. */
const soon = { timeout: 15_000 };

/**
 * Goes to a page of the app, and waits until the server announces to it what changes. That may be
 * so before the page has loaded, so each wait begins as soon as the one before has ended.
 */
async function goLive(path: string): Promise<void> {
  await page.goto(`${host.url}${path}`, { waitUntil: 'commit' });
  const socket = await page.waitForEvent('websocket', (opened) => opened.url().includes('/socket.io/'));
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"success":true'));
}

it('says in the list of what was sent how each message stands, and follows it', async () => {
  await send('All well', [{ state: 'relayed' }, { state: 'relayed' }]);
  await send('Partly', [{ state: 'bounced' }, { state: 'relayed' }]);
  const late = await send('Late', [
    { state: 'queued', attempts: 1 },
    { state: 'queued', attempts: 1 },
  ]);
  await send('Kept', [{ state: 'held', reason: 'held_by_administrator' }, { state: 'relayed' }]);
  page = await openTab(host, ana);
  await goLive('/dashboard/sent');
  const row = (subject: string) => page.getByRole('link', { name: new RegExp(subject) });
  await row('Partly').getByText('Failed for 1 of 2').waitFor();
  await row('Late').getByText('Delayed', { exact: true }).waitFor();
  await row('All well').getByText('Delivered', { exact: true }).waitFor();
  await row('Kept').getByText('Held', { exact: true }).waitFor();
  expect(await problemsInAllLooks(page, 'sent-list')).toEqual({});
  await relayNext(late);
  await row('Late').getByText('Delayed for 1 of 2').waitFor(soon);
  await relayNext(late);
  await row('Late').getByText('Delivered', { exact: true }).waitFor(soon);
  await row('Partly').click();
  await page.getByRole('table', { name: 'What became of this message' }).waitFor();
});

it('follows each recipient of the message that is open', async () => {
  const open = await send('Open', [
    { state: 'queued', attempts: 1 },
    { state: 'queued', attempts: 1 },
  ]);
  await goLive(`/dashboard/sent/${open}`);
  const table = page.getByRole('table', { name: 'What became of this message' });
  const words = (word: string) => table.getByText(word, { exact: true });
  await expect.poll(() => words('Delayed').count()).toBe(2);
  await relayNext(open);
  await words('Delivered').waitFor(soon);
  await expect.poll(() => words('Delayed').count()).toBe(1);
});
