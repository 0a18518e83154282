import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { mostFiles } from '../mail/parsed-message.ts';
import { Message } from '../models/message.ts';
import { changeStatus } from './change-status.ts';
import { addSentEntries } from './entry-rows.ts';
import { blobOf, findAttachment } from './find-entry.ts';
import { readEntry } from './read-entry.ts';
import { receive } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  const mailbox = await buildMailbox(app);
  return { app, ctx: systemContext(app), mailbox, userId: String(mailbox.user.id) };
}

/** Gives messages with one file so many more, and so many recipients. */
async function fill(ctx: Ctx, messageIds: readonly string[], { files, people }: { files: number; people: number }) {
  await changeRows(
    ctx,
    `INSERT INTO attachments (message_id, part_index, filename, content_type, size)
     SELECT m.id, seq, CONCAT('file', seq), 'text/plain', 1 FROM messages m JOIN seq_1_to_${files} WHERE m.id IN (?)`,
    [messageIds],
  );
  const to = Array.from({ length: people }, (_, index) => `${'x'.repeat(200)} <person${index}@host.test>`);
  await changeRows(ctx, 'UPDATE messages SET to_list = ? WHERE id IN (?)', [JSON.stringify(to), messageIds]);
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

  it('shows a message that the reader has sent and got once, and names the other entry as its twin', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const references = `<twin-${userId}@sender.test>`;
    const first = await receive(ctx, [mailbox], { references });
    const got = await receive(ctx, [mailbox], { references, subject: 'to the group' });
    const message = (await Message.findByPk(got.messageId)) ?? expect.fail('the message is not stored');
    const companyId = String(mailbox.company.id);
    const copy = { message, userId, companyId, bccList: [], deliveryState: null, undoUntil: null };
    const [sentId = ''] = await inTransaction(ctx, (tx) => addSentEntries(tx, [copy]));
    const [gotId = ''] = got.entryIds;
    const idsFrom = async (entryId = '') => {
      const { conversation, twins } = await readEntry(ctx, { userId, entryId });
      return [conversation, twins].map((items) => items.map(({ entry }) => String(entry.id)));
    };
    const [firstId = ''] = first.entryIds;
    expect(await idsFrom(firstId)).toEqual([[gotId], [sentId]]);
    expect(await idsFrom(gotId)).toEqual([[firstId], [sentId]]);
    expect(await idsFrom(sentId)).toEqual([[firstId], [gotId]]);
  });

  it('has all files and recipients of the message, and the first of each other one', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const references = `<many-${userId}@sender.test>`;
    const stored = [];
    for (let index = 0; index < 28; index += 1) stored.push(await receive(ctx, [mailbox], { references }));
    const messageIds = stored.map(({ messageId }) => messageId);
    await fill(ctx, messageIds, { files: 24, people: 25 });
    const read = await readEntry(ctx, { userId, entryId: stored[0]?.entryIds[0] ?? '' });
    expect([read.attachments.length, read.message.toList.length]).toEqual([25, 25]);
    const files = read.conversation.map(({ attachments }) => attachments.length);
    expect(files).toEqual([0, 0, ...Array(25).fill(20)]);
    const { message, attachments } = read.conversation.at(-1) ?? expect.fail('there is no other message');
    expect(attachments.map(({ partIndex }) => partIndex)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(attachments[0]).toMatchObject({ filename: 'rows.csv', contentType: 'text/csv', size: 8, isInline: false });
    expect(message.toList).toEqual(read.message.toList.slice(0, 20));
    expect(message.ccList).toEqual(['dora@host.test']);
  });

  it('has no more files of the message than are stored of one', async () => {
    const { ctx, mailbox, userId } = await setUp();
    const { messageId, entryIds } = await receive(ctx, [mailbox]);
    await fill(ctx, [messageId], { files: mostFiles, people: 1 });
    const { attachments } = await readEntry(ctx, { userId, entryId: entryIds[0] ?? '' });
    expect([attachments.length, attachments.at(-1)?.partIndex]).toEqual([mostFiles, mostFiles - 1]);
  });
});
