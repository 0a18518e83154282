import { systemContext } from '@selvage/core/context/context';
import { checkLedger } from '@selvage/core/ledger/check-ledger';
import { readEntry } from '@selvage/core/mailstore/read-entry';
import { Address } from '@selvage/core/models/address';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox, type Mailbox } from '../support/factories.ts';
import { prepareSigning, verifySignatures } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let ben: Mailbox;
let off: Mailbox;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app, { local: 'ana' });
  ben = await buildMailbox(host.app, { tenant: ana, local: 'ben' });
  off = await buildMailbox(host.app, { tenant: ana, local: 'off', user: { activeStatus: false } });
  await prepareSigning(host, ana);
  await buildAlias(ana, 'sales');
  await buildGroup(ana, { local: 'team', members: [ana, ben, off] });
});

const from = 'foreign@remote.test';
const at = (local: string) => `${local}@${ana.domain.domainName}`;
const emailOf = new Map<string, string>();
const nameOf = (id: string) => emailOf.get(String(id));

/** Delivers one message to these addresses, and answers the reply. */
async function deliver(to: string[], subject: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(from, to, plainMessage({ from, to: to.join(', '), subject }));
  peer.close();
  return reply;
}

/** The people that have a received copy of a message. */
async function readersOf(subject: string): Promise<(string | undefined)[]> {
  for (const { user } of [ana, ben, off]) emailOf.set(String(user.id), user.email);
  const messages = await Message.findAll({ where: { subject } });
  const where = { messageId: messages.map(({ id }) => String(id)), receivedStatus: true };
  const entries = await MailboxEntry.findAll({ where });
  return entries.map(({ userId }) => nameOf(userId)).toSorted();
}

/** What the ledger says of a message, in the order of its rows. */
async function ledgerOf(subject: string) {
  const message = await Message.findOne({ where: { subject }, rejectOnEmpty: true });
  const rows = await Delivery.findAll({ where: { messageId: String(message.id) }, order: [['id', 'ASC']] });
  return rows.map(({ direction, recipient, state, expandedBy, expandedTo }) => [
    direction,
    recipient,
    state,
    expandedBy,
    expandedTo,
  ]);
}

async function setCatchAll(address: string | null): Promise<void> {
  const target = address && (await Address.findOne({ where: { address }, rejectOnEmpty: true }));
  await ana.domain.update({ catchAllId: target && String(target.id) });
}

function mailProgramOf({ user, password }: Mailbox) {
  return createTransport({
    host: '127.0.0.1',
    port: host.ports.submission,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: user.email, pass: password },
  });
}

describe('mail from outside', () => {
  it('for an alias, also with a tag, comes to its person, and the ledger says by what', async () => {
    expect(await deliver([at('Sales')], 'to an alias')).toMatch(/^250 /);
    expect(await deliver([at('sales+fair')], 'to a tagged alias')).toMatch(/^250 /);
    expect(await readersOf('to an alias')).toEqual([ana.user.email]);
    expect(await readersOf('to a tagged alias')).toEqual([ana.user.email]);
    expect(await ledgerOf('to an alias')).toEqual([['in', at('sales'), 'stored', 'alias', ana.user.email]]);
    expect(await ledgerOf('to a tagged alias')).toEqual([['in', at('sales+fair'), 'stored', 'alias', ana.user.email]]);
  });

  it('for a group comes to each of its people in use, with a row of the ledger for each', async () => {
    expect(await deliver([at('team')], 'to a group')).toMatch(/^250 /);
    expect(await readersOf('to a group')).toEqual([ana.user.email, ben.user.email]);
    expect(await ledgerOf('to a group')).toEqual([
      ['in', at('team'), 'stored', 'group', ana.user.email],
      ['in', at('team'), 'stored', 'group', ben.user.email],
    ]);
    const message = await Message.findOne({ where: { subject: 'to a group' }, rejectOnEmpty: true });
    // RFC 5321 4.4: the only recipient of the envelope is named
    expect(message.traceHeaders).toContain(`for <${at('team')}>`);
  });

  it('reaches a person once that it is sent to by several addresses', async () => {
    expect(await deliver([ana.user.email, at('team'), at('sales')], 'by three ways')).toMatch(/^250 /);
    expect(await readersOf('by three ways')).toEqual([ana.user.email, ben.user.email]);
    expect(await ledgerOf('by three ways')).toEqual([
      ['in', ana.user.email, 'stored', null, null],
      ['in', at('team'), 'stored', 'group', ana.user.email],
      ['in', at('team'), 'stored', 'group', ben.user.email],
      ['in', at('sales'), 'stored', 'alias', ana.user.email],
    ]);
  });

  it('for a name that the domain does not have comes to its catch-all, if it has one', async () => {
    expect(await deliver([at('anything')], 'to no person')).toMatch(/^550 5\.1\.1 /);
    await setCatchAll(ben.user.email);
    expect(await deliver([at('anything')], 'to the catch-all')).toMatch(/^250 /);
    expect(await ledgerOf('to the catch-all')).toEqual([['in', at('anything'), 'stored', 'catch_all', ben.user.email]]);
    await setCatchAll(at('team'));
    expect(await deliver([at('other')], 'to a group as catch-all')).toMatch(/^250 /);
    expect(await readersOf('to a group as catch-all')).toEqual([ana.user.email, ben.user.email]);
    await setCatchAll(null);
  });

  it('writes one refusal for a group whose message is refused', async () => {
    const peer = await SmtpPeer.open(host.ports.smtp);
    const reply = await peer.deliver(from, at('team'), `From: a@b.test\r\nFrom: c@d.test\r\nSubject: bad\r\n\r\nx`);
    peer.close();
    expect(reply).toMatch(/^5/);
    const refused = await until('the refusal is written down', async () => {
      const rows = await Delivery.findAll({ where: { recipient: at('team'), state: 'refused' } });
      return rows.length > 0 && rows;
    });
    expect(refused.map(({ answers }) => answers)).toEqual([1]);
  });
});

