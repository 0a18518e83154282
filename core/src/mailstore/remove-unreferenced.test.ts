import { Transaction } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { Attachment } from '../models/attachment.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import type { App } from '../context/app.ts';
import { inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { until } from '../../../tests/support/until.ts';
import { isBlobShared } from './blob-references.ts';
import { changeStatus } from './change-status.ts';
import { removeMessageIfUnreferenced } from './remove-unreferenced.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const [ana, ben] = [await buildMailbox(app), await buildMailbox(app)];
  const remove = (mailbox: typeof ana, entryIds: string[]) =>
    changeStatus(ctx, { userId: String(mailbox.user.id), entryIds, flags: { deleteStatus: true } });
  return { app, ctx, ana, ben, remove };
}

describe('removeMessageIfUnreferenced', () => {
  it('keeps a message that a person has, and removes it with its bytes once no person has it', async () => {
    const { app, ctx, ana, ben, remove } = await setUp();
    const { messageId } = await storeInbound(ctx, inboundOf(rawMessage(), [ana, ben]));
    const { blobKey, mailId } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const entries = await MailboxEntry.findAll({ where: { messageId } });
    const idsOf = (userId: string) => entries.filter((entry) => entry.userId === userId).map(({ id }) => String(id));

    await remove(ana, idsOf(String(ana.user.id)));
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('still_used');
    await remove(ben, idsOf(String(ben.user.id)));
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('not_there');

    expect(await app.blobs.has(blobKey)).toBe(false);
    expect(await Attachment.count({ where: { messageId } })).toBe(0);
    expect(await MailboxEntry.count({ where: { messageId } })).toBe(0);
    expect(await Delivery.count({ where: { mailId, state: 'stored' } })).toBe(2);
  });

  it('keeps a message that is still to be delivered', async () => {
    const { ctx, ana, remove } = await setUp();
    const { messageId, entryIds } = await storeInbound(ctx, inboundOf(rawMessage(), [ana]));
    await Delivery.update({ state: 'queued' }, { where: { messageId } });
    await remove(ana, entryIds);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('still_used');
  });

  it('keeps bytes that another message shares', async () => {
    const { app, ctx, ana, ben, remove } = await setUp();
    const raw = rawMessage();
    const first = await storeInbound(ctx, inboundOf(raw, [ana]));
    const second = await storeInbound(ctx, inboundOf(raw, [ben]));
    const { blobKey } = await Message.findByPk(first.messageId, { rejectOnEmpty: true });
    await remove(ana, first.entryIds);
    expect(await removeMessageIfUnreferenced(ctx, first.messageId)).toBe('removed');
    expect(await app.blobs.has(blobKey)).toBe(true);
    await remove(ben, second.entryIds);
    expect(await removeMessageIfUnreferenced(ctx, second.messageId)).toBe('removed');
    expect(await app.blobs.has(blobKey)).toBe(false);
  });

  it('looks at no more messages with the same bytes than it needs', async () => {
    const { ctx, ana } = await setUp();
    // A stranger may send the same bytes any number of times. Without a Message-ID, none is a
    // repeat
    const raw = rawMessage({ messageId: null });
    const stored = [];
    for (let sent = 0; sent < 40; sent += 1) stored.push(await storeInbound(ctx, inboundOf(raw, [ana])));
    const { blobKey } = await Message.findByPk(stored[0]?.messageId ?? '', { rejectOnEmpty: true });
    const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
    for (const { messageId } of [stored[0], stored[20], stored[39]].flatMap((one) => one ?? [])) {
      const reads = await inTransaction(
        ctx,
        async (tx) => {
          const before = await readsOf(tx);
          expect(await isBlobShared(tx, messageId, blobKey)).toBe(true);
          return (await readsOf(tx)) - before;
        },
        { isolationLevel },
      );
      expect(reads).toBeLessThan(10);
    }
  });

  it('never takes the bytes of a message that is stored at the same moment', async () => {
    const { app, ctx, ana, ben, remove } = await setUp();
    const raw = rawMessage();
    const old = await storeInbound(ctx, inboundOf(raw, [ana]));
    await remove(ana, old.entryIds);
    const { blobKey } = await Message.findByPk(old.messageId, { rejectOnEmpty: true });
    const again = inboundOf(raw, [ben]);
    let storing: ReturnType<typeof storeInbound> | undefined;
    // The removal has decided and is about to take the bytes; just then they are stored for another
    // person
    const blobs = blobStoreWith(app.blobs, {
      remove: async (key) => {
        storing = storeInbound(ctx, again);
        await until('the insert has begun', () => isStoredOrWaiting(app, again.mailId));
        await app.blobs.remove(key);
      },
    });
    const outcome = await removeMessageIfUnreferenced({ ...ctx, app: { ...app, blobs } }, old.messageId);
    expect(outcome).toBe('removed');
    await expect(storing).resolves.toMatchObject({ duplicate: false });
    expect(await app.blobs.has(blobKey)).toBe(true);
  });
});

/** How many rows and index entries the connection of a transaction has read so far. */
async function readsOf(tx: TxCtx): Promise<number> {
  const rows = await readRows<{ Value: string }>(tx, "SHOW SESSION STATUS LIKE 'Handler_read%'", []);
  return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
}

/**
 * True once the message's row is committed, or its insert stands in the engine's list of running
 * statements.
 */
async function isStoredOrWaiting(app: App, mailId: string): Promise<boolean> {
  const [rows] = await app.db.query(
    `SELECT 1 FROM information_schema.processlist WHERE info LIKE :insert
     UNION ALL SELECT 1 FROM messages WHERE mail_id = :mailId`,
    { replacements: { mailId, insert: `INSERT INTO messages%${mailId}%` } },
  );
  return rows.length > 0;
}
