import { expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
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
