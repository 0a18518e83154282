import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { changeStatus } from './change-status.ts';
import { listFolder } from './list-folder.ts';
import { changeFolders } from './change-folders.ts';
import { receive } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  return { ctx, mailbox, userId: String(mailbox.user.id), companyId: String(mailbox.company.id) };
}

/** An inbox of 2,750 entries, many of which came at the same moment. */
async function setUpLong() {
  const { ctx, mailbox, userId, companyId } = await setUp();
  const { entryIds } = await receive(ctx, [mailbox]);
  const first = await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true });
  const { messageId, threadKey } = first;
  // Ties in time are what a page border must survive
  const moments = [1, 2, 3].map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
  const arrived = { companyId, userId, folder: 'inbox', total: 2749, unread: 2749, arrivals: 2749 } as const;
  const folders = await inTransaction(ctx, (tx) => changeFolders(tx, [arrived]));
  await MailboxEntry.bulkCreate(
    Array.from({ length: 2749 }, (_, index) => ({
      companyId,
      userId,
      messageId,
      threadKey,
      folder: 'inbox' as const,
      ...folders.place(userId, 'inbox'),
      receivedStatus: true,
      bccList: null,
      arrivedAt: moments[index % 3] ?? new Date(),
    })),
  );
  return { ctx, mailbox, userId };
}

/** The ids of an inbox, sorted by this test. */
async function idsInOrder(userId: string): Promise<string[]> {
  const entries = await MailboxEntry.findAll({ where: { userId, folder: 'inbox' }, raw: true });
  return entries
    .sort((a, b) => b.arrivedAt.getTime() - a.arrivedAt.getTime() || Number(b.id) - Number(a.id))
    .map(({ id }) => String(id));
}

/** How many index records this transaction's connection has stepped over so far. */
async function recordsSkipped(ctx: TxCtx): Promise<number> {
  const rows = await readRows<{ Variable_name: string; Value: string }>(
    ctx,
    "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_next', 'Handler_read_prev')",
    [],
  );
  return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
}

async function listIds(...request: Parameters<typeof listFolder>) {
  const { rows, total } = await listFolder(...request);
  return { ids: rows.map(({ entry }) => String(entry.id)), total };
}

describe('listFolder', () => {
  it('gives the newest first, page by page, with the messages', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const ids: string[] = [];
    for (const subject of ['one', 'two', 'three']) {
      ids.unshift(...(await receive(ctx, [mailbox], { subject })).entryIds);
    }
    expect(await listIds(ctx, { userId, page: 1, limit: 2 })).toEqual({ ids: ids.slice(0, 2), total: 3 });
    expect(await listIds(ctx, { userId, page: 2, limit: 2 })).toEqual({ ids: ids.slice(2), total: 3 });
    expect(await listIds(ctx, { userId, page: 3, limit: 2 })).toEqual({ ids: [], total: 3 });
    expect(await listIds(ctx, { userId, page: 1_000_000_000, limit: 100 })).toEqual({ ids: [], total: 3 });
    const { rows } = await listFolder(ctx, { userId, page: 1, limit: 3 });
    expect(rows.map(({ message }) => message.subject)).toEqual(['three', 'two', 'one']);
  });

  it('shows no person the mail of another', async () => {
    const { ctx, mailbox } = await setUp();
    await receive(ctx, [mailbox]);
    const stranger = await setUp();
    expect(await listIds(ctx, { userId: stranger.userId, page: 1, limit: 10 })).toEqual({ ids: [], total: 0 });
  });

  it('keeps each folder apart, and shows starred entries of all but the trash', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const made: string[] = [];
    for (let index = 0; index < 4; index += 1) made.push(...(await receive(ctx, [mailbox])).entryIds);
    const [plain, archived, trashed, gone] = made as [string, string, string, string];
    await changeStatus(ctx, { userId, entryIds: made, flags: { starStatus: true } });
    await changeStatus(ctx, { userId, entryIds: [archived], flags: { archiveStatus: true } });
    await changeStatus(ctx, { userId, entryIds: [trashed], flags: { trashStatus: true } });
    await changeStatus(ctx, { userId, entryIds: [gone], flags: { deleteStatus: true } });
    const request = { userId, page: 1, limit: 10 };
    expect(await listIds(ctx, request)).toEqual({ ids: [plain], total: 1 });
    expect(await listIds(ctx, { ...request, filter: 'archive_status' })).toEqual({ ids: [archived], total: 1 });
    expect(await listIds(ctx, { ...request, filter: 'trash_status' })).toEqual({ ids: [trashed], total: 1 });
    expect(await listIds(ctx, { ...request, filter: 'send_status' })).toEqual({ ids: [], total: 0 });
    expect(await listIds(ctx, { ...request, filter: 'star_status' })).toEqual({ ids: [archived, plain], total: 2 });
  });

  it('gives every entry of a long folder on exactly one page, from whichever end it is read', async () => {
    const { ctx, userId } = await setUpLong();
    const seen: string[] = [];
    for (let page = 1; page <= 29; page += 1) {
      const { ids, total } = await listIds(ctx, { userId, page, limit: 100 });
      expect(total).toBe(2750);
      seen.push(...ids);
    }
    expect(seen).toEqual(await idsInOrder(userId));
  });

  it('skips no more than a page to go on from a page far down', async () => {
    const { ctx, userId } = await setUpLong();
    await inTransaction(ctx, async (tx) => {
      const skipped = async (page: number) => {
        const before = await recordsSkipped(tx);
        await listFolder(tx, { userId, page, limit: 50 });
        return (await recordsSkipped(tx)) - before;
      };
      expect(await skipped(27)).toBeGreaterThan(1000);
      expect(await skipped(27)).toBeLessThan(200);
      // Over the middle of the folder, and back
      expect(await skipped(28)).toBeLessThan(200);
      expect(await skipped(29)).toBeLessThan(200);
      expect(await skipped(28)).toBeLessThan(200);
      expect(await skipped(26)).toBeLessThan(200);
    });
  });

  it('shows what a page far down has now, whatever came or went before it', async () => {
    const { ctx, mailbox, userId } = await setUpLong();
    const check = async () => {
      const order = await idsInOrder(userId);
      for (const page of [26, 12, 25, 13, 14, 12, 28]) {
        const { ids } = await listIds(ctx, { userId, page, limit: 100 });
        expect(ids).toEqual(order.slice((page - 1) * 100, page * 100));
      }
    };
    await check();
    const { entryIds } = await receive(ctx, [mailbox]);
    await check();
    await changeStatus(ctx, { userId, entryIds, flags: { archiveStatus: true } });
    await check();
    const oldest = (await idsInOrder(userId)).slice(-40);
    await changeStatus(ctx, { userId, entryIds: oldest, flags: { trashStatus: true } });
    await check();
    // The number of entries is that of before
    await changeStatus(ctx, { userId, entryIds: oldest, flags: { trashStatus: false } });
    const newest = (await idsInOrder(userId)).slice(0, 40);
    await changeStatus(ctx, { userId, entryIds: newest, flags: { trashStatus: true } });
    await check();
  });
});
