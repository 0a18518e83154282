import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { OutboxRow } from '../models/outbox-row.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { changeStatus } from './change-status.ts';
import { verifyTotals } from './verify-totals.ts';
import { receive } from './test-messages.ts';
import { changeFolders } from './change-folders.ts';
import { readTotals } from './totals.ts';

async function setUp(messages = 1) {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const entryIds: string[] = [];
  for (let index = 0; index < messages; index += 1) entryIds.push(...(await receive(ctx, [mailbox])).entryIds);
  return { app, ctx, mailbox, entryIds, userId: String(mailbox.user.id), companyId: String(mailbox.company.id) };
}

describe('changeStatus', () => {
  it('sets several flags on several entries and moves the totals with them', async () => {
    const { ctx, entryIds, userId } = await setUp(3);
    const [one, two] = entryIds as [string, string];
    const flags = { readStatus: true, starStatus: true, archiveStatus: true };
    expect(await changeStatus(ctx, { userId, entryIds: [one, two, one], flags })).toEqual({ changed: 2 });
    expect(await MailboxEntry.findByPk(one)).toMatchObject({ ...flags, folder: 'archive', trashStatus: false });
    expect(await readTotals(ctx, userId)).toMatchObject({
      inbox: { total: 1, unread: 1 },
      archive: { total: 2, unread: 0 },
      starred: { total: 2, unread: 0 },
    });
    await changeStatus(ctx, { userId, entryIds: [one], flags: { trashStatus: true } });
    expect((await readTotals(ctx, userId)).starred.total).toBe(1);
    await changeStatus(ctx, { userId, entryIds: [one], flags: { trashStatus: false } });
    expect(await MailboxEntry.findByPk(one)).toMatchObject({ folder: 'archive' });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('changes nothing when one of the entries belongs to another person', async () => {
    const { ctx, entryIds, userId } = await setUp(2);
    const stranger = await setUp();
    const change = { userId, entryIds: [...entryIds, ...stranger.entryIds], flags: { trashStatus: true } };
    await expect(changeStatus(ctx, change)).rejects.toMatchObject({ status: 404 });
    expect(await MailboxEntry.count({ where: { id: change.entryIds, trashStatus: true } })).toBe(0);
    expect((await readTotals(ctx, userId)).inbox.total).toBe(2);
  });

  it('hides a deleted entry for good and has its message removed', async () => {
    const { ctx, entryIds, userId } = await setUp();
    const [entryId] = entryIds as [string];
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    const entry = await MailboxEntry.findByPk(entryId, { rejectOnEmpty: true });
    expect(entry.folder).toBe('gone');
    const jobs = await OutboxRow.findAll({ where: { jobName: 'mail.remove-message' } });
    expect(jobs.map(({ payload }) => payload)).toContainEqual({ messageId: entry.messageId });
    const back = changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: false } });
    await expect(back).rejects.toMatchObject({ status: 404 });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('keeps the totals right while mail arrives and several windows change the same entries', async () => {
    const { ctx, mailbox, entryIds, userId } = await setUp(20);
    const flips = Array.from({ length: 30 }, (_, turn) =>
      changeStatus(ctx, {
        userId,
        entryIds: turn % 2 ? entryIds : [...entryIds].reverse(),
        flags:
          [{ starStatus: turn % 4 < 2 }, { trashStatus: turn % 4 < 2 }, { readStatus: turn % 4 < 2 }][turn % 3] ?? {},
      }),
    );
    const arrivals = Array.from({ length: 10 }, () => receive(ctx, [mailbox]));
    await Promise.all([...flips, ...arrivals]);
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });
});

describe('a draft', () => {
  it('is not marked unread, since its folder counts none', async () => {
    const { ctx, entryIds, userId } = await setUp(2);
    await changeStatus(ctx, { userId, entryIds, flags: { readStatus: true } });
    await MailboxEntry.update({ draftStatus: true, receivedStatus: false }, { where: { id: entryIds[0] ?? '' } });
    const unread = changeStatus(ctx, { userId, entryIds, flags: { readStatus: false } });
    await expect(unread).rejects.toMatchObject({ status: 409, code: 'message_is_draft' });
  });
});

describe('the kept totals', () => {
  it('never fall below zero', async () => {
    const { ctx, userId, companyId } = await setUp(2);
    const less = { companyId, userId, folder: 'inbox', total: -9, unread: -9 } as const;
    await inTransaction(ctx, (tx) => changeFolders(tx, [less]));
    expect((await readTotals(ctx, userId)).inbox).toEqual({ total: 0, unread: 0 });
    expect(await verifyTotals(ctx, userId)).toBe(false);
  });
});
