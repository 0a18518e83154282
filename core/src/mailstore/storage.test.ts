import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { changeStatus } from './change-status.ts';
import { checkStorage, mendStorage, verifyStorage } from './check-storage.ts';
import { addReceivedEntriesOnce } from './entry-rows.ts';
import { insertMessage } from './message-rows.ts';
import { readMailboxUse } from './mailbox-use.ts';
import { roomFor } from './require-room.ts';
import { storeInbound } from './store-message.ts';
import { bytesOfCompanies, bytesOfPeople } from './storage-use.ts';
import { inboundOf, rawMessage, recipientOf } from './test-messages.ts';

const full = { code: 'mailbox_full', status: 422 };
const tooLarge = { code: 'larger_than_mailbox', status: 422 };

async function setUp(count = 1) {
  const app = await testApp();
  const ctx = systemContext(app);
  const tenant = await buildCompany(app);
  const people: Mailbox[] = [];
  for (let i = 0; i < count; i++) people.push(await buildMailbox(app, { tenant }));
  const [first] = people;
  if (!first) throw new Error('no mailbox');
  return { app, ctx, tenant, people, first, userId: String(first.user.id) };
}

async function usedBy(ctx: Ctx, { user }: Mailbox): Promise<number> {
  return (await bytesOfPeople(ctx, [String(user.id)])).get(String(user.id)) ?? 0;
}

/** A message of exactly so many bytes, which is like no other. */
function messageOf(bytes: number): Buffer {
  const unpadded = rawMessage({ body: randomBytes(4).toString('hex') });
  const lines = `\r\n${'x'.repeat(70)}`.repeat(Math.ceil(bytes / 72));
  return Buffer.concat([unpadded, Buffer.from(lines)]).subarray(0, bytes);
}

async function limit(mailbox: Mailbox, storageLimit: number | null): Promise<void> {
  await mailbox.user.update({ storageLimit: storageLimit === null ? null : String(storageLimit) });
}

