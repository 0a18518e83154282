import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { composeMessage } from '../mail/compose-message.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { Message } from '../models/message.ts';
import { removeMessageIfUnreferenced } from './remove-unreferenced.ts';
import { changeStatus } from './change-status.ts';
import { readSource } from './message-source.ts';
import { readPart, readStructure, type SectionBytes } from './read-structure.ts';
import { storeInbound } from './store-message.ts';
import { findStructure } from './structure-rows.ts';
import { inboundOf, rawMessage, receive } from './test-messages.ts';

async function setUp() {
  const app = await testApp();
  return { app, ctx: systemContext(app), mailbox: await buildMailbox(app) };
}

type Ctx = Awaited<ReturnType<typeof setUp>>['ctx'];

const messageOf = (id: string) => Message.findByPk(id, { rejectOnEmpty: true });
const forget = (ctx: Ctx, id: string) => changeRows(ctx, 'DELETE FROM message_structures WHERE message_id = ?', [id]);

/** The bytes of a part as text. */
async function contentOf(part: SectionBytes | null): Promise<string> {
  if (part === null) throw new Error('no such section');
  return await text(part.bytes);
}

async function partOf(ctx: Ctx, message: Message, section: string): Promise<string | null> {
  const part = await readPart(ctx, message, section);
  if (part === null) return null;
  const content = await contentOf(part);
  expect(Buffer.byteLength(content)).toBe(part.size);
  return content;
}

describe('the structure of a message', () => {
  it('is stored with it, each with its own when several are stored at once', async () => {
    const { ctx, mailbox } = await setUp();
    const subjects = Array.from({ length: 20 }, (_, index) => `number ${index}`);
    const stored = await Promise.all(subjects.map((subject) => receive(ctx, [mailbox], { subject })));
    const found = await Promise.all(stored.map(({ messageId }) => findStructure(ctx, messageId)));
    expect(found.map((structure) => structure?.root.envelope.subject)).toEqual(subjects);
    expect(found[0]?.root.parts?.map(({ type }) => type)).toEqual(['text/plain', 'text/csv']);
  });

  it('is stored with a message of a size for a thread', async () => {
    const { ctx, mailbox } = await setUp();
    const raw = rawMessage({ body: 'line\r\n'.repeat(30_000) });
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [mailbox]));
    expect((await findStructure(ctx, messageId))?.root).toMatchObject({
      end: raw.length,
      parts: [{ lines: 30_000 }, {}],
    });
  });

  it('is that of the bytes that are stored of a submitted message', async () => {
    const { ctx, mailbox } = await setUp();
    const [from, to] = [{ name: '', address: mailbox.user.email }, [{ name: '', address: 'far@remote.test' }]];
    const raw = await composeMessage({
      from,
      to,
      subject: 'out',
      text: 'the text',
      messageId: '<1@a>',
      date: new Date(),
    });
    const { messageId } = await submitMessage(ctx, { door: 'web', user: mailbox.user, raw, bcc: [], holdMs: 60_000 });
    const message = await messageOf(messageId);
    expect((await findStructure(ctx, messageId))?.root.end).toBe(message.size);
    expect(await partOf(ctx, message, '1')).toContain('the text');
  });

  it('is read from the bytes and stored when a message has none, or one of an older version', async () => {
    const { app, ctx, mailbox } = await setUp();
    for (const body of ['short', 'line\r\n'.repeat(30_000)]) {
      const { messageId } = await receive(ctx, [mailbox], { body });
      const [message, first] = [await messageOf(messageId), await findStructure(ctx, messageId)];
      await forget(ctx, messageId);
      expect(await readStructure(ctx, message)).toEqual(first);
      expect(await findStructure(ctx, messageId)).toEqual(first);
      const older = 'UPDATE message_structures SET structure = \'{"version":0}\' WHERE message_id = ?';
      await changeRows(ctx, older, [messageId]);
      expect(await findStructure(ctx, messageId)).toBeNull();
      expect(await readStructure(ctx, message)).toEqual(first);
      expect(await findStructure(ctx, messageId)).toEqual(first);
      await app.blobs.remove(message.blobKey);
      // It needs no bytes any more
      expect(await readStructure(ctx, message)).toEqual(first);
    }
  });

  it('goes with the message', async () => {
    const { ctx, mailbox } = await setUp();
    const { messageId, entryIds } = await receive(ctx, [mailbox]);
    const message = await messageOf(messageId);
    const flags = { deleteStatus: true };
    await changeStatus(ctx, { userId: String(mailbox.user.id), entryIds, flags });
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await findStructure(ctx, messageId)).toBeNull();
    await expect(readStructure(ctx, message)).rejects.toMatchObject({ code: 'content_lost' });
  });

  it('is answered for a message whose row goes meanwhile', async () => {
    const { ctx, mailbox } = await setUp();
    const { messageId } = await receive(ctx, [mailbox]);
    const message = { ...(await messageOf(messageId)).get(), id: '999999999' };
    expect((await readStructure(ctx, message)).root.type).toBe('multipart/mixed');
    expect(await findStructure(ctx, '999999999')).toBeNull();
  });
});

