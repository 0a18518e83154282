import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import { replyOrForward, sendEmail, undoSend } from '@selvage/core/contracts/mail';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { inboundOf, type NamedFile, receiveFiles } from '@selvage/core/mailstore/test-messages';
import type { MemoryShare } from '@selvage/core/memory-budget';
import { Signature } from '@selvage/core/models/signature';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const mega = 1_048_576;
let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { MESSAGE_MEMORY_BYTES: '67108864', UNDO_MS: '60000' } });
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

/** A message with the same file twice. */
async function receive(fileBytes: number): Promise<EmailDto> {
  const file: NamedFile = ['a.bin', randomBytes(fileBytes)];
  const { entryIds } = await receiveFiles(systemContext(server.app), [person], [file, file]);
  return (await server.call('GET', `/mail/get/${entryIds[0]}`, { token })).body.data as EmailDto;
}

/** A message whose text is this HTML. */
async function receiveText(html: string): Promise<EmailDto> {
  const raw = Buffer.from(`Content-Type: text/html\r\n\r\n${html.replaceAll(/.{900}(?= )/g, '$&\r\n')}\r\n`);
  const { entryIds } = await storeInbound(systemContext(server.app), inboundOf(raw, [person]));
  return (await server.call('GET', `/mail/get/${entryIds[0]}?brief=true`, { token })).body.data as EmailDto;
}

const shares: MemoryShare[] = [];

function releaseAll(): void {
  for (const share of shares.splice(0)) share.release();
}

afterEach(releaseAll);

/** Other people's messages take all memory. */
function takeAll(): void {
  const { memory, config } = server.app;
  for (let left = config.messageMemoryBytes; left > 0; left -= 16 * mega) {
    shares.push(memory.take(`user:other-${left}`, Math.min(left, 16 * mega)));
  }
  expect(memory.bytes).toBe(config.messageMemoryBytes);
}

function form(fields: Record<string, string>, fileBytes: number): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append('attachments', new Blob([randomBytes(fileBytes)]), 'b.bin');
  return data;
}

