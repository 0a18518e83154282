import { afterEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { changeStatus } from './change-status.ts';
import { changeThreads } from './change-threads.ts';
import { mendThreads, verifyThreads } from './check-threads.ts';
import { listThreads } from './list-threads.ts';
import { verifyTotals } from './verify-totals.ts';
import { receive } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const write = async (root: string, subject = root): Promise<string> => {
    const [id = ''] = (await receive(ctx, [mailbox], { references: `<${root}@x.test>`, subject })).entryIds;
    return id;
  };
  const list = async (filter: 'received_status' | 'archive_status' | 'trash_status' = 'received_status') => {
    const { rows, total } = await listThreads(ctx, { userId, filter, page: 1, limit: 50 });
    const shown = rows.map(({ entry, thread }) => [String(entry.id), thread.total, thread.unread, thread.starred]);
    return { shown, total };
  };
  const flag = (entryIds: string[], flags: Parameters<typeof changeStatus>[1]['flags']) =>
    changeStatus(ctx, { userId, entryIds, flags });
  return { ctx, mailbox, userId, write, list, flag };
}

let check: (() => Promise<boolean>) | null = null;
afterEach(async () => {
  expect(await check?.()).not.toBe(false);
  check = null;
});

describe('listThreads', () => {
  it('shows each conversation once, by its newest message, in the order of these', async () => {
    const { ctx, userId, write, list } = await setUp();
    check = () => verifyTotals(ctx, userId);
    await write('a');
    const b = await write('b');
    const a = await write('a');
    expect(await list()).toEqual({
      shown: [
        [a, 2, 2, 0],
        [b, 1, 1, 0],
      ],
      total: 2,
    });
  });

  it('names the latest writers, and the owner where they have written', async () => {
    const { ctx, userId, write } = await setUp();
    await write('a');
    await write('a');
    const { rows } = await listThreads(ctx, { userId, filter: 'received_status', page: 1, limit: 5 });
    expect(rows[0]?.thread.people).toEqual([{ name: 'Bea Sender', isOwner: false }]);
  });

  it('gives every conversation on one page alone', async () => {
    const { ctx, userId, write } = await setUp();
    check = () => verifyTotals(ctx, userId);
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift(await write(`t${index}`));
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { rows, total } = await listThreads(ctx, { userId, filter: 'received_status', page, limit: 3 });
      expect(total).toBe(7);
      seen.push(...rows.map(({ entry }) => String(entry.id)));
    }
    expect(seen).toEqual(ids);
  });
});

describe('the kept conversations', () => {
  it('follow the flags of their messages', async () => {
    const { ctx, userId, write, list, flag } = await setUp();
    check = () => verifyTotals(ctx, userId);
    const first = await write('a');
    const last = await write('a');
    await flag([first], { readStatus: true, starStatus: true });
    expect((await list()).shown).toEqual([[last, 2, 1, 1]]);
    await flag([first, last], { readStatus: false, starStatus: false });
    expect((await list()).shown).toEqual([[last, 2, 2, 0]]);
  });

  it('go on with the message before when the newest leaves, and end with the last', async () => {
    const { ctx, userId, write, list, flag } = await setUp();
    check = () => verifyTotals(ctx, userId);
    const ids = [await write('a'), await write('a'), await write('a')] as [string, string, string];
    await flag([ids[2]], { archiveStatus: true });
    expect(await list()).toEqual({ shown: [[ids[1], 2, 2, 0]], total: 1 });
    expect(await list('archive_status')).toEqual({ shown: [[ids[2], 1, 1, 0]], total: 1 });
    await flag([ids[0], ids[1]], { trashStatus: true });
    expect(await list()).toEqual({ shown: [], total: 0 });
    expect(await list('trash_status')).toEqual({ shown: [[ids[1], 2, 2, 0]], total: 1 });
    await flag([ids[0]], { deleteStatus: true });
    expect(await list('trash_status')).toEqual({ shown: [[ids[1], 1, 1, 0]], total: 1 });
    await flag([ids[1]], { trashStatus: false });
    await flag([ids[2]], { archiveStatus: false });
    expect(await list()).toEqual({ shown: [[ids[2], 2, 2, 0]], total: 1 });
  });

  it('stay true while mail arrives and several windows move the same messages', async () => {
    const { ctx, userId, write, flag } = await setUp();
    check = () => verifyTotals(ctx, userId);
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await write(`t${index % 3}`));
    const moves = Array.from({ length: 24 }, (_, turn) => {
      const flags = [{ archiveStatus: turn % 4 < 2 }, { trashStatus: turn % 4 < 2 }, { readStatus: turn % 4 < 2 }];
      return flag(turn % 2 ? ids.slice(turn % 5) : [...ids].reverse(), flags[turn % 3] ?? {});
    });
    await Promise.all([...moves, ...Array.from({ length: 12 }, (_, index) => write(`t${index % 5}`))]);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('are mended by the sweep when they are wrong', async () => {
    const { ctx, userId, write, list } = await setUp();
    const id = await write('a');
    await write('b');
    const where = 'WHERE folder_id IN (SELECT id FROM folders WHERE user_id = ?)';
    await changeRows(ctx, `UPDATE folder_threads SET total = 9 ${where} AND newest_id = ?`, [userId, id]);
    await changeRows(ctx, `DELETE FROM folder_threads ${where} AND newest_id <> ?`, [userId, id]);
    expect(await verifyThreads(ctx, userId)).toBe(false);
    const [folder] = await readRows<{ id: number }>(ctx, 'SELECT MIN(id) AS id FROM folders WHERE user_id = ?', [
      userId,
    ]);
    expect(await mendThreads(ctx, String(Number(folder?.id) - 1))).toBeGreaterThan(0);
    expect(await verifyThreads(ctx, userId)).toBe(true);
    expect((await list()).total).toBe(2);
  });
});

describe('changeThreads', () => {
  it('counts no conversation as new because another one keeps its row as it was', async () => {
    const { ctx, userId, write } = await setUp();
    const [, kept, grown] = [await write('a'), await write('a'), await write('b')];
    const [folder] = await readRows<{ id: string }>(
      ctx,
      "SELECT id FROM folders WHERE user_id = ? AND role = 'inbox'",
      [userId],
    );
    const threads = await readRows<{ entryId: string; threadKey: string; arrivedAt: Date }>(
      ctx,
      'SELECT id AS entryId, thread_key AS threadKey, arrived_at AS arrivedAt FROM mailbox_entries WHERE id IN (?)',
      [[kept, grown]],
    );
    const step = (entryId: string, total: -1 | 1) => {
      const { threadKey = '', arrivedAt = new Date() } = threads.find((one) => String(one.entryId) === entryId) ?? {};
      return { folderId: String(folder?.id), threadKey, entryId, arrivedAt, total, unread: 0, starred: 0 };
    };
    await inTransaction(ctx, (tx) => changeThreads(tx, [step(kept, 1), step(kept, -1), step(grown, 1)]));
    const [row] = await readRows<{ threads: number }>(ctx, 'SELECT threads FROM folders WHERE id = ?', [
      String(folder?.id),
    ]);
    expect(Number(row?.threads)).toBe(2);
  });
});