describe('the bytes of a person', () => {
  it('follow mail that arrives, moves, and is deleted for good', async () => {
    const { ctx, first, userId, tenant } = await setUp();
    const { entryIds } = await storeInbound(ctx, inboundOf(messageOf(2000), [first]));
    await storeInbound(ctx, inboundOf(messageOf(3000), [first]));
    expect(await usedBy(ctx, first)).toBe(5000);
    for (const flags of [{ starStatus: true }, { archiveStatus: true }, { trashStatus: true }]) {
      await changeStatus(ctx, { userId, entryIds, flags });
      expect(await usedBy(ctx, first)).toBe(5000);
    }
    const trash = await Folder.findOne({ where: { userId, role: 'trash' } });
    expect(trash?.bytes).toBe('2000');
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    expect(await usedBy(ctx, first)).toBe(3000);
    expect(await verifyStorage(ctx, userId)).toBe(true);
    const companyId = String(tenant.company.id);
    expect((await bytesOfCompanies(ctx, [companyId])).get(companyId)).toBe(3000);
  });

  it('count a message that several people have for each of them, and once for one who is named twice', async () => {
    const { ctx, people } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    const input = inboundOf(messageOf(2000), [ana, bea]);
    const tagged = { ...recipientOf(ana), address: `tag+${ana.user.email}` };
    await storeInbound(ctx, { ...input, recipients: [...input.recipients, tagged] });
    expect([await usedBy(ctx, ana), await usedBy(ctx, bea)]).toEqual([2000, 2000]);
  });

  it('are counted for many people at once, whether their folders are new or not', async () => {
    const { ctx, people } = await setUp(5);
    await storeInbound(ctx, inboundOf(messageOf(2000), people));
    await storeInbound(ctx, inboundOf(messageOf(1500), people));
    for (const one of people) expect(await usedBy(ctx, one)).toBe(3500);
  });

  it('are as before when the transaction is rolled back', async () => {
    const { ctx, first, userId } = await setUp();
    await storeInbound(ctx, inboundOf(messageOf(2000), [first]));
    const late = inTransaction(ctx, async (tx) => {
      await storeInbound(tx, inboundOf(messageOf(3000), [first]));
      throw new Error('too late');
    });
    await expect(late).rejects.toThrow('too late');
    expect(await usedBy(ctx, first)).toBe(2000);
    expect(await verifyStorage(ctx, userId)).toBe(true);
  });

  it('are right after mail arrived, moved and went at the same time', async () => {
    const { ctx, people } = await setUp(3);
    const first = await Promise.all(people.map((one) => storeInbound(ctx, inboundOf(messageOf(2000), [one]))));
    const arriving = Array.from({ length: 12 }, (_, i) => storeInbound(ctx, inboundOf(messageOf(1500 + i), people)));
    const moving = people.flatMap(({ user }, i) => {
      const change = (flags: object) =>
        changeStatus(ctx, { userId: String(user.id), entryIds: first[i]?.entryIds ?? [], flags });
      return [change({ archiveStatus: true }), change({ trashStatus: true }), change({ starStatus: true })];
    });
    await Promise.all([...arriving, ...moving]);
    for (const { user } of people) expect(await verifyStorage(ctx, String(user.id))).toBe(true);
    const sum = people.length * Array.from({ length: 12 }, (_, i) => 1500 + i).reduce((a, b) => a + b, 2000);
    const companyId = String(people[0]?.company.id);
    expect((await bytesOfCompanies(ctx, [companyId])).get(companyId)).toBe(sum);
  });

  it('go from the company with each step of an erasure', async () => {
    const { app, ctx, people, tenant } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    await storeInbound(ctx, inboundOf(messageOf(2000), [ana, bea]));
    await ana.user.update({ deletedAt: new Date(), erasedAt: new Date() });
    const companyId = String(tenant.company.id);
    const used = async () => (await bytesOfCompanies(ctx, [companyId])).get(companyId);
    // The last step waits for this lock
    const held = await app.db.transaction();
    await User.findByPk(ana.user.id, { lock: true, transaction: held });
    const erasing = eraseUserRows(ctx, String(ana.user.id));
    try {
      await until('the bytes are gone', async () => (await used()) === 2000);
    } finally {
      await held.rollback();
    }
    await erasing;
    expect(await used()).toBe(2000);
    expect(await usedBy(ctx, bea)).toBe(2000);
  });

  it('that are wrong are found and mended', async () => {
    const { ctx, first, userId } = await setUp();
    await storeInbound(ctx, inboundOf(messageOf(2000), [first]));
    const folder = await Folder.findOne({ where: { userId, role: 'inbox' }, rejectOnEmpty: true });
    const before = String(Number(folder.id) - 1);
    await Folder.update({ bytes: '1999' }, { where: { id: folder.id } });
    const { wrong } = await checkStorage(ctx, before);
    const figure = { folderId: String(folder.id), userId, kept: 1999, counted: 2000 };
    expect(wrong.filter((one) => one.userId === userId)).toEqual([figure]);
    expect(await verifyStorage(ctx, userId)).toBe(false);
    await mendStorage(ctx, figure);
    expect(await verifyStorage(ctx, userId)).toBe(true);
  });
});

