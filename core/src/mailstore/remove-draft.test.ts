import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { removeBlob } from '../jobs/remove-blob.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { removeBlobIfUnreferenced } from './remove-blob.ts';
import { removeDraft } from './remove-draft.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user, company } = await buildMailbox(app);
  const owner = { companyId: String(company.id), userId: String(user.id) };
  const bytes = randomBytes(100);
  const { key, size } = await app.blobs.put(bytes);
  const draftWithFile = async () => {
    const draft = await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] });
    const file = { blobKey: key, size, filename: 'a.bin', contentType: 'application/octet-stream' };
    await DraftAttachment.create({ draftId: String(draft.id), ...file });
    return draft;
  };
  const asked = () => OutboxRow.count({ where: { jobName: removeBlob.name, dedupeId: `remove-blob-${key}` } });
  return { app, ctx, key, bytes, draftWithFile, asked };
}

describe('removeDraft', () => {
  it('asks for the removal of its files, which stay while another draft has them', async () => {
    const { app, ctx, key, draftWithFile, asked } = await setUp();
    const [first, second] = [await draftWithFile(), await draftWithFile()];
    await inTransaction(ctx, (tx) => removeDraft(tx, first));
    expect(await asked()).toBe(1);
    expect(await removeBlobIfUnreferenced(ctx, key)).toBe('still_used');
    await inTransaction(ctx, (tx) => removeDraft(tx, second));
    expect(await asked()).toBe(2);
    expect(await removeBlobIfUnreferenced(ctx, key)).toBe('removed');
    expect(await app.blobs.has(key)).toBe(false);
  });

  it('fails when the draft is gone', async () => {
    const { ctx, draftWithFile } = await setUp();
    const draft = await draftWithFile();
    await inTransaction(ctx, (tx) => removeDraft(tx, draft));
    await expect(inTransaction(ctx, (tx) => removeDraft(tx, draft))).rejects.toMatchObject({ status: 404 });
  });
});

describe('removeBlobIfUnreferenced', () => {
  it('keeps what it may not remove', async () => {
    const { app, ctx, key } = await setUp();
    expect(await removeBlobIfUnreferenced(ctx, key, async () => false)).toBe('still_used');
    expect(await app.blobs.has(key)).toBe(true);
  });

  it('holds up the row of a new reference until the bytes are gone', async () => {
    const { app, ctx, key, draftWithFile } = await setUp();
    const order: string[] = [];
    let attaching: Promise<unknown> | undefined;
    const blobs = blobStoreWith(app.blobs, {
      remove: async (blobKey) => {
        attaching = draftWithFile().then(() => order.push('row'));
        // Long enough for an insert that does not wait
        for (let count = 0; count < 50; count += 1) await Draft.count();
        order.push('bytes');
        await app.blobs.remove(blobKey);
      },
    });
    expect(await removeBlobIfUnreferenced({ ...ctx, app: { ...app, blobs } }, key)).toBe('removed');
    await attaching;
    expect(order).toEqual(['bytes', 'row']);
  });
});
