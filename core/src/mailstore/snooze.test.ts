import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeStatus } from './change-status.ts';
import { listFolder } from './list-folder.ts';
import { listThreads } from './list-threads.ts';
import { verifyTotals } from './verify-totals.ts';
import { snooze, snoozeThreads, wakeSnoozed } from './snooze.ts';
import { receive } from './test-messages.ts';
import { readTotals } from './totals.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

async function setUp(messages = 1) {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const entryIds: string[] = [];
  const messageId = `<${crypto.randomUUID()}@sender.test>`;
  for (let index = 0; index < messages; index += 1) {
    const raw = index === 0 ? { messageId } : { inReplyTo: messageId };
    entryIds.push(...(await receive(ctx, [mailbox], raw)).entryIds);
  }
  const userId = String(mailbox.user.id);
  const folders = async () => {
    const entries = await MailboxEntry.findAll({ where: { userId }, order: [['id', 'ASC']] });
    return entries.map(({ folder }) => folder);
  };
  return { ctx, userId, entryIds, folders };
}

/** Puts so many copies of a snoozed entry beside it. */
async function addSnoozed(ctx: Ctx, { entryId, copies }: { entryId: string; copies: number }): Promise<void> {
  const columns = Object.keys(await ctx.app.db.getQueryInterface().describeTable('mailbox_entries'));
  const names = columns.filter((name) => name !== 'id');
  await changeRows(
    ctx,
    `INSERT INTO mailbox_entries (${names.join(', ')})
     SELECT ${names.map((name) => (name === 'uid' ? 'uid + seq' : name)).join(', ')}
       FROM mailbox_entries JOIN seq_1_to_${copies} WHERE id = ?`,
    [entryId],
  );
  await changeRows(
    ctx,
    `INSERT INTO snoozes (entry_id, user_id, until_at)
     SELECT e.id, e.user_id, s.until_at FROM mailbox_entries e
       JOIN mailbox_entries first ON first.message_id = e.message_id AND first.id <> e.id
       JOIN snoozes s ON s.entry_id = first.id WHERE first.id = ?`,
    [entryId],
  );
}