describe('a full mailbox', () => {
  it('takes a message that fits to the last byte and no other, until there is room again', async () => {
    const { app, ctx, first, userId } = await setUp();
    await limit(first, 4000);
    const { entryIds } = await storeInbound(ctx, inboundOf(messageOf(2500), [first]));
    const late = messageOf(1501);
    await expect(storeInbound(ctx, inboundOf(late, [first]))).rejects.toMatchObject(full);
    await storeInbound(ctx, inboundOf(messageOf(1500), [first]));
    expect(await usedBy(ctx, first)).toBe(4000);
    expect(await roomFor(ctx, userId, 1)).toBe('mailbox');
    await changeStatus(ctx, { userId, entryIds, flags: { trashStatus: true } });
    await expect(storeInbound(ctx, inboundOf(late, [first]))).rejects.toMatchObject(full);
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    const { messageId } = await storeInbound(ctx, inboundOf(late, [first]));
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    expect(await app.blobs.has(blobKey)).toBe(true);
  });

  it('takes one of two messages that come at once and have room only alone', async () => {
    const { ctx, first } = await setUp();
    await limit(first, 5000);
    const rounds = Array.from({ length: 6 }, () => storeInbound(ctx, inboundOf(messageOf(3000), [first])));
    const results = await Promise.allSettled(rounds);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as object] : []));
    for (const reason of refused) expect(reason).toMatchObject(full);
    expect(await usedBy(ctx, first)).toBe(3000);
    expect(await MailboxEntry.count({ where: { userId: first.user.id } })).toBe(1);
  });

  it('refuses what has no room before its bytes are written', async () => {
    const { app, first } = await setUp();
    await limit(first, 1000);
    const blobs = blobStoreWith(app.blobs, { put: () => Promise.reject(new Error('written')) });
    const input = inboundOf(messageOf(1001), [first]);
    await expect(storeInbound(systemContext({ ...app, blobs }), input)).rejects.toMatchObject(tooLarge);
  });

  it('says of a message that is larger than a whole limit that it never fits', async () => {
    const { ctx, people, tenant } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    await limit(ana, 3000);
    await expect(storeInbound(ctx, inboundOf(messageOf(3001), [ana]))).rejects.toMatchObject(tooLarge);
    await storeInbound(ctx, inboundOf(messageOf(2000), [ana]));
    await expect(storeInbound(ctx, inboundOf(messageOf(3000), [ana]))).rejects.toMatchObject(full);
    await limit(bea, 1000);
    await expect(storeInbound(ctx, inboundOf(messageOf(2000), [ana, bea]))).rejects.toMatchObject(full);
    await tenant.company.update({ storageLimit: '2500' });
    await expect(storeInbound(ctx, inboundOf(messageOf(2501), [ana]))).rejects.toMatchObject(tooLarge);
    expect(await roomFor(ctx, String(ana.user.id), 2501)).toBe('never');
  });

  it('answers a repeat of a message that is stored like the first time', async () => {
    const { ctx, people } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    await limit(ana, 4000);
    await limit(bea, 0);
    const raw = messageOf(3000);
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [ana]));
    expect(await storeInbound(ctx, inboundOf(raw, [ana]))).toMatchObject({ messageId, duplicate: true });
    expect(await usedBy(ctx, ana)).toBe(3000);
    // The same bytes for another person are no repeat
    await expect(storeInbound(ctx, inboundOf(raw, [bea]))).rejects.toMatchObject(full);
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    expect(await ctx.app.blobs.has(blobKey)).toBe(true);
  });

  it('leaves no bytes of a message that other mail has crowded out', async () => {
    const { app, ctx, first } = await setUp();
    await limit(first, 5000);
    const messages = Array.from({ length: 4 }, () => messageOf(3000));
    await Promise.allSettled(messages.map((raw) => storeInbound(ctx, inboundOf(raw, [first]))));
    const stored = new Set((await Message.findAll({ attributes: ['blobKey'] })).map(({ blobKey }) => blobKey));
    for (const raw of messages) {
      const key = createHash('sha256').update(raw).digest('hex');
      expect(await app.blobs.has(key)).toBe(stored.has(key));
    }
  });

  it('gets a message that another recipient has room for, and none that no recipient has room for', async () => {
    const { ctx, people } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    await limit(ana, 1000);
    await limit(bea, 5000);
    await storeInbound(ctx, inboundOf(messageOf(3000), [ana, bea]));
    expect([await usedBy(ctx, ana), await usedBy(ctx, bea)]).toEqual([3000, 3000]);
    await expect(storeInbound(ctx, inboundOf(messageOf(3000), [ana, bea]))).rejects.toMatchObject(full);
  });

  it('always takes mail of the host itself', async () => {
    const { ctx, first } = await setUp();
    await limit(first, 1000);
    await storeInbound(ctx, { ...inboundOf(messageOf(3000), [first]), isOwn: true });
    expect(await usedBy(ctx, first)).toBe(3000);
  });

  it('has the limit of its owner, else of the company, else of the host', async () => {
    const { app, tenant, first, userId } = await setUp();
    const host = systemContext({ ...app, config: { ...app.config, mailboxBytes: 3000 } });
    expect(await roomFor(systemContext(app), userId, 10 ** 12)).toBe('unlimited');
    const limitOf = async (bytes: number) => [
      await roomFor(host, userId, bytes),
      await roomFor(host, userId, bytes + 1),
    ];
    expect(await limitOf(3000)).toEqual(['enough', 'never']);
    await tenant.company.update({ mailboxLimit: '2000' });
    expect(await limitOf(2000)).toEqual(['enough', 'never']);
    await limit(first, 1000);
    expect(await limitOf(1000)).toEqual(['enough', 'never']);
  });

  it('is every mailbox of a company whose storage is full', async () => {
    const { ctx, people, tenant } = await setUp(2);
    const [ana, bea] = people as [Mailbox, Mailbox];
    await tenant.company.update({ storageLimit: '5000' });
    const { entryIds } = await storeInbound(ctx, inboundOf(messageOf(3000), [ana]));
    expect(await roomFor(ctx, String(bea.user.id), 2001)).toBe('company');
    const late = messageOf(2001);
    await expect(storeInbound(ctx, inboundOf(late, [bea]))).rejects.toMatchObject({
      ...full,
      publicText: expect.stringContaining('the provider can raise') as string,
    });
    await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags: { deleteStatus: true } });
    await storeInbound(ctx, inboundOf(late, [bea]));
  });

  it('keeps what came before its limit was lowered, and can be read, moved and emptied', async () => {
    const { ctx, first, userId } = await setUp();
    const { entryIds } = await storeInbound(ctx, inboundOf(messageOf(3000), [first]));
    await limit(first, 1000);
    await changeStatus(ctx, { userId, entryIds, flags: { archiveStatus: true } });
    await changeStatus(ctx, { userId, entryIds, flags: { trashStatus: true, archiveStatus: false } });
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    expect(await usedBy(ctx, first)).toBe(0);
  });
});

