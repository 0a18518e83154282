import { createHash, randomBytes } from 'node:crypto';
import { readFile, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { blobPath } from '../../../tests/support/stored-bytes.ts';
import { startTestApp, testApp, testEnvironment } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { log } from '../log.ts';
import { damagedBlobs } from '../metrics.ts';
import { avatarPath } from '../models/avatar-path.ts';
import { Draft } from '../models/draft.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Message } from '../models/message.ts';
import { changeStatus } from './change-status.ts';
import { checkContents } from './check-contents.ts';
import { compareFolder } from './compare-blobs.ts';
import { receive } from './test-messages.ts';

const dayMs = 86_400_000;
const old = { orphanAgeMs: dayMs };

async function setUp(own?: App) {
  const app = own ?? (await testApp());
  const ctx = systemContext(app);
  const path = (key: string) => blobPath(app, key);
  const age = async (key: string, days: number) => {
    const at = new Date(Date.now() - days * dayMs);
    await utimes(path(key), at, at);
  };
  const putOld = async (bytes = randomBytes(100)) => {
    const { key } = await app.blobs.put(bytes);
    await age(key, 2);
    return key;
  };
  const store = async () => {
    const mailbox = await buildMailbox(app);
    const { messageId, entryIds } = await receive(ctx, [mailbox]);
    const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    return { mailbox, messageId, entryIds, blobKey };
  };
  /**
   * Puts the bytes back when the test has ended. The folder may hold a message of another test,
   * which expects to hear of no damage but its own.
   */
  const repairAtEnd = async (...keys: string[]) => {
    for (const key of keys) {
      const bytes = await readFile(path(key));
      onTestFinished(() => writeFile(path(key), bytes));
    }
  };
  /** A message, whose reader also has a draft with a file, and a picture. */
  const storeEachKind = async () => {
    const stored = await store();
    const [file, picture] = [await putOld(), await putOld()];
    const draftId = await draftWith(stored.mailbox, [file], 100);
    await stored.mailbox.user.update({ avatar: avatarPath(picture) });
    return { ...stored, draftId, keys: [stored.blobKey, file, picture] };
  };
  return { app, ctx, path, age, putOld, repairAtEnd, store, storeEachKind };
}

/** A draft with a file for each key; answers its id. */
async function draftWith({ company, user }: Mailbox, blobKeys: readonly string[], size: number): Promise<string> {
  const owner = { companyId: String(company.id), userId: String(user.id) };
  const draft = await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] });
  const facts = { draftId: String(draft.id), size, filename: 'a', contentType: 'text/plain' };
  await DraftAttachment.bulkCreate(blobKeys.map((blobKey) => ({ ...facts, blobKey })));
  return facts.draftId;
}

/** What the sweep says of the folder of a key. */
async function reported(run: () => Promise<unknown>): Promise<object[]> {
  const spy = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  try {
    await run();
    return spy.mock.calls.map(([, facts]) => facts ?? {});
  } finally {
    spy.mockRestore();
  }
}

async function countOf(problem: string): Promise<number> {
  const { values } = await damagedBlobs.get();
  return values.find(({ labels }) => labels.problem === problem)?.value ?? 0;
}

const compare = (ctx: Ctx, key: string) => compareFolder(ctx, key.slice(0, 2), old);