describe('snooze', () => {
  it('takes a message out of the inbox and says until when', async () => {
    const { ctx, userId, entryIds, folders } = await setUp();
    const until = inHours(2);
    expect(await snooze(ctx, { userId, entryIds, until })).toEqual([{ id: entryIds[0], before: null }]);
    expect(await folders()).toEqual(['snoozed']);
    expect(await readTotals(ctx, userId)).toMatchObject({ inbox: { total: 0 }, snoozed: { total: 1, unread: 1 } });
    const { rows } = await listFolder(ctx, { userId, filter: 'snoozed_status', page: 1, limit: 10 });
    expect(rows.map(({ snoozedUntil }) => snoozedUntil)).toEqual([until]);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('puts it back where it was', async () => {
    const { ctx, userId, entryIds, folders } = await setUp();
    const before = await MailboxEntry.findByPk(entryIds[0]);
    const until = inHours(2);
    await snooze(ctx, { userId, entryIds, until });
    expect(await snooze(ctx, { userId, entryIds, until: null })).toEqual([{ id: entryIds[0], before: until }]);
    expect(await folders()).toEqual(['inbox']);
    expect((await MailboxEntry.findByPk(entryIds[0]))?.arrivedAt).toEqual(before?.arrivedAt);
    expect(await readRows(ctx, 'SELECT 1 FROM snoozes WHERE user_id = ?', [userId])).toEqual([]);
    expect(await snooze(ctx, { userId, entryIds, until: null })).toEqual([]);
  });

  it('gives a snoozed message another time', async () => {
    const { ctx, userId, entryIds, folders } = await setUp();
    const [first, second] = [inHours(2), inHours(5)];
    await snooze(ctx, { userId, entryIds, until: first });
    expect(await snooze(ctx, { userId, entryIds, until: second })).toEqual([{ id: entryIds[0], before: first }]);
    await wakeSnoozed(ctx, undefined, inHours(3));
    expect(await folders()).toEqual(['snoozed']);
  });

  it('changes nothing when one of the messages belongs to another person or is archived', async () => {
    const { ctx, userId, entryIds, folders } = await setUp(2);
    const stranger = await setUp();
    const until = inHours(1);
    const withOther = snooze(ctx, { userId, entryIds: [...entryIds, ...stranger.entryIds], until });
    await expect(withOther).rejects.toMatchObject({ status: 404 });
    await changeStatus(ctx, { userId, entryIds: entryIds.slice(1), flags: { archiveStatus: true } });
    await expect(snooze(ctx, { userId, entryIds, until })).rejects.toMatchObject({ code: 'not_in_inbox' });
    expect(await folders()).toEqual(['inbox', 'archive']);
  });

  it('takes a whole conversation, up to the message that is named', async () => {
    const { ctx, userId, entryIds, folders } = await setUp(4);
    const until = inHours(1);
    const named = { userId, entryIds: [entryIds[2] ?? ''], until };
    const { touched, isLeft } = await snoozeThreads(ctx, named);
    expect(touched.map(({ id }) => id)).toEqual(entryIds.slice(0, 3));
    expect(isLeft).toBe(false);
    expect(await folders()).toEqual(['snoozed', 'snoozed', 'snoozed', 'inbox']);
    const { rows } = await listThreads(ctx, { userId, filter: 'snoozed_status', page: 1, limit: 10 });
    expect(rows.map(({ thread }) => thread.total)).toEqual([3]);
    expect((await snoozeThreads(ctx, named)).touched).toEqual([]);
    expect((await snoozeThreads(ctx, { ...named, until: null })).touched).toHaveLength(3);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });
});

describe('wakeSnoozed', () => {
  it('puts the message unread at the top of the inbox and remembers when it first came', async () => {
    const { ctx, userId, entryIds } = await setUp();
    await changeStatus(ctx, { userId, entryIds, flags: { readStatus: true, starStatus: true } });
    const before = await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true });
    await snooze(ctx, { userId, entryIds, until: inHours(1) });
    const now = inHours(2);
    await wakeSnoozed(ctx, undefined, now);
    expect(await MailboxEntry.findByPk(entryIds[0])).toMatchObject({
      folder: 'inbox',
      snoozedStatus: false,
      readStatus: false,
      starStatus: true,
      arrivedAt: now,
      firstArrivedAt: before.arrivedAt,
    });
    expect(await readTotals(ctx, userId)).toMatchObject({ inbox: { total: 1, unread: 1 }, snoozed: { total: 0 } });
    expect(await verifyTotals(ctx, userId)).toBe(true);
    await snooze(ctx, { userId, entryIds, until: inHours(3) });
    await wakeSnoozed(ctx, undefined, inHours(4));
    expect((await MailboxEntry.findByPk(entryIds[0]))?.firstArrivedAt).toEqual(before.arrivedAt);
  });

  it('marks only the newest of a conversation as unread', async () => {
    const { ctx, userId, entryIds } = await setUp(3);
    await changeStatus(ctx, { userId, entryIds, flags: { readStatus: true } });
    await snooze(ctx, { userId, entryIds, until: inHours(1) });
    await wakeSnoozed(ctx, undefined, inHours(2));
    const entries = await MailboxEntry.findAll({ where: { userId }, order: [['id', 'ASC']] });
    expect(entries.map(({ readStatus }) => readStatus)).toEqual([true, true, false]);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('leaves a message where its owner has put it meanwhile', async () => {
    const { ctx, userId, entryIds, folders } = await setUp(2);
    await snooze(ctx, { userId, entryIds, until: inHours(1) });
    await changeStatus(ctx, { userId, entryIds: entryIds.slice(0, 1), flags: { archiveStatus: true } });
    await changeStatus(ctx, { userId, entryIds: entryIds.slice(1), flags: { deleteStatus: true } });
    await wakeSnoozed(ctx, undefined, inHours(2));
    expect(await folders()).toEqual(['archive', 'gone']);
    await changeStatus(ctx, { userId, entryIds: entryIds.slice(0, 1), flags: { archiveStatus: false } });
    expect(await folders()).toEqual(['inbox', 'gone']);
    expect(await readRows(ctx, 'SELECT 1 FROM snoozes WHERE user_id = ?', [userId])).toEqual([]);
  });

  it('wakes the message of a person before all of another one with very many', async () => {
    const { ctx, userId, entryIds } = await setUp();
    const until = inHours(1);
    await snooze(ctx, { userId, entryIds, until });
    const { messageId } = await MailboxEntry.findByPk(entryIds[0] ?? '', { rejectOnEmpty: true });
    await addSnoozed(ctx, { entryId: entryIds[0] ?? '', copies: 1100 });
    const other = await setUp();
    await snooze(ctx, { userId: other.userId, entryIds: other.entryIds, until });
    expect(await wakeSnoozed(ctx, undefined, inHours(2))).toBe(1102);
    const woken = await MailboxEntry.findAll({ where: { messageId }, order: [['updatedAt', 'ASC']] });
    expect(new Set(woken.map(({ folder }) => folder))).toEqual(new Set(['inbox']));
    const ofOther = await MailboxEntry.findByPk(other.entryIds[0] ?? '', { rejectOnEmpty: true });
    expect(ofOther.folder).toBe('inbox');
    expect(ofOther.updatedAt.getTime()).toBeLessThan(woken.at(-1)?.updatedAt.getTime() ?? 0);
  });

  it('wakes each message once when several workers do it', async () => {
    const { ctx, userId, entryIds } = await setUp(3);
    await snooze(ctx, { userId, entryIds, until: inHours(1) });
    await Promise.all([1, 2, 3].map(() => wakeSnoozed(ctx, undefined, inHours(2))));
    expect(await readTotals(ctx, userId)).toMatchObject({ inbox: { total: 3 }, snoozed: { total: 0 } });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });
});
