import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeStatus } from './change-status.ts';
import { changeThreadStatus } from './change-thread-status.ts';
import { receive } from './test-messages.ts';

/** Puts so many copies of an entry behind it into its folder, each a second later. */
async function repeat(ctx: Ctx, entryId: string, times: number): Promise<void> {
  const columns = Object.keys(await ctx.app.db.getQueryInterface().describeTable('mailbox_entries'));
  const names = columns.filter((name) => name !== 'id');
  const changed: Record<string, string> = { uid: 'uid + seq', arrived_at: 'arrived_at + INTERVAL seq SECOND' };
  await changeRows(
    ctx,
    `INSERT INTO mailbox_entries (${names.join(', ')})
     SELECT ${names.map((name) => changed[name] ?? name).join(', ')} FROM mailbox_entries JOIN seq_1_to_${times}
      WHERE id = ?`,
    [entryId],
  );
}

it('deletes conversations of more messages than one call takes, though an older one is named too', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const [short = ''] = (await receive(ctx, [mailbox])).entryIds;
  const [long = ''] = (await receive(ctx, [mailbox])).entryIds;
  await changeStatus(ctx, { userId, entryIds: [short, long], flags: { trashStatus: true } });
  await repeat(ctx, long, 5100);
  const newest = await MailboxEntry.max<string, MailboxEntry>('id', { where: { userId } });
  const change = { userId, entryIds: [short, String(newest)], flags: { deleteStatus: true } };
  expect(await changeThreadStatus(ctx, change)).toMatchObject({ isLeft: true });
  expect(await changeThreadStatus(ctx, change)).toMatchObject({ isLeft: false });
  expect(await MailboxEntry.count({ where: { userId, deleteStatus: false } })).toBe(0);
});