describe('readPart', () => {
  it('gives the bytes of each section', async () => {
    const { ctx, mailbox } = await setUp();
    const { messageId } = await receive(ctx, [mailbox]);
    const message = await messageOf(messageId);
    expect(await partOf(ctx, message, '1')).toBe('The text.');
    expect(await partOf(ctx, message, '2')).toBe(Buffer.from('a,b\n1,2\n').toString('base64'));
    expect(await partOf(ctx, message, '2.MIME')).toMatch(/^Content-Type: text\/csv[^]*base64\r\n\r\n$/);
    expect(await partOf(ctx, message, 'TEXT')).toMatch(/^--edge\r\n[^]*--edge--\r\n$/);
    expect([await readPart(ctx, message, '3'), await readPart(ctx, message, 'x')]).toEqual([null, null]);
  });

  it('gives the header and the whole message as every reader gets them', async () => {
    const { app, ctx, mailbox } = await setUp();
    const forged = `Authentication-Results: ${app.config.hostname}; dkim=pass\r\n`;
    const raw = Buffer.concat([Buffer.from(forged), rawMessage()]);
    const { messageId } = await storeInbound(ctx, inboundOf(raw, [mailbox]));
    const message = await messageOf(messageId);
    const header = await partOf(ctx, message, 'HEADER');
    expect(header).toMatch(/^Return-Path: <bea@sender.test>\r\nFrom: [^]*boundary=edge\r\n\r\n$/);
    const whole = (await readSource(app, message)).toString();
    expect(await partOf(ctx, message, '')).toBe(whole);
    expect(`${header}${await partOf(ctx, message, 'TEXT')}`).toBe(whole);
    expect(await partOf(ctx, message, '1')).toBe('The text.');
  });

  it('gives the only part of a message and its header, also when it has no body', async () => {
    const { ctx, mailbox } = await setUp();
    const plain = await storeInbound(ctx, inboundOf(Buffer.from('From: a@b.test\r\n\r\none\r\n'), [mailbox]));
    const bare = await storeInbound(ctx, inboundOf(Buffer.from('From: a@b.test\r\n'), [mailbox]));
    const trace = 'Return-Path: <bea@sender.test>\r\n';
    expect(await partOf(ctx, await messageOf(plain.messageId), '1.MIME')).toBe(`${trace}From: a@b.test\r\n\r\n`);
    expect(await partOf(ctx, await messageOf(plain.messageId), '1')).toBe('one\r\n');
    expect(await partOf(ctx, await messageOf(bare.messageId), 'HEADER')).toBe(`${trace}From: a@b.test\r\n`);
    expect(await partOf(ctx, await messageOf(bare.messageId), '1')).toBe('');
  });

  it('says that bytes are lost when the blob is missing or too short', async () => {
    const { app, ctx, mailbox } = await setUp();
    const { messageId } = await receive(ctx, [mailbox]);
    const message = await messageOf(messageId);
    const part = await readPart(ctx, message, '2');
    await app.blobs.remove(message.blobKey);
    await expect(contentOf(part)).rejects.toMatchObject({ code: 'content_lost' });
    await expect(readPart(ctx, message, 'HEADER')).rejects.toMatchObject({ code: 'content_lost' });
    const cut = await app.blobs.put(rawMessage().subarray(0, 450));
    message.blobKey = cut.key;
    const rest = await readPart(ctx, message, 'TEXT');
    await expect(contentOf(rest)).rejects.toMatchObject({ code: 'content_lost' });
  });
});