describe('the memory for messages', () => {
  it('is waited for by all that reads a whole message, which is then read', async () => {
    const item = await receive(200_000);
    takeAll();
    const answered: string[] = [];
    const paths = [item.source_path, item.files_path ?? '', item.frame_path, item.attachments[0]?.file_path ?? ''];
    const readings = paths.map(async (path) => {
      const response = await fetch(server.url + path);
      await response.bytes();
      answered.push(path);
      return response.status;
    });
    // A small one does not need any
    const small = await receive(10);
    expect((await fetch(server.url + small.source_path)).status).toBe(200);
    expect(answered).toEqual([]);
    releaseAll();
    expect(await Promise.all(readings)).toEqual([200, 200, 200, 200]);
    await until('the memory is free', () => server.app.memory.bytes === 0);
  });

  it('is held until the client has what was read, however slowly it reads', async () => {
    const item = await receive(8 * mega);
    const { port, host } = new URL(server.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.write(`GET ${item.source_path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    // As it is sent: two files of 8 MB in base64. Reading it took as much again
    expect(server.app.memory.bytes).toBeGreaterThan(21 * mega);
    expect(server.app.memory.bytes).toBeLessThan(23 * mega);
    socket.destroy();
    await until('the memory is free', () => server.app.memory.bytes === 0);
  });

  it('is left to others by large messages, however slowly people read them', async () => {
    const { memory } = server.app;
    const [large, small] = [await receive(8 * mega), await receive(200_000)];
    const { port, host } = new URL(server.url);
    const open = () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' });
      socket.write(`GET ${large.source_path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return socket;
    };
    const reader = open();
    await new Promise((resolve) => reader.once('readable', resolve));
    const held = memory.bytes;
    const next = open();
    const { status } = await fetch(server.url + small.source_path).then(async (response) => {
      await response.bytes();
      return response;
    });
    expect(status).toBe(200);
    await until('only the first large one holds memory', () => memory.bytes === held);
    reader.destroy();
    await new Promise((resolve) => next.once('readable', resolve));
    next.destroy();
    await until('the memory is free', () => memory.bytes === 0);
  });

  it('counts what has arrived of an upload, however much it announces', async () => {
    const { memory } = server.app;
    const { port, host } = new URL(server.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    const lines = [
      `POST /api/v1${sendEmail.path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: multipart/form-data; boundary=part',
      `Content-Length: ${20 * mega}`,
    ];
    const file = 'Content-Disposition: form-data; name="attachments"; filename="slow.bin"';
    socket.write(`${lines.join('\r\n')}\r\n\r\n--part\r\n${file}\r\n\r\n`);
    socket.write(Buffer.alloc(mega));
    await until('it has arrived', () => memory.bytes > 0.9 * mega);
    expect(memory.bytes).toBeLessThan(1.1 * mega);
    socket.destroy();
    await until('the memory is free', () => memory.bytes === 0);
  });

  it('is waited for by a call for a moment only, which then leaves its place to others', async () => {
    const item = await receive(200_000);
    takeAll();
    const opening = () => server.call('GET', `/mail/get/${item._id}`, { token });
    // A person has a fifth of the places
    const places = Math.floor((server.app.config.databasePool * 2) / 5);
    const opened = await Promise.all(Array.from({ length: places }, opening));
    const refused = expect.objectContaining({ code: 'too_much_at_once' });
    for (const { status, body } of opened) expect([status, body]).toEqual([503, refused]);
    expect((await server.call('GET', '/user/info', { token })).status).toBe(200);
    releaseAll();
    expect((await opening()).status).toBe(200);
  });

  it('is held for a text until the client has it, for no longer than an upload may take', async () => {
    const { config, memory } = server.app;
    const { transferSeconds } = config;
    const item = await receiveText('word '.repeat(1_100_000));
    const { port, host } = new URL(server.url);
    const ask = (path: string, headers = '') => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' });
      socket.on('error', () => socket.destroy());
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);
      return socket;
    };
    const asks = [
      () => ask(item.frame_path),
      () => ask(`/api/v1/mail/get/${item._id}`, `Authorization: Bearer ${token}\r\n`),
    ];
    for (const asking of asks) {
      const reader = asking();
      await new Promise((resolve) => reader.once('readable', resolve));
      expect(memory.bytes).toBeGreaterThan(5 * mega);
      reader.destroy();
      await until('the memory is free', () => memory.bytes === 0);
    }
    config.transferSeconds = 5;
    try {
      const readers = asks.map((asking) => asking());
      await Promise.all(readers.map((reader) => new Promise((resolve) => reader.once('readable', resolve))));
      expect(memory.bytes).toBeGreaterThan(10 * mega);
      await until('the memory is free', () => memory.bytes === 0);
      for (const reader of readers) {
        reader.resume();
        await new Promise((resolve) => reader.once('close', resolve));
        expect(reader.bytesRead).toBeLessThan(5_500_000);
      }
    } finally {
      config.transferSeconds = transferSeconds;
    }
  });

  it('is held for any large answer until the client has it', async () => {
    const { memory } = server.app;
    const owner = { userId: String(person.user.id), companyId: String(person.company.id) };
    const signatureBody = `<p>${'word '.repeat(38_000)}</p>`;
    const names = Array.from({ length: 40 }, (_, at) => ({ signatureName: `Long ${at}`, nameKey: `long ${at}` }));
    await Signature.bulkCreate(names.map((name) => ({ ...owner, ...name, signatureBody })));
    const { port, host } = new URL(server.url);
    const path = '/api/v1/mailsetting/signature/get/all';
    const reader = connect({ port: Number(port), host: '127.0.0.1' });
    reader.on('error', () => reader.destroy());
    reader.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await new Promise((resolve) => reader.once('readable', resolve));
    expect(memory.bytes).toBeGreaterThan(7 * mega);
    reader.destroy();
    await until('the memory is free', () => memory.bytes === 0);
    takeAll();
    const refused = await server.call('GET', '/mailsetting/signature/get/all', { token });
    expect([refused.status, refused.body]).toEqual([503, expect.objectContaining({ code: 'too_much_at_once' })]);
    await Signature.destroy({ where: owner });
  });

  it('is refused to the page of a small message that would be large, when there is none', async () => {
    const item = await receiveText('<img src=//a>'.repeat(1900));
    const page = `${server.url}${item.frame_path}?images=1`;
    takeAll();
    const refused = await fetch(page);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'too_much_at_once' }),
    ]);
    expect(refused.headers.get('content-type')).toContain('json');
    releaseAll();
    const shown = await fetch(page);
    expect([shown.status, (await shown.text()).length > 100_000]).toEqual([200, true]);
    await until('the memory is free', () => server.app.memory.bytes === 0);
  });

  it('is given up by a client that goes away before its turn', async () => {
    const item = await receive(200_000);
    takeAll();
    const gone = new AbortController();
    const reading = fetch(server.url + item.source_path, { signal: gone.signal });
    gone.abort();
    await expect(reading).rejects.toThrow();
    releaseAll();
    await until('the memory is free', () => server.app.memory.bytes === 0);
  });

  it('is refused at once to a message with files that is sent, and free after one that was', async () => {
    const writing = { recipient_emails_to: person.user.email, subject: 'Files', body: '<p>Here</p>' };
    const item = await receive(200_000);
    takeAll();
    const send = () => server.call('POST', sendEmail.path, { token, body: form(writing, 200_000) });
    const forward = () => {
      const to = { recipient_emails_to: [person.user.email], originalEmailId: item._id, is_reply: false };
      return server.call('POST', replyOrForward.path, { token, body: { ...writing, ...to } });
    };
    for (const call of [send, forward]) {
      expect(await call()).toMatchObject({ status: 503, body: { code: 'too_much_at_once' } });
    }
    releaseAll();
    for (const call of [send, forward]) {
      const { status, body } = await call();
      expect({ status, body }).toMatchObject({ status: 200 });
      const { _id: id } = body.data as { _id: string };
      expect((await server.call('POST', undoSend.path.replace(':id', id), { token })).status).toBe(200);
    }
    expect(server.app.memory.bytes).toBe(0);
  });
});
