import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { FilterActions, FilterConditions } from '@selvage/core/contracts/mail-rules';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { noteRules } from '@selvage/core/mailstore/note-rules';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { MailFilter } from '@selvage/core/models/mail-filter';
import { Message } from '@selvage/core/models/message';
import { replyForReader } from '@selvage/core/outbound/reply-on-vacation';
import { Vacation } from '@selvage/core/models/vacation';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox, forwardingTo, type Mailbox } from '../support/factories.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let tenant: Mailbox;

beforeAll(async () => {
  host = await startTestHost();
  tenant = await buildMailbox(host.app);
  await prepareSigning(host, tenant);
  host.dns.addRecords('_dmarc.forged.test', { TXT: ['v=DMARC1; p=quarantine'] });
});

const sender = 'foreign@remote.test';

async function deliver(to: string, fields: { subject: string; from?: string }): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const from = fields.from ?? sender;
  const reply = await peer.deliver(from, [to], plainMessage({ from, to, subject: fields.subject }));
  peer.close();
  return reply;
}

async function addFilter({ user }: Mailbox, conditions: FilterConditions, actions: FilterActions): Promise<void> {
  const userId = String(user.id);
  const facts = { companyId: String(user.companyId), userId, place: 1, name: 'Mine' };
  await MailFilter.create({ ...facts, conditions, actions });
  await inTransaction(systemContext(host.app), (tx) => noteRules(tx, userId));
}

/** Where the message of a subject is, for a person. */
async function placeOf({ user }: Mailbox, subject: string): Promise<string[]> {
  const messages = await Message.findAll({ where: { subject } });
  const messageId = messages.map(({ id }) => String(id));
  const where = { userId: String(user.id), messageId, receivedStatus: true };
  return (await MailboxEntry.findAll({ where })).map(({ folder }) => folder);
}

async function deliveriesOf(subject: string): Promise<Delivery[]> {
  const message = await Message.findOne({ where: { subject }, rejectOnEmpty: true });
  const rows = () => Delivery.findAll({ where: { messageId: String(message.id) }, order: ['id'] });
  const isWaiting = ({ state }: Delivery): boolean => state === 'queued' || state === 'held';
  await until('the end of its deliveries', async () => !(await rows()).some(isWaiting));
  return await rows();
}

describe('mail that comes in by SMTP', () => {
  it('goes where the filters of each recipient say, and counts as stored', async () => {
    const [ana, ben] = [await buildMailbox(host.app, { tenant }), await buildMailbox(host.app, { tenant })];
    await addFilter(ana, { from: 'FOREIGN@' }, { move_to: 'trash', mark_read: true });
    const group = await buildGroup(tenant, { members: [ana, ben] });
    expect(await deliver(group.address, { subject: 'to both' })).toMatch(/^250 /);
    expect([await placeOf(ana, 'to both'), await placeOf(ben, 'to both')]).toEqual([['trash'], ['inbox']]);
    expect((await deliveriesOf('to both')).map(({ state }) => state)).toEqual(['stored', 'stored']);
    expect(await verifyTotals(systemContext(host.app), String(ana.user.id))).toBe(true);
  });

  it('goes to Junk where its domain asks for that, past every filter and without a copy', async () => {
    const ana = await buildMailbox(host.app, {
      tenant,
      user: { forwardTo: 'elsewhere@remote.test', forwardConfirmedAt: new Date() },
    });
    await addFilter(ana, { subject: 'forged' }, { move_to: 'archive', forward: true });
    expect(await deliver(ana.user.email, { subject: 'forged', from: 'bank@forged.test' })).toMatch(/^250 /);
    expect(await placeOf(ana, 'forged')).toEqual(['junk']);
    expect((await deliveriesOf('forged')).map(({ direction }) => direction)).toEqual(['in']);
  });

  it('ends when two people’s filters forward it to each other', async () => {
    const [ana, ben] = [await buildMailbox(host.app, { tenant }), await buildMailbox(host.app, { tenant })];
    for (const [one, other] of [
      [ana, ben],
      [ben, ana],
    ] as const) {
      await one.user.update({ ...(await forwardingTo(other.user.email)), forwardsFiltered: true });
      await addFilter(one, { subject: 'round' }, { forward: true });
    }
    await deliver(ana.user.email, { subject: 'round and round' });
    const rows = await deliveriesOf('round and round');
    expect(rows.length).toBeLessThan(5);
    expect([await placeOf(ana, 'round and round'), await placeOf(ben, 'round and round')]).toEqual([
      ['inbox'],
      ['inbox'],
    ]);
  });
});

it('mail of a colleague meets the filters as well', async () => {
  const ana = await buildMailbox(host.app, { tenant });
  await addFilter(ana, { from: tenant.user.email, to: ana.user.email }, { move_to: 'archive', star: true });
  const raw = Buffer.from(plainMessage({ from: tenant.user.email, to: ana.user.email, subject: 'from a colleague' }));
  await submitMessage(systemContext(host.app), { user: tenant.user, raw, door: 'web', bcc: [] });
  await until('the message', async () => (await placeOf(ana, 'from a colleague')).length > 0);
  expect(await placeOf(ana, 'from a colleague')).toEqual(['archive']);
  expect(await verifyTotals(systemContext(host.app), String(ana.user.id))).toBe(true);
});

describe('a person who is away', () => {
  async function away(): Promise<Mailbox> {
    const mailbox = await buildMailbox(host.app, { tenant });
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const facts = { isOn: true, subject: 'Away', body: 'Back soon', firstDay: null, lastDay: null, timeZone: 'UTC' };
    await Vacation.create({ ...owner, ...facts });
    await mailbox.user.update({ hasVacation: true });
    return mailbox;
  }
  const answersTo = (address: string) => host.remote.received.filter(({ to }) => to.includes(address));

  it('has each sender told once, with a null envelope sender and a signature', async () => {
    const ana = await away();
    const from = 'friend@remote.test';
    for (const subject of ['one', 'two', 'three']) await deliver(ana.user.email, { subject, from });
    await until('an answer', () => answersTo(from).length > 0);
    const [answer] = answersTo(from);
    expect(answer?.from).toBe('');
    expect(answer?.raw.toString()).toMatch(/^DKIM-Signature: /m);
    expect(answer?.raw.toString()).toContain('Auto-Submitted: auto-replied');
    const entries = await MailboxEntry.findAll({ where: { userId: String(ana.user.id) } });
    const again = entries.map(({ id }) => replyForReader(systemContext(host.app), String(id)));
    expect(new Set(await Promise.all(again))).toEqual(new Set(['told_before']));
    expect(answersTo(from)).toHaveLength(1);
  });

  it('does not answer a colleague who is away for ever', async () => {
    const [ana, ben] = [await away(), await away()];
    const raw = Buffer.from(plainMessage({ from: ana.user.email, to: ben.user.email, subject: 'we are both away' }));
    await submitMessage(systemContext(host.app), { user: ana.user, raw, door: 'web', bcc: [] });
    await until('the answer', async () => (await placeOf(ana, 'Away')).length > 0);
    await deliveriesOf('Away');
    expect([await placeOf(ana, 'Away'), await placeOf(ben, 'Away')]).toEqual([['inbox'], []]);
  });
});

it('leaves the ledger in balance', async () => {
  const to = new Date(Date.now() + 60_000);
  const checked = await checkLedger(systemContext(host.app), { from: new Date(0), to });
  expect(checked).toMatchObject({ problems: [] });
});
