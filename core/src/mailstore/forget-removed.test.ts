import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { ExpungedEntry } from '../models/expunged-entry.ts';
import { Folder } from '../models/folder.ts';
import { changeStatus } from './change-status.ts';
import { forgetRemoved } from './forget-removed.ts';
import { readChanges } from './read-changes.ts';
import { receive } from './test-messages.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);
let ctx: Ctx;

beforeAll(async () => {
  ctx = systemContext(await startTestApp(await testEnvironment({ LOG_LEVEL: 'silent' })));
}, 60_000);

/** A folder that entries left so many days ago, one after the other. */
async function setUp(daysAgo: number[]) {
  const mailbox = await buildMailbox(ctx.app);
  const userId = String(mailbox.user.id);
  let folderId = '';
  const modseqs: string[] = [];
  for (const [index, days] of daysAgo.entries()) {
    const { entryIds } = await receive(ctx, [mailbox]);
    folderId = String((await Folder.findOne({ where: { userId, role: 'inbox' }, rejectOnEmpty: true })).id);
    await changeStatus(ctx, { userId, entryIds, flags: { archiveStatus: true } });
    const statement = 'UPDATE expunged_entries SET created_at = ? WHERE folder_id = ? AND uid = ?';
    await changeRows(ctx, statement, [ago(days), folderId, index + 1]);
    modseqs.push((await readChanges(ctx, { userId, folderId, since: '0' })).highestModseq);
  }
  const uids = async () =>
    (await ExpungedEntry.findAll({ where: { folderId }, order: [['uid', 'ASC']] })).map(({ uid }) => uid);
  const since = async (modseq: string) => await readChanges(ctx, { userId, folderId, since: modseq });
  return { folderId, modseqs, uids, since };
}

describe('UIDs that left a folder', () => {
  it('are forgotten when they are old, and a reader that missed them is told to compare', async () => {
    const { modseqs, uids, since } = await setUp([103, 102, 3]);
    expect(await since(modseqs[0] ?? '')).toMatchObject({ vanished: [2, 3], isForgotten: false });
    expect(await forgetRemoved(ctx, { before: ago(100) })).toBe(2);
    expect(await uids()).toEqual([3]);
    expect(await since(modseqs[0] ?? '')).toMatchObject({ vanished: [3], isForgotten: true });
    expect(await since(modseqs[1] ?? '')).toMatchObject({ vanished: [3], isForgotten: false });
    // A reader that begins knows no UID that could have left
    expect((await since('0')).isForgotten).toBe(false);
  });

  it('are kept when no folder has an old one', async () => {
    const { uids } = await setUp([99, 1]);
    expect(await forgetRemoved(ctx, { before: ago(100) })).toBe(0);
    expect(await uids()).toEqual([1, 2]);
  });

  it('are forgotten in the folders behind one that can’t be changed', async () => {
    const [bad, behind] = [await setUp([103]), await setUp([102])];
    await ctx.app.db.query(
      `CREATE TRIGGER refused_folder BEFORE UPDATE ON folders FOR EACH ROW
        IF NEW.id = ${bad.folderId} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a bad row'; END IF`,
    );
    onTestFinished(async () => void (await ctx.app.db.query('DROP TRIGGER refused_folder')));
    expect(await forgetRemoved(ctx, { before: ago(100) })).toBe(1);
    expect([await bad.uids(), await behind.uids()]).toEqual([[1], []]);
  });

  it('are forgotten a week at a time, so that a wrong clock costs little', async () => {
    const { uids } = await setUp([300, 296, 290]);
    expect(await forgetRemoved(ctx, { before: ago(100) })).toBe(2);
    expect(await uids()).toEqual([3]);
    expect(await forgetRemoved(ctx, { before: ago(100) })).toBe(1);
  });

  it('are found by an index', async () => {
    await setUp([200]);
    const { ctx: explained, plans } = explaining(ctx.app);
    expect(await forgetRemoved(explained, { before: ago(100) })).toBe(1);
    const [reading] = plans.find(([step]) => step?.table === 'expunged_entries') ?? [];
    expect(reading).toMatchObject({ type: 'range', key: 'expunged_age' });
  });
});
