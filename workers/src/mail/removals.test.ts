import { systemContext } from '@selvage/core/context/context';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import type { Processor } from '@selvage/core/jobs/processor';
import { receive } from '@selvage/core/mailstore/test-messages';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { User } from '@selvage/core/models/user';
import { expect, it, onTestFinished } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { eraseUserFor } from '../directory/erase-user.ts';
import { emptyDeletedFolderFor } from './empty-deleted-folder.ts';
import { removeLabelFor } from './remove-label.ts';

/** The process does not end. */
const running = new AbortController().signal;

type Job = Parameters<Processor['run']>[1];

const jobOf = (payload: object): Job => ({ id: '1', data: { payload, causeId: null } }) as unknown as Job;

/** A person with a message. */
async function setUp() {
  const app = await testApp();
  const ctx = systemContext(app);
  const owner = await buildMailbox(app);
  const [entryId = ''] = (await receive(ctx, [owner])).entryIds;
  const idOf = async (table: string): Promise<string> => {
    const sql = `SELECT MAX(id) AS id FROM ${table} WHERE user_id = ?`;
    const [row] = await readRows<{ id: string }>(ctx, sql, [owner.user.id]);
    return String(row?.id);
  };
  return { app, ctx, owner, entryId, idOf };
}

it('asks for the rest of a label when the time of a run is over, and for nothing when it is gone', async () => {
  const { app, ctx, owner, entryId, idOf } = await setUp();
  await changeRows(
    ctx,
    `INSERT INTO labels (company_id, user_id, name, colour, total, unread, removed_at, created_at, updated_at)
     VALUES (?, ?, 'Bills', 'red', 1, 1, NOW(3), NOW(3), NOW(3))`,
    [owner.company.id, owner.user.id],
  );
  const labelId = await idOf('labels');
  await changeRows(
    ctx,
    'INSERT INTO entry_labels (label_id, entry_id, is_shown, arrived_at) SELECT ?, id, 1, arrived_at FROM mailbox_entries WHERE id = ?',
    [labelId, entryId],
  );
  const asked = () => OutboxRow.count({ where: { dedupeId: `label-${labelId}` } });
  const isThere = async () => (await readRows(ctx, 'SELECT 1 FROM labels WHERE id = ?', [labelId])).length > 0;
  const { run } = removeLabelFor(0);
  await run(app, jobOf({ labelId }), running);
  expect([await isThere(), await asked()]).toEqual([true, 1]);
  await run(app, jobOf({ labelId }), running);
  expect([await isThere(), await asked()]).toEqual([false, 1]);
});

it('asks for the rest of a folder when the time of a run is over, and for nothing when it is empty', async () => {
  const { app, ctx, owner, entryId, idOf } = await setUp();
  await changeRows(
    ctx,
    `INSERT INTO folders (company_id, user_id, name, uid_validity, uid_next, total, unread, removed_at)
     VALUES (?, ?, 'Looms', 1, 2, 1, 1, NOW(3))`,
    [owner.company.id, owner.user.id],
  );
  const folderId = await idOf('folders');
  await changeRows(
    ctx,
    `UPDATE mailbox_entries SET folder = 'own', folder_id = ?, own_folder_id = ?, uid = 1 WHERE id = ?`,
    [folderId, folderId, entryId],
  );
  const asked = () => OutboxRow.count({ where: { dedupeId: `folder-${folderId}` } });
  const isThere = async () => (await readRows(ctx, 'SELECT 1 FROM folders WHERE id = ?', [folderId])).length > 0;
  const { run } = emptyDeletedFolderFor(0);
  await run(app, jobOf({ folderId }), running);
  expect([await isThere(), await asked()]).toEqual([true, 1]);
  await run(app, jobOf({ folderId }), running);
  expect([await isThere(), await asked()]).toEqual([false, 1]);
});

it('forgets the UIDs that left a folder in slices, before its row would take all of them with it', async () => {
  const { app, ctx, owner, idOf } = await setUp();
  await changeRows(
    ctx,
    `INSERT INTO folders (company_id, user_id, name, uid_validity, uid_next, highest_modseq, removed_at)
     VALUES (?, ?, 'Looms', 1, 3001, 3001, NOW(3))`,
    [owner.company.id, owner.user.id],
  );
  const folderId = await idOf('folders');
  const left = 'INSERT INTO expunged_entries (folder_id, modseq, uid) SELECT ?, seq, seq FROM seq_1_to_2500';
  await changeRows(ctx, left, [folderId]);
  await app.db.query(
    `CREATE TRIGGER whole_folders BEFORE DELETE ON folders FOR EACH ROW
      IF EXISTS (SELECT 1 FROM expunged_entries WHERE folder_id = OLD.id)
      THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too much at once'; END IF`,
  );
  onTestFinished(async () => void (await app.db.query('DROP TRIGGER whole_folders')));
  const uids = async () =>
    (await readRows(ctx, 'SELECT 1 FROM expunged_entries WHERE folder_id = ?', [folderId])).length;
  const isThere = async () => (await readRows(ctx, 'SELECT 1 FROM folders WHERE id = ?', [folderId])).length > 0;
  const { run } = emptyDeletedFolderFor(0);
  await run(app, jobOf({ folderId }), running);
  expect([await isThere(), await uids()]).toEqual([true, 1500]);
  await run(app, jobOf({ folderId }), running);
  await run(app, jobOf({ folderId }), running);
  expect([await isThere(), await uids()]).toEqual([false, 0]);
});

it('asks for the rest of a person when the time of a run is over, until nothing is left', async () => {
  const { app, owner } = await setUp();
  const userId = String(owner.user.id);
  await owner.user.update({ deletedAt: new Date(), erasedAt: new Date() });
  const asked = () => OutboxRow.count({ where: { dedupeId: `erase-user-${userId}` } });
  const isThere = async () => (await User.count({ where: { id: userId } })) > 0;
  const { run } = eraseUserFor(0);
  await run(app, jobOf({ userId }), running);
  expect([await isThere(), await asked()]).toEqual([true, 1]);
  await until('the person is gone', async () => {
    await run(app, jobOf({ userId }), running);
    return !(await isThere());
  });
  const requests = await asked();
  await run(app, jobOf({ userId }), running);
  expect(await asked()).toBe(requests);
});
