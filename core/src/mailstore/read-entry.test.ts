import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { changeStatus } from './change-status.ts';
import { blobOf, findAttachment } from './find-entry.ts';
import { readEntry } from './read-entry.ts';
import { receive } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  const mailbox = await buildMailbox(app);
  return { app, ctx: systemContext(app), mailbox, userId: String(mailbox.user.id) };
}

describe('readEntry', () => {
  it('reads the message, its files and its text', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const { entryIds } = await receive(ctx, [mailbox], { body: 'Dear Ana' });
    const read = await readEntry(ctx, { userId, entryId: entryIds[0] ?? '' });
    expect(read.message.subject).toBe('Hello');
    expect(read.deliveries).toEqual([]);
    expect(read.attachments.map(({ filename }) => filename)).toEqual(['rows.csv']);
    expect((await ctx.app.content.show(blobOf(read.message), 'ana')).html).toContain('Dear Ana');
    const file = await findAttachment(ctx, { userId, entryId: entryIds[0] ?? '', index: 0 });
    expect(file?.meta).toMatchObject({ filename: 'rows.csv', contentType: 'text/csv', size: 8 });
    expect(String(file?.content)).toBe('a,b\n1,2\n');
  });

  it('answers not found for the entry of another person, a deleted one, and a file that is not there', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const { entryIds } = await receive(ctx, [mailbox]);
    const entryId = entryIds[0] ?? '';
    const stranger = await setUp();
    const missing = { status: 404 };
    await expect(readEntry(ctx, { userId: stranger.userId, entryId })).rejects.toMatchObject(missing);
    expect(await findAttachment(ctx, { userId, entryId, index: 1 })).toBeNull();
    expect(await findAttachment(ctx, { userId: stranger.userId, entryId, index: 0 })).toBeNull();
    await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } });
    await expect(readEntry(ctx, { userId, entryId })).rejects.toMatchObject(missing);
  });

  it("shows the rest of the conversation from the reader's own mailbox, oldest first, without the trash", async () => {
    const { ctx, app, mailbox, userId } = await setUp();
    const other = await buildMailbox(app);
    const root = `<root-${userId}@sender.test>`;
    const reply = { references: root, inReplyTo: root };
    const first = await receive(ctx, [mailbox], { messageId: root, subject: 'first' });
    await receive(ctx, [mailbox], { ...reply, subject: 'second' });
    const trashed = await receive(ctx, [mailbox], { ...reply, subject: 'trashed' });
    await receive(ctx, [other], { ...reply, subject: 'of somebody else' });
    const last = await receive(ctx, [mailbox], { inReplyTo: root, subject: 'last' });
    await receive(ctx, [mailbox], { subject: 'unrelated' });
    await changeStatus(ctx, { userId, entryIds: trashed.entryIds, flags: { trashStatus: true } });
    const subjectsFrom = async (entryId = '') =>
      (await readEntry(ctx, { userId, entryId })).conversation.map(({ message }) => message.subject);
    expect(await subjectsFrom(first.entryIds[0])).toEqual(['second', 'last']);
    expect(await subjectsFrom(last.entryIds[0])).toEqual(['first', 'second']);
  });
});
