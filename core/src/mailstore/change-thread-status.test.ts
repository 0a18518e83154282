import { expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { queriesOf } from '../../../tests/support/queries-of.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeStatus } from './change-status.ts';
import { changeThreadStatus, entriesOfThreads } from './change-thread-status.ts';
import { receive } from './test-messages.ts';

/** Puts so many copies of an entry after it into its folder, each a second later. */
async function repeat(ctx: Ctx, entryId: string, times: number): Promise<void> {
  const columns = Object.keys(await ctx.app.db.getQueryInterface().describeTable('mailbox_entries'));
  const names = columns.filter((name) => name !== 'id');
  const changed: Record<string, string> = { uid: 'uid * 10000 + seq', arrived_at: 'arrived_at + INTERVAL seq SECOND' };
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

it('looks into a conversation once, however many of its messages are named', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const [first = ''] = (await receive(ctx, [mailbox])).entryIds;
  await repeat(ctx, first, 200);
  const entries = await MailboxEntry.findAll({ where: { userId }, order: [['id', 'DESC']] });
  const [, newest, ...older] = entries.map(({ id }) => id);
  const change = { userId, entryIds: [...older, newest ?? ''], flags: { readStatus: true } };
  const looks = (await queriesOf(app, () => changeThreadStatus(ctx, change))).join(' ').match(/entries_conversation/g);
  expect(looks).toHaveLength(1);
  expect(await MailboxEntry.findAll({ where: { userId, readStatus: false } })).toMatchObject([{ id: entries[0]?.id }]);
});

it('finds as many as one call changes among many long conversations', async () => {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const entryIds: string[] = [];
  for (let thread = 0; thread < 27; thread += 1) {
    const [first = ''] = (await receive(ctx, [mailbox])).entryIds;
    await repeat(ctx, first, 5001);
    entryIds.push(String(await MailboxEntry.max<string, MailboxEntry>('id', { where: { userId } })));
  }
  const { found, isLeft } = await entriesOfThreads(ctx, { userId, entryIds, condition: 'read_status = 0' });
  expect([found.length, isLeft]).toEqual([5000, true]);
});
