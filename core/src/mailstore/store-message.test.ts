import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { losingCommits } from '../../../tests/support/losing-commits.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { Attachment } from '../models/attachment.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { insertPeople } from '../directory/insert-people.ts';
import { inTransaction, Outdated, systemContext } from '../context/context.ts';
import { createRedis } from '../process/create-redis.ts';
import { consume } from '../access/rate-limit.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { type FolderNotice, hearChanges } from './change-feed.ts';
import { verifyTotals } from './verify-totals.ts';
import { addReceivedEntriesOnce, addSentEntries } from './entry-rows.ts';
import { copiesPerHour } from './forward-copies.ts';
import { insertMessage } from './message-rows.ts';
import { putBlob } from './put-blob.ts';
import { storeBatch, type StoreInput } from './store-batch.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage, receive, recipientOf } from './test-messages.ts';
import { readTotals } from './totals.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function setUp(count = 1) {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailboxes = await Promise.all(Array.from({ length: count }, () => buildMailbox(app)));
  const [first] = mailboxes;
  if (!first) throw new Error('no mailbox');
  return { app, ctx, mailboxes, first, userId: String(first.user.id) };
}

describe('storeInbound', () => {
  it('reads messages from one block of IPv6 addresses in one turn', async () => {
    const { app, first } = await setUp();
    const summarise = vi.spyOn(app.content, 'summarise');
    onTestFinished(() => summarise.mockRestore());
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:3::1']) {
      const input = inboundOf(rawMessage(), [first]);
      await storeInbound(systemContext(app), { ...input, client: { ...input.client, address } });
    }
    expect(summarise.mock.calls.map(([, key]) => key)).toEqual(['2001:db8:1::/48', '2001:db8:1::/48']);
  });

  it('stores one message with an entry, a ledger row and an announcement for each recipient', async () => {
    const { app, ctx, mailboxes } = await setUp(3);
    const subscriber = createRedis(app.config, { role: 'worker' });
    const heard: FolderNotice[] = [];
    await hearChanges(subscriber, (notices) => heard.push(...notices));
    const input = inboundOf(rawMessage(), mailboxes);
    const result = await storeInbound(ctx, input);

    expect(result.duplicate).toBe(false);
    const message = await Message.findByPk(result.messageId, { rejectOnEmpty: true });
    expect(message).toMatchObject({
      mailId: input.mailId,
      subject: 'Hello',
      fromAddress: 'bea@sender.test',
      fromName: 'Bea Sender',
      toList: ['Ana <ana@host.test>', 'carl@host.test'],
      ccList: ['dora@host.test'],
      attachmentCount: 1,
      preview: 'The text.',
      sentAt: new Date('2026-11-02T10:00:00Z'),
    });
    expect(await app.blobs.has(message.blobKey)).toBe(true);
    expect(await Attachment.findAll({ where: { messageId: message.id } })).toMatchObject([
      { partIndex: 0, filename: 'rows.csv', contentType: 'text/csv', size: 8, isInline: false },
    ]);
    const entries = await MailboxEntry.findAll({ where: { messageId: message.id }, order: ['id'] });
    expect(entries.map(({ id }) => String(id))).toEqual([...result.entryIds].sort());
    for (const { user } of mailboxes) {
      const entry = entries.find(({ userId }) => userId === String(user.id));
      expect(entry).toMatchObject({ folder: 'inbox', receivedStatus: true, readStatus: false, bccList: null });
      const delivery = await Delivery.findOne({ where: { recipient: user.email } });
      expect(delivery).toMatchObject({ direction: 'in', state: 'stored', mailId: input.mailId, entryId: entry?.id });
      expect((await readTotals(ctx, String(user.id))).inbox).toEqual({ total: 1, unread: 1 });
    }
    await until('all are announced', () => heard.length === 3);
    expect(heard.flatMap(({ arrived = [] }) => arrived).sort()).toEqual([...result.entryIds].sort());
    subscriber.disconnect();
  });

  it.each([
    ['names in UTF-16', `=?utf-16be?B?${Buffer.from([0, 0x41, 0xd8, 0x3e]).toString('base64')}?= <ana@host.test>`],
    ['names of UTF-16 in UTF-7', '=?utf-7?Q?A+2D4-?= <ana@host.test>'],
    ['long names', `${'A'.repeat(254)}🧵 <ana@host.test>`],
    ['long texts that are no addresses', `<${'A'.repeat(318)}@🧵>`],
  ])('takes %s that end within a character', async (_what, to) => {
    const { ctx, first } = await setUp();
    const raw = Buffer.from(`From: ${to}\r\nTo: ${to}\r\nCc: ${to}\r\nSubject: Half\r\n\r\ntext\r\n`);
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [first]));
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    expect(message.toList).toEqual([expect.stringMatching(/^<?A/)]);
    expect(message.ccList).toEqual(message.toList);
  });

  it('answers a repeat like the first time and stores it once, also when both come at once', async () => {
    const { ctx, mailboxes, userId } = await setUp(2);
    const raw = rawMessage();
    const results = await Promise.all([0, 1, 2].map(() => storeInbound(ctx, inboundOf(raw, mailboxes))));
    expect(results.map(({ duplicate }) => duplicate).sort()).toEqual([false, true, true]);
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(1);
    for (const { entryIds } of results) expect([...entryIds].sort()).toEqual([...(results[0]?.entryIds ?? [])].sort());
    expect(await MailboxEntry.count({ where: { userId } })).toBe(1);
  });

  it('stores a message once that two processes are offered at the same moment', async () => {
    const { app, ctx, first, userId } = await setUp();
    // The processes are stood for by transactions that don't wait for each other
    const offer = async (raw: Buffer) => {
      const prepared = { parsed: await app.content.summarise(raw, ''), blob: await putBlob(ctx, raw), raw };
      const item = { input: inboundOf(raw, [first]), prepared, dedupeKey: sha256(raw), causeId: null };
      const [result] = await inTransaction(ctx, (tx) => storeBatch(tx, [item]));
      return result;
    };
    for (let round = 0; round < 10; round += 1) {
      const raw = rawMessage();
      const results = await Promise.all([offer(raw), offer(raw), offer(raw)]);
      expect(results.map((result) => result?.duplicate).sort()).toEqual([false, true, true]);
      expect(new Set(results.map((result) => result?.messageId)).size).toBe(1);
    }
    expect(await MailboxEntry.count({ where: { userId } })).toBe(10);
  });

  it('knows a message again that was committed although the answer of the database was lost', async () => {
    const { app, ctx, first, userId } = await setUp();
    const { lossy, lose } = losingCommits(app);
    // Without a Message-ID a message is never taken for a repeat
    const offered = [null, undefined, null, undefined, null].map((messageId) =>
      inboundOf(rawMessage({ messageId }), [first]),
    );
    const [alone, heldUp, ...together] = offered as [StoreInput, StoreInput, ...StoreInput[]];
    lose(1);
    const results = [await storeInbound(lossy, alone)];
    const begun = storeInbound(lossy, heldUp);
    lose(2);
    results.push(...(await Promise.all([begun, ...together.map((input) => storeInbound(lossy, input))])));
    for (const [index, { messageId, duplicate, entryIds }] of results.entries()) {
      const { mailId } = offered[index] ?? {};
      expect(await Message.findByPk(messageId)).toMatchObject({ mailId });
      expect([duplicate, entryIds.length]).toEqual([false, 1]);
      expect(await Delivery.count({ where: { mailId } })).toBe(1);
    }
    expect(await MailboxEntry.count({ where: { userId } })).toBe(5);
    const day = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    expect((await checkLedger(ctx, day)).problems).toEqual([]);
  });

  it('recognises a repeat on the next day, and stores it again when more than a day has passed', async () => {
    const { ctx, first } = await setUp();
    const raw = rawMessage();
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [first]));
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const storedHoursAgo = async (hours: number) => {
      const createdAt = new Date(Date.now() - hours * 3_600_000);
      const day = createdAt.toISOString().slice(0, 10).replaceAll('-', '');
      const dedupeKey = `${day}${message.dedupeKey?.slice(8)}`;
      await Message.update({ createdAt, dedupeKey }, { where: { id: messageId }, silent: true });
    };
    await storedHoursAgo(23.9);
    expect(await storeInbound(ctx, inboundOf(raw, [first]))).toMatchObject({ messageId, duplicate: true });
    // The clock was ahead, and was put back
    await storedHoursAgo(-23.9);
    expect(await storeInbound(ctx, inboundOf(raw, [first]))).toMatchObject({ messageId, duplicate: true });
    await storedHoursAgo(24.1);
    expect((await storeInbound(ctx, inboundOf(raw, [first]))).duplicate).toBe(false);
  });

  it('stores equal bytes again for other recipients, another sender, or without a Message-ID', async () => {
    const { ctx, mailboxes, first, userId } = await setUp(2);
    const raw = rawMessage();
    const nameless = rawMessage({ messageId: null });
    const inputs = [
      inboundOf(raw, [first]),
      inboundOf(raw, mailboxes),
      { ...inboundOf(raw, [first]), envelopeFrom: 'other@sender.test' },
      inboundOf(nameless, [first]),
      inboundOf(nameless, [first]),
    ];
    for (const input of inputs) expect((await storeInbound(ctx, input)).duplicate).toBe(false);
    expect(await MailboxEntry.count({ where: { userId } })).toBe(5);
  });

  it('gives a person with two addresses one entry and a ledger row for each address', async () => {
    const { ctx, first, userId } = await setUp();
    const input = inboundOf(rawMessage(), [first, first]);
    const [one, two] = input.recipients;
    if (!one || !two) throw new Error('two recipients');
    const alias = `alias-${one.address}`;
    const result = await storeInbound(ctx, { ...input, recipients: [one, { ...two, address: alias }] });
    expect(result.entryIds).toHaveLength(1);
    expect(await MailboxEntry.count({ where: { userId } })).toBe(1);
    const rows = await Delivery.findAll({ where: { messageId: result.messageId } });
    expect(rows.map(({ recipient, entryId }) => [recipient, entryId]).sort()).toEqual(
      [
        [one.address, result.entryIds[0]],
        [alias, result.entryIds[0]],
      ].sort(),
    );
  });

  it('stores a message for a group of five hundred at once, also beside other mail', { timeout: 60_000 }, async () => {
    const { ctx, first } = await setUp();
    const { companyId, roleId, domainId, passwordHash, fname } = first.user;
    const shared = { companyId, roleId, domainId: domainId ?? null, passwordHash, fname };
    const emails = Array.from({ length: 500 }, (_, n) => `m${n}@${first.domain.domainName}`);
    await inTransaction(ctx, (tx) =>
      insertPeople(
        tx,
        emails.map((email) => ({ ...shared, email })),
      ),
    );
    const people = await User.findAll({ where: { email: emails } });
    const address = `team@${first.domain.domainName}`;
    const recipients = people.map(({ id, email }) => ({
      userId: String(id),
      companyId: String(companyId),
      address,
      expansion: { by: 'group' as const, to: email },
    }));
    const [stored] = await Promise.all([
      storeInbound(ctx, { ...inboundOf(rawMessage(), []), recipients }),
      storeInbound(ctx, inboundOf(rawMessage(), [first])),
    ]);
    expect(new Set(stored.entryIds).size).toBe(500);
    const rows = await Delivery.findAll({ where: { messageId: stored.messageId } });
    expect(rows.map(({ expandedTo }) => expandedTo).toSorted()).toEqual(emails.toSorted());
    expect(new Set(rows.map(({ entryId }) => String(entryId)))).toEqual(new Set(stored.entryIds));
  });

  it('counts the copy of a person who forwards once, however often its transaction is run', async () => {
    const { app, ctx } = await setUp();
    const user = { forwardTo: 'far@remote.test', forwardConfirmedAt: new Date() };
    const forwarder = await buildMailbox(app, { user });
    // One more is within the limit of an hour
    await consume(app.redis, `forward:${forwarder.user.email}`, copiesPerHour, copiesPerHour.limit - 1);
    let runs = 0;
    await inTransaction(ctx, async (tx) => {
      await receive(tx, [forwarder]);
      runs += 1;
      if (runs < 3) throw new Outdated('as after a deadlock');
    });
    const where = { forwardedFor: forwarder.user.email };
    expect((await Delivery.findAll({ where })).map(({ state }) => state)).toEqual(['queued']);
    await receive(ctx, [forwarder]);
    expect(await Delivery.count({ where: { ...where, state: 'cancelled', reason: 'rate_limited' } })).toBe(1);
  });

  it('keeps nothing of a message when one of its recipients can not be written', async () => {
    const { ctx, first, userId } = await setUp();
    const input = inboundOf(rawMessage(), [first]);
    const nobody = { userId: '999999999', companyId: String(first.company.id), address: 'nobody@host.test' };
    await expect(storeInbound(ctx, { ...input, recipients: [...input.recipients, nobody] })).rejects.toThrow();
    expect(await Message.count({ where: { mailId: input.mailId } })).toBe(0);
    expect(await MailboxEntry.count({ where: { userId } })).toBe(0);
    expect((await readTotals(ctx, userId)).inbox.total).toBe(0);
  });

  it('counts every message when many arrive for the same people at once', async () => {
    const { ctx, mailboxes } = await setUp(6);
    const orders = [mailboxes, [...mailboxes].reverse()];
    await Promise.all(Array.from({ length: 40 }, (_, turn) => receive(ctx, orders[turn % 2] ?? mailboxes)));
    for (const { user } of mailboxes) {
      expect((await readTotals(ctx, String(user.id))).inbox).toEqual({ total: 40, unread: 40 });
      expect(await verifyTotals(ctx, String(user.id))).toBe(true);
    }
  });

  it('takes texts, addresses and dates that no column is made for', async () => {
    const { ctx, first } = await setUp();
    const long = 'x'.repeat(3000);
    const raw = Buffer.from(
      [
        `From: "${long}" <${'l'.repeat(400)}@sender.test>`,
        `To: ${Array.from({ length: 700 }, (_, index) => `a${index}@b.test`).join(',\r\n ')}`,
        `Subject: 😀${long}`,
        'Date: Fri, 31 Dec 99999 23:59:59 +0000',
        `Message-ID: <${long}@sender.test>`,
        `Content-Type: application/${long}; name="${long}"`,
        '',
        'x',
        '',
      ].join('\r\n'),
    );
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [first]));
    const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
    expect(message.subject.startsWith('😀')).toBe(true);
    expect(message.toList.length).toBeLessThanOrEqual(700);
  });
});