describe('the sum of a company', () => {
  it('is kept with what the process lets in, and read anew before a refusal', async () => {
    const { ctx, first, userId, tenant } = await setUp();
    await tenant.company.update({ storageLimit: '9000' });
    const deliver = (bytes: number) => storeInbound(ctx, inboundOf(messageOf(bytes), [first]));
    const { entryIds } = await deliver(3000);
    await deliver(3000);
    expect(await readMailboxUse(ctx, userId)).toMatchObject({ full: null });
    await expect(deliver(3001)).rejects.toMatchObject(full);
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    await deliver(3001);
    await deliver(2999);
    expect(await readMailboxUse(ctx, userId)).toMatchObject({ full: 'company' });
  });

  it('is some seconds old at most when another process has stored mail', async () => {
    const { app, ctx, first, userId, tenant } = await setUp();
    await tenant.company.update({ storageLimit: '5000' });
    const [now, wallClock] = [performance.now(), Date.now()];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    expect(await roomFor(ctx, userId, 1)).toBe('enough');
    await storeInbound(systemContext({ ...app }), inboundOf(messageOf(5000), [first]));
    expect(await roomFor(ctx, userId, 1500)).toBe('enough');
    expect(await readMailboxUse(ctx, userId)).toMatchObject({ full: null });
    clock.mockImplementation(() => now + 3000);
    // The wall clock was an hour ahead, and is put right
    vi.useFakeTimers({ toFake: ['Date'], now: wallClock - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await readMailboxUse(ctx, userId)).toMatchObject({ full: 'company' });
    expect(await roomFor(ctx, userId, 1)).toBe('company');
  });
});

describe('a local copy of a message', () => {
  it('is counted once, however often it is written', async () => {
    const { app, ctx, first } = await setUp();
    const raw = messageOf(2000);
    const message = await inTransaction(ctx, async (tx) => {
      const parsed = await app.content.summarise(raw, 'ana');
      const blob = await app.blobs.put(raw);
      const facts = { mailId: randomBytes(8).toString('hex'), envelopeFrom: 'a@b.test', ledgerRows: 0 };
      return await insertMessage(tx, { parsed, blob, raw, ...facts });
    });
    for (let i = 0; i < 2; i++) {
      await inTransaction(ctx, (tx) => addReceivedEntriesOnce(tx, message, { recipients: [recipientOf(first)] }));
    }
    expect(await usedBy(ctx, first)).toBe(2000);
  });
});
