import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type MemoryBudget, type MemoryShare, smallMessage } from '@selvage/core/memory-budget';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

/*
 * A client need not read the answer before it has sent the whole request, so the rest of a request
 * that was refused still arrives. The same connection then carries the next request.
 */

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { MAX_MESSAGE_BYTES: '1048576' } });
  const person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

/** One connection to the API, and the status of each answer on it. */
interface Connection {
  socket: Socket;
  statuses(): number[];
}

async function open(): Promise<Connection> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  await once(socket, 'connect');
  return { socket, statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) };
}

const head = (lines: string[]) => [...lines, 'Host: host.test', `Authorization: Bearer ${token}`, '\r\n'].join('\r\n');
const nextRequest = () => head(['GET /api/v1/captcha HTTP/1.1']);

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const formHead = () =>
  head([
    'POST /api/v1/mail/send HTTP/1.1',
    'Content-Type: multipart/form-data; boundary=part',
    'Transfer-Encoding: chunked',
  ]);

/** Takes what is left for messages, in ever smaller shares. */
function fill(memory: MemoryBudget): MemoryShare[] {
  const taken: MemoryShare[] = [];
  for (let bytes = memory.mostOfSource; bytes > smallMessage; ) {
    try {
      taken.push(memory.take(`source-${taken.length}`, bytes));
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
  return taken;
}

describe('a connection on which a body was refused', () => {
  it('carries the next request after the rest of JSON that is too large', async () => {
    const { socket, statuses } = await open();
    const json = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    socket.write(head(['POST /api/v1/user/login HTTP/1.1', ...json]));
    const part = `40000\r\n${'x'.repeat(0x40000)}\r\n`;
    socket.write(part.repeat(6));
    await until('the refusal', () => statuses().length === 1);
    socket.write(`${part.repeat(6)}0\r\n\r\n${nextRequest()}`);
    await until('the next answer', () => statuses().length === 2);
    expect(statuses()).toEqual([413, 200]);
    socket.destroy();
  });

  it('carries the next request after the rest of a form that is too large', async () => {
    const { socket, statuses } = await open();
    const file = 'Content-Disposition: form-data; name="attachments"; filename="large.bin"';
    const start = `--part\r\n${file}\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const end = '\r\n--part--\r\n';
    const half = 'x'.repeat(2_000_000);
    const length = `Content-Length: ${start.length + 2 * half.length + end.length}`;
    const form = ['Content-Type: multipart/form-data; boundary=part', length];
    socket.write(head(['POST /api/v1/mail/send HTTP/1.1', ...form]) + start + half);
    await until('the refusal', () => statuses().length === 1);
    socket.write(half + end + nextRequest());
    await until('the next answer', () => statuses().length === 2);
    expect(statuses()).toEqual([413, 200]);
    socket.destroy();
  });

  it('carries the next request after the rest of a form with a part whose header does not end', async () => {
    const { socket, statuses } = await open();
    socket.write(formHead() + chunk('--part\r\nContent-Disposition: form-data; name="a'));
    const piece = chunk('x'.repeat(0x100000));
    socket.write(piece);
    await until('the refusal', () => statuses().length === 1);
    socket.write(`${piece}0\r\n\r\n${nextRequest()}`);
    await until('the next answer', () => statuses().length === 2);
    expect(statuses()).toEqual([413, 200]);
    socket.destroy();
  });

  it('carries the next request after the rest of a form that does not come to its first part', async () => {
    const { socket, statuses } = await open();
    socket.write(formHead());
    const piece = chunk('x'.repeat(0x100000));
    // A message, its fields and the rest may have 22 MB together
    for (let megabytes = 0; megabytes < 30; megabytes += 1) socket.write(piece);
    await until('the refusal', () => statuses().length === 1, 30_000);
    socket.write(`${chunk('x')}0\r\n\r\n${nextRequest()}`);
    await until('the next answer', () => statuses().length === 2, 30_000);
    expect(statuses()).toEqual([413, 200]);
    socket.destroy();
  });

  it('carries the next request after the rest of a form for which no memory was left half-way', async () => {
    const { memory } = server.app;
    const { socket, statuses } = await open();
    const start = '--part\r\nContent-Disposition: form-data; name="body"\r\n\r\n';
    const end = '\r\n--part--\r\n';
    const half = 'x'.repeat(400_000);
    const length = `Content-Length: ${start.length + 2 * half.length + end.length}`;
    const form = ['Content-Type: multipart/form-data; boundary=part', length];
    socket.write(head(['POST /api/v1/mail/draft/save HTTP/1.1', ...form]) + start + half);
    await until('half of it has arrived', () => memory.bytes > 300_000);
    const taken = fill(memory);
    socket.write(half);
    await until('the refusal', () => statuses().length === 1);
    for (const share of taken) share.release();
    socket.write(end + nextRequest());
    await until('the next answer', () => statuses().length === 2);
    expect(statuses()).toEqual([503, 200]);
    expect(memory.bytes).toBe(0);
    socket.destroy();
  });

  it('carries the next request after the rest of a body for which there was no memory', async () => {
    const { memory } = server.app;
    const taken = fill(memory);
    const { socket, statuses } = await open();
    const half = 'x'.repeat(200_000);
    const json = ['Content-Type: application/json', `Content-Length: ${2 * half.length}`];
    socket.write(head(['POST /api/v1/mail/draft/save HTTP/1.1', ...json]) + half);
    await until('the refusal', () => statuses().length === 1);
    for (const share of taken) share.release();
    socket.write(half + nextRequest());
    await until('the next answer', () => statuses().length === 2);
    expect(statuses()).toEqual([503, 200]);
    socket.destroy();
  });
});

describe('a form', () => {
  const send = (body: string, boundary = 'part') =>
    server.call('POST', '/mail/draft/save', {
      token,
      body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });

  it('is refused at once for a part whose header names a file again and again', async () => {
    const names = ' filename=""'.repeat(40_000);
    const before = process.threadCpuUsage();
    const { status, body } = await send(`--part\r\nContent-Disposition: form-data;${names}\r\n\r\nx\r\n--part--\r\n`);
    const { user, system } = process.threadCpuUsage(before);
    expect([status, body['message']]).toEqual([413, 'The header of a part of the form is too long.']);
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  it('may have a file with the longest name that a disk takes', async () => {
    const form = new FormData();
    form.append('attachments', new File(['x'], `${'語'.repeat(251)}.txt`, { type: 'text/plain' }));
    expect((await server.call('POST', '/mail/draft/save', { token, body: form })).status).toBe(200);
  });

  it('is no JSON, whatever its boundary is called', async () => {
    const { status, body } = await send('{"subject":"Hello"}', 'json');
    expect([status, body['code']]).toEqual([400, 'malformed_body']);
  });
});