describe('a message of this host', () => {
  it('is in Sent, read, with its blind recipients, and is given to a local recipient once without them', async () => {
    const { app, ctx, mailboxes, first, userId } = await setUp(2);
    const other = mailboxes[1];
    if (!other) throw new Error('two mailboxes');
    const raw = rawMessage();
    const [parsed, blob] = [await app.content.summarise(raw, 'ana'), await app.blobs.put(raw)];
    const mailId = `test-${Date.now()}`;
    const sent = await inTransaction(ctx, async (tx) => {
      const message = await insertMessage(tx, { parsed, blob, mailId, envelopeFrom: first.user.email, ledgerRows: 0 });
      const copy = { ...recipientOf(first), bccList: ['blind@b.test'], deliveryState: 'held' as const };
      const [entryId] = await addSentEntries(tx, [{ ...copy, message, undoUntil: new Date() }]);
      return { message, entryId };
    });
    for (const _turn of [1, 2]) {
      await inTransaction(ctx, (tx) => addReceivedEntriesOnce(tx, sent.message, { recipients: [recipientOf(other)] }));
    }
    const received = await MailboxEntry.findAll({ where: { userId: other.user.id } });
    expect(received).toHaveLength(1);
    expect(await MailboxEntry.findByPk(sent.entryId)).toMatchObject({
      folder: 'sent',
      readStatus: true,
      bccList: ['blind@b.test'],
      deliveryState: 'held',
    });
    expect(received[0]).toMatchObject({ folder: 'inbox', bccList: null });
    expect((await readTotals(ctx, userId)).sent).toEqual({ total: 1, unread: 0 });
    expect((await readTotals(ctx, String(other.user.id))).inbox).toEqual({ total: 1, unread: 1 });
  });
});