describe('mail from people of the host', () => {
  it('is expanded as mail from outside, and each way has its row', async () => {
    await setCatchAll(ben.user.email);
    const subject = 'from inside';
    const to = [at('team'), at('sales'), at('anything'), ben.user.email];
    await mailProgramOf(ana).sendMail({ from: ana.user.email, to, subject, text: 'x' });
    await until('all is delivered', async () => {
      const rows = await ledgerOf(subject);
      return rows.length === 6 && rows.every(([, , state]) => state === 'stored');
    });
    expect(await readersOf(subject)).toEqual([ana.user.email, ben.user.email]);
    expect((await ledgerOf(subject)).toSorted()).toEqual(
      [
        ['out', at('team'), 'stored', 'group', null],
        ['in', at('team'), 'stored', 'group', ana.user.email],
        ['in', at('team'), 'stored', 'group', ben.user.email],
        ['out', at('sales'), 'stored', 'alias', ana.user.email],
        ['out', at('anything'), 'stored', 'catch_all', ben.user.email],
        ['out', ben.user.email, 'stored', null, null],
      ].toSorted(),
    );
    await setCatchAll(null);
    const [message] = await Message.findAll({ where: { subject } });
    const where = { userId: String(ana.user.id), messageId: String(message?.id), receivedStatus: true };
    const { id: entryId, userId } = await MailboxEntry.findOne({ where, rejectOnEmpty: true });
    const read = await readEntry(systemContext(host.app), { userId: String(userId), entryId: String(entryId) });
    expect(read.deliveredTo).toBe(at('sales'));
  });

  it('may be sent from an own alias, signed, and from no other address', async () => {
    const program = mailProgramOf(ana);
    const letter = { from: at('sales'), to: 'bob@remote.test', subject: 'from an alias', text: 'x' };
    await program.sendMail(letter);
    const arrived = await until('the message arrives', () =>
      host.remote.received.find(({ raw }) => raw.includes('Subject: from an alias')),
    );
    // Reports on it come to the mailbox
    expect(arrived.from).toBe(ana.user.email);
    expect(await verifySignatures(host, arrived.raw)).toEqual([{ result: 'pass', domain: ana.domain.domainName }]);
    for (const wrong of [at('team'), ben.user.email, at('sales+fair')]) {
      await expect(program.sendMail({ ...letter, from: wrong })).rejects.toMatchObject({ responseCode: 553 });
      const header = { ...letter, from: wrong, envelope: { from: at('sales'), to: letter.to } };
      await expect(program.sendMail(header)).rejects.toMatchObject({ responseCode: 550 });
    }
    await expect(mailProgramOf(ben).sendMail(letter)).rejects.toMatchObject({ responseCode: 553 });
  });
});

describe('mail from an alias in another domain of the company', () => {
  it('is signed by the domain of the alias', async () => {
    const domainName = `shop-${ana.domain.domainName}`;
    const domain = await Domain.create({ companyId: String(ana.company.id), domainName, verifiedAt: new Date() });
    await prepareSigning(host, { ...ana, domain });
    const { address } = await buildAlias({ ...ana, domain }, 'orders');
    const subject = 'from another domain';
    await mailProgramOf(ana).sendMail({ from: address, to: 'bob@remote.test', subject, text: 'x' });
    const arrived = await until('the message arrives', () =>
      host.remote.received.find(({ raw }) => raw.includes(`Subject: ${subject}`)),
    );
    expect(arrived.from).toBe(ana.user.email);
    expect(await verifySignatures(host, arrived.raw)).toEqual([{ result: 'pass', domain: domainName }]);
  });
});

describe('the ledger', () => {
  it('proves all of it', async () => {
    const day = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
    expect((await checkLedger(systemContext(host.app), day)).problems).toEqual([]);
  });
});
