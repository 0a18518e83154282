import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import { type NamedFile, receiveFiles } from '@selvage/core/mailstore/test-messages';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { unzip } from '../../../tests/support/unzip.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

async function receive(files: NamedFile[], subject?: string): Promise<EmailDto> {
  const { entryIds } = await receiveFiles(systemContext(server.app), [person], files, subject);
  return (await server.call('GET', `/mail/get/${entryIds[0]}`, { token })).body.data as EmailDto;
}

async function open(path: string | null): Promise<Record<string, Buffer>> {
  const response = await fetch(server.url + (path ?? ''));
  expect(response.status).toBe(200);
  return unzip(new Uint8Array(await response.arrayBuffer()));
}

describe('all files of a message', () => {
  it('are one archive with safe names', async () => {
    const item = await receive(
      [
        ['../../etc/passwd', Buffer.from('one')],
        ['a.txt', Buffer.from('two')],
        ['A.txt', Buffer.from('three')],
      ],
      'Winter/../yarns',
    );
    const response = await fetch(server.url + (item.files_path ?? ''), { method: 'HEAD' });
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain('filename="Winter-..-yarns.zip"');
    const files = await open(item.files_path);
    expect(Object.keys(files)).toEqual(['passwd', 'a.txt', 'A (2).txt']);
    expect(files['A (2).txt']?.toString()).toBe('three');
  });

  it('come whole when they take several readings', async () => {
    const large = [0, 1, 2].map((n): NamedFile => [`${n}.bin`, randomBytes(4 * 1_048_576)]);
    const files = await open((await receive(large)).files_path);
    for (const [name, content] of large) expect(files[name]?.equals(content)).toBe(true);
  });

  it('hold no memory for a client that does not read them, longer than an upload may take', async () => {
    const { app, url } = server;
    const large = [0, 1].map((n): NamedFile => [`${n}.bin`, randomBytes(12 * 1_048_576)]);
    const path = (await receive(large)).files_path ?? '';
    const seconds = app.config.transferSeconds;
    // The memory must be seen in use before that
    app.config.transferSeconds = 3;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.on('error', () => socket.destroy());
    try {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      await until('it is read', () => app.memory.bytes > 0);
      await until('the memory is given back', () => app.memory.bytes === 0);
    } finally {
      app.config.transferSeconds = seconds;
      socket.destroy();
    }
  });

  it('have no path where there are fewer than two', async () => {
    expect((await receive([['a.txt', Buffer.from('one')]])).files_path).toBeNull();
  });

  it('belong to one person alone, and are gone with the account', async () => {
    const path = (await receive([...'ab'].map((name): NamedFile => [name, Buffer.from(name)]))).files_path ?? '';
    expect((await fetch(`${server.url}${path}x`)).status).toBe(404);
    const other = path.replace('/files/', '/source/');
    expect((await fetch(server.url + other)).status).toBe(404);
    const left = await buildMailbox(server.app);
    const moved = path.replace(`/${person.user.id}.`, `/${left.user.id}.`);
    expect((await fetch(server.url + moved)).status).toBe(404);
    await User.update({ deletedAt: new Date() }, { where: { id: person.user.id } });
    expect((await fetch(server.url + path)).status).toBe(404);
  });
});
