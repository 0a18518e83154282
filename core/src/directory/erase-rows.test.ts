import { expect, it, onTestFinished } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Draft } from '../models/draft.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { User } from '../models/user.ts';
import { eraseUserRows } from './erase-rows.ts';

it('the erasure of a person neither reads nor waits for the mail of others', { timeout: 60_000 }, async () => {
  // A database of its own: a plan depends on whose mail there is
  const app = await startTestApp(await testEnvironment());
  const ctx = systemContext(app);
  const [other, ana] = [await buildMailbox(app), await buildMailbox(app)];
  const { entryIds, messageId } = await receive(ctx, [other, ana]);
  const userId = String(ana.user.id);
  const copies = `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, delete_status,
       thread_key, arrived_at, created_at, updated_at)
     SELECT company_id, user_id, message_id, folder, folder_id, uid + seq, delete_status,
       thread_key, arrived_at, created_at, updated_at
       FROM mailbox_entries JOIN seq_1_to_3000 WHERE message_id = ? AND user_id = ?`;
  for (const { user } of [other, ana]) await changeRows(ctx, copies, [messageId, String(user.id)]);
  const draftsOf = ({ company, user }: Mailbox, count: number) =>
    Array.from({ length: count }, () => {
      const owner = { companyId: String(company.id), userId: String(user.id) };
      return { ...owner, toList: [], ccList: [], bccList: [], subject: 'Begun' };
    });
  const [draft] = await Draft.bulkCreate(draftsOf(other, 300));
  await Draft.bulkCreate(draftsOf(ana, 300));
  await changeRows(ctx, 'ANALYZE TABLE mailbox_entries, drafts', []);
  await User.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: userId } });
  const held = await app.db.transaction();
  try {
    await MailboxEntry.findByPk(entryIds[0], { transaction: held, lock: held.LOCK.UPDATE });
    await Draft.findByPk(draft?.id, { transaction: held, lock: held.LOCK.UPDATE });
    expect(await eraseUserRows(ctx, userId)).toBe(true);
  } finally {
    await held.rollback();
  }
  expect(await MailboxEntry.count({ where: { userId } })).toBe(0);
  expect(await MailboxEntry.count({ where: { userId: String(other.user.id) } })).toBe(3001);
});

it('the row of a person is deleted after the UIDs that left their folders, so that it takes none with it', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const { user } = mailbox;
  const userId = String(user.id);
  await receive(ctx, [mailbox]);
  const left =
    'INSERT INTO expunged_entries (folder_id, modseq, uid) SELECT id, seq, seq FROM folders JOIN seq_1_to_2500';
  await changeRows(ctx, `${left} WHERE user_id = ? AND role = 'inbox'`, [userId]);
  const counted = `SELECT COUNT(*) AS count FROM expunged_entries JOIN folders ON folders.id = folder_id WHERE user_id`;
  const [before] = await readRows<{ count: number | string }>(ctx, `${counted} = ?`, [userId]);
  expect(Number(before?.count)).toBe(2500);
  await app.db.query(
    `CREATE TRIGGER whole_people BEFORE DELETE ON users FOR EACH ROW
      IF (${counted} = OLD.id) > 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'too much at once'; END IF`,
  );
  onTestFinished(async () => void (await app.db.query('DROP TRIGGER whole_people')));
  await user.update({ deletedAt: new Date(), erasedAt: new Date() });
  expect(await eraseUserRows(ctx, userId)).toBe(true);
  expect(await User.count({ where: { id: userId } })).toBe(0);
});
