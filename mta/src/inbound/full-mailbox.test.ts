import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
const refusal = '452 4.2.2 The mailbox is full, try again later';
const neverFits = '552 5.2.3 The message is larger than the mailbox may hold';
let door: Door;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts');
});

async function setUp(storageLimit: string) {
  const roomy = await buildMailbox(door.app);
  const tenant = { company: roomy.company, domain: roomy.domain, roles: roomy.roles };
  const small = await buildMailbox(door.app, { tenant, user: { storageLimit } });
  return { roomy, small };
}

async function withPeer<T>(talk: (peer: SmtpPeer) => Promise<T>): Promise<T> {
  const peer = await SmtpPeer.open(door.port);
  try {
    return await talk(peer);
  } finally {
    peer.close();
  }
}

const entriesOf = ({ user }: Mailbox) => MailboxEntry.count({ where: { userId: user.id } });
const line = ({ user }: Mailbox) => `RCPT TO:<${user.email}>`;

describe('mail for a mailbox without room', () => {
  it('is refused at RCPT by the size that MAIL announces, and taken for the other recipients', async () => {
    const { roomy, small } = await setUp('5000');
    await withPeer(async (peer) => {
      const first = plainMessage({ from, to: small.user.email, subject: 'first' });
      expect(await peer.deliver(from, small.user.email, first)).toMatch(/^250 /);
      await peer.command(`MAIL FROM:<${from}> SIZE=5000`);
      expect(await peer.command(line(small))).toBe(refusal);
      expect(await peer.command(line(roomy))).toMatch(/^250 /);
      await peer.command('DATA');
      const text = plainMessage({ from, to: roomy.user.email, subject: 'shared' });
      expect(await peer.command(`${text}\r\n.`)).toMatch(/^250 /);
      await peer.command(`MAIL FROM:<${from}> SIZE=3000`);
      expect(await peer.command(line(small))).toMatch(/^250 /);
    });
    expect([await entriesOf(roomy), await entriesOf(small)]).toEqual([1, 1]);
  });

  it('is refused for good when it is larger than the whole limit, with a row of the ledger', async () => {
    const { small } = await setUp('3000');
    const to = small.user.email;
    const large = plainMessage({ from, to, subject: 'large', body: `${'x'.repeat(900)}\r\n`.repeat(4) });
    await withPeer(async (peer) => {
      await peer.command(`MAIL FROM:<${from}> SIZE=3001`);
      expect(await peer.command(line(small))).toBe(neverFits);
      await peer.command('RSET');
      expect(await peer.deliver(from, to, large)).toBe(neverFits);
      const group = await buildGroup(small, { members: [small] });
      await peer.command(`MAIL FROM:<${from}> SIZE=3001`);
      expect(await peer.command(`RCPT TO:<${group.address}>`)).toBe(neverFits);
    });
    const rows = await until('both ledger rows', async () => {
      const found = await Delivery.findAll({ where: { recipient: to } });
      return found.length === 2 ? found : null;
    });
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'refused', reason: 'message_too_large', lastReply: neverFits });
    }
  });

  it('is answered 250 when it is a repeat of a message that has filled it', async () => {
    const { small } = await setUp('3000');
    const to = small.user.email;
    const message = plainMessage({ from, to, subject: 'again', body: `${'x'.repeat(900)}\r\n`.repeat(2) });
    await withPeer(async (peer) => {
      expect(await peer.deliver(from, to, message)).toMatch(/^250 /);
      expect(await peer.deliver(from, to, message)).toMatch(/^250 /);
    });
    expect(await entriesOf(small)).toBe(1);
  });

  it('is refused after DATA when its size was not announced, and taken once there is room', async () => {
    const { small } = await setUp('5000');
    const first = plainMessage({
      from,
      to: small.user.email,
      subject: 'first',
      body: `${'x'.repeat(900)}\r\n`.repeat(2),
    });
    const large = plainMessage({
      from,
      to: small.user.email,
      subject: 'no room',
      body: `${'x'.repeat(900)}\r\n`.repeat(4),
    });
    await withPeer(async (peer) => {
      expect(await peer.deliver(from, small.user.email, first)).toMatch(/^250 /);
      expect(await peer.deliver(from, small.user.email, large)).toBe(refusal);
      expect(await entriesOf(small)).toBe(1);
      await small.user.update({ storageLimit: '10000' });
      expect(await peer.deliver(from, small.user.email, large)).toMatch(/^250 /);
    });
    expect(await entriesOf(small)).toBe(2);
  });

  it('is taken for a group that one of its people has room for, and stored for all of them', async () => {
    const { roomy, small } = await setUp('0');
    const group = await buildGroup(roomy, { members: [roomy, small] });
    const rcpt = `RCPT TO:<${group.address}>`;
    await withPeer(async (peer) => {
      const text = plainMessage({ from, to: group.address, subject: 'to the group' });
      expect(await peer.deliver(from, group.address, text)).toMatch(/^250 /);
      expect([await entriesOf(roomy), await entriesOf(small)]).toEqual([1, 1]);
      await roomy.user.update({ storageLimit: '0' });
      await peer.command(`MAIL FROM:<${from}>`);
      expect(await peer.command(rcpt)).toBe(refusal);
    });
  });

  it('is refused at RCPT without a size once the mailbox is full, with a row of the ledger', async () => {
    const { small } = await setUp('0');
    await withPeer(async (peer) => {
      await peer.command(`MAIL FROM:<${from}>`);
      expect(await peer.command(line(small))).toBe(refusal);
    });
    const where = { recipient: small.user.email };
    const row = await until('the ledger row', () => Delivery.findOne({ where }));
    expect(row).toMatchObject({ state: 'refused', direction: 'in', reason: 'mailbox_full', lastReply: refusal });
  });
});
