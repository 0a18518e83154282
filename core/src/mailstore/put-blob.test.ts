import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { Message } from '../models/message.ts';
import { putBlob } from './put-blob.ts';
import { storeInbound } from './store-message.ts';
import { inboundOf, rawMessage, receive } from './test-messages.ts';

/** The engine answers as it does when it rolls this transaction back in favour of another. */
async function deadlock(tx: TxCtx): Promise<void> {
  await changeRows(tx, "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213", []);
}

async function setUp() {
  const app = await testApp();
  const put: string[] = [];
  const blobs = blobStoreWith(app.blobs, {
    put: async (source) => {
      const stored = await app.blobs.put(source);
      put.push(stored.key);
      return stored;
    },
  });
  const areThere = async () => await Promise.all(put.map((key) => app.blobs.has(key)));
  return { app, ctx: systemContext({ ...app, blobs }), put, areThere };
}

describe('putBlob', () => {
  it('leaves nothing of a message that is composed again after a deadlock', async () => {
    const { app, ctx, put, areThere } = await setUp();
    const ana = await buildMailbox(app);
    let attempts = 0;
    const { messageId } = await inTransaction(ctx, async (tx) => {
      const stored = await storeInbound(tx, inboundOf(rawMessage(), [ana]));
      if (attempts++ === 0) await deadlock(tx);
      return stored;
    });
    expect(await areThere()).toEqual([false, true]);
    expect(await Message.findByPk(messageId)).toMatchObject({ blobKey: put[1] });
  });

  it('keeps the same bytes, put again after a deadlock', async () => {
    const { app, ctx, areThere } = await setUp();
    const [ana, raw] = [await buildMailbox(app), rawMessage()];
    let attempts = 0;
    await inTransaction(ctx, async (tx) => {
      await storeInbound(tx, inboundOf(raw, [ana]));
      if (attempts++ === 0) await deadlock(tx);
    });
    expect(await areThere()).toEqual([true, true]);
  });

  it('leaves nothing of a transaction that fails, except bytes that others have', async () => {
    const { app, ctx, put, areThere } = await setUp();
    const { messageId } = await receive(systemContext(app), [await buildMailbox(app)]);
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const theirs = Buffer.concat(await app.blobs.get(blobKey).toArray());
    const failing = inTransaction(ctx, async (tx) => {
      await putBlob(tx, theirs);
      await putBlob(tx, randomBytes(100));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(put[0]).toBe(blobKey);
    expect(await areThere()).toEqual([true, false]);
  });

  it('answers with the failure of the transaction when its bytes cannot be removed', async () => {
    const { app } = await setUp();
    const blobs = blobStoreWith(app.blobs, { remove: async () => Promise.reject(new Error('the disk is gone')) });
    const failing = inTransaction(systemContext({ ...app, blobs }), async (tx) => {
      await putBlob(tx, randomBytes(100));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  });
});