describe('compareFolder', () => {
  it('removes bytes that nothing refers to once they are a day old, and not before', async () => {
    const { app, ctx, age, putOld } = await setUp();
    const orphan = await putOld();
    const { key: young } = await app.blobs.put(randomBytes(100));
    await age(young, 0.9);
    expect((await compare(ctx, orphan)).removed).toBeGreaterThan(0);
    await compare(ctx, young);
    expect(await app.blobs.has(orphan)).toBe(false);
    expect(await app.blobs.has(young)).toBe(true);
  });

  it('removes bytes that a clock which was ahead has dated into the future, and none of the next hours', async () => {
    const { app, ctx, age, putOld } = await setUp();
    const [years, hours] = [await putOld(), await putOld()];
    await age(years, -1000);
    await age(hours, -0.1);
    await compare(ctx, years);
    await compare(ctx, hours);
    expect(await app.blobs.has(years)).toBe(false);
    expect(await app.blobs.has(hours)).toBe(true);
  });

  it('keeps the bytes of a message, of a file of a draft and of a picture, however old', async () => {
    const { app, ctx, age, storeEachKind } = await setUp();
    const { blobKey, keys } = await storeEachKind();
    await age(blobKey, 1000);
    const said = await reported(async () => {
      for (const key of keys) await compare(ctx, key);
    });
    expect(said).toEqual([]);
    for (const key of keys) expect(await app.blobs.has(key)).toBe(true);
  });

  it('keeps bytes that are put again while it looks', async () => {
    const { app, putOld } = await setUp();
    const bytes = randomBytes(100);
    const key = await putOld(bytes);
    let puts = 0;
    const db = Object.create(app.db) as typeof app.db;
    // The removal begins its transaction. Just then the bytes come again, and their row will follow
    db.transaction = (async (...args: Parameters<typeof app.db.transaction>) => {
      puts += 1;
      await app.blobs.put(bytes);
      return await app.db.transaction(...args);
    }) as typeof app.db.transaction;
    await compare(systemContext({ ...app, db }), key);
    expect(puts).toBeGreaterThan(0);
    expect(await app.blobs.has(key)).toBe(true);
  });

  it('reports messages, drafts and people whose bytes are missing, and removes none of them', async () => {
    const { ctx, path, repairAtEnd, storeEachKind } = await setUp();
    const { mailbox, messageId, draftId, keys } = await storeEachKind();
    await repairAtEnd(...keys);
    for (const key of keys) await unlink(path(key));
    const before = await countOf('missing');
    const said = await reported(async () => {
      for (const key of new Set(keys.map((one) => one.slice(0, 2)))) {
        await compareFolder(ctx, key, old);
      }
    });
    const ids = (name: string) => said.flatMap((facts) => (facts as Record<string, string[]>)[name] ?? []);
    expect(ids('messageIds')).toContain(messageId);
    expect(ids('draftIds')).toContain(draftId);
    expect(ids('userIds')).toContain(String(mailbox.user.id));
    expect(await countOf('missing')).toBe(before + 3);
    expect(await Message.findByPk(messageId)).not.toBeNull();
  });

  it('reports a row that names no key at all, and goes on', async () => {
    const { app, ctx, putOld } = await setUp();
    const orphan = await putOld();
    const draftId = await draftWith(await buildMailbox(app), [`${orphan.slice(0, 2)}/../x`], 1);
    const said = await reported(() => compare(ctx, orphan));
    expect(said).toContainEqual(expect.objectContaining({ problem: 'missing', draftIds: [draftId] }));
    expect(await app.blobs.has(orphan)).toBe(false);
    await DraftAttachment.destroy({ where: { draftId } });
  });

  it('says nothing of a message that is about to be removed', async () => {
    const { ctx, path, store } = await setUp();
    const { mailbox, entryIds, blobKey } = await store();
    await changeStatus(ctx, { userId: String(mailbox.user.id), entryIds, flags: { deleteStatus: true } });
    await unlink(path(blobKey));
    expect(await reported(() => compare(ctx, blobKey))).toEqual([]);
  });

  it('reports bytes that are fewer or more than they should be', async () => {
    const { ctx, path, repairAtEnd, store } = await setUp();
    const { messageId, blobKey } = await store();
    await repairAtEnd(blobKey);
    await truncate(path(blobKey), 10);
    const said = await reported(() => compare(ctx, blobKey));
    expect(said).toEqual([expect.objectContaining({ problem: 'truncated', count: 1, messageIds: [messageId] })]);
  });

  it('goes through a folder of many pages, with more rows than blobs and more blobs than rows', async () => {
    const { app, ctx, path } = await setUp();
    const compareAll = () => compareFolder(ctx, 'ee', { orphanAgeMs: 0 });
    // By chance another test has put a message there, or bytes that nothing refers to
    const before = await compareAll();
    // The rows without a blob come first, more than one look at the rows takes
    const keys = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => prefix + createHash('sha256').update(String(n)).digest('hex').slice(3));
    const [rowsOnly, both, filesOnly] = [keys('ee0', 2100), keys('eea', 550), keys('eef', 30)];
    const draftId = await draftWith(await buildMailbox(app), [...rowsOnly, ...both], 1);
    await app.blobs.put(await bytesInFolder('ee'));
    for (const key of [...both, ...filesOnly]) await writeFile(path(key), 'x');
    const findings = { compared: 0, removed: 0, damaged: 0 };
    await reported(async () => Object.assign(findings, await compareAll()));
    const stayed = before.compared - before.removed;
    expect(findings).toEqual({ compared: stayed + 2681, removed: 31, damaged: before.damaged + 2100 });
    await DraftAttachment.destroy({ where: { draftId } });
  });
});

describe('checkContents', () => {
  it('reports bytes that are as many as before, but others', async () => {
    const { ctx, path, repairAtEnd, store } = await setUp();
    const { messageId, blobKey } = await store();
    await repairAtEnd(blobKey);
    const { size } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    await writeFile(path(blobKey), randomBytes(size));
    expect(await reported(() => compare(ctx, blobKey))).toEqual([]);
    const said = await reported(() => checkContents(ctx, blobKey.slice(0, 3)));
    expect(said).toEqual([expect.objectContaining({ problem: 'changed', messageIds: [messageId] })]);
  });
});

describe('two sweeps at once', () => {
  it('come to their end, and what is referred to stays', async () => {
    // Nothing in this store is damaged by another test
    const own = await startTestApp(await testEnvironment());
    const { app, ctx, age, putOld, store } = await setUp(own);
    const { blobKey } = await store();
    await age(blobKey, 100);
    const orphans = await Promise.all(Array.from({ length: 40 }, () => putOld()));
    const folders = [...new Set([blobKey, ...orphans].map((key) => key.slice(0, 2)))];
    const sweep = async () => {
      for (const folder of folders) await compareFolder(ctx, folder, old);
    };
    expect(await reported(() => Promise.all([sweep(), sweep()]))).toEqual([]);
    for (const key of orphans) expect(await app.blobs.stat(key)).toBeNull();
    expect(await app.blobs.has(blobKey)).toBe(true);
  });
});

/** Bytes whose blob lies in this folder. */
async function bytesInFolder(folder: string): Promise<Buffer> {
  for (let n = 0; ; n += 1) {
    const bytes = Buffer.from(`bytes ${n}`);
    if (createHash('sha256').update(bytes).digest('hex').startsWith(folder)) return bytes;
  }
}
