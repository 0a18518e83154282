import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import { FairQueue } from '@selvage/core/fair-queue';
import { receiveFiles } from '@selvage/core/mailstore/test-messages';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A person's message that has two files. */
async function receive(): Promise<{ userId: string; item: EmailDto }> {
  const person = await buildMailbox(server.app);
  const { token } = await server.signIn(person.user.email, person.password);
  const files = ['a.txt', 'b.txt'].map((name): [string, Buffer] => [name, Buffer.from(name)]);
  const { entryIds } = await receiveFiles(systemContext(server.app), [person], files);
  const { body } = await server.call('GET', `/mail/get/${entryIds[0]}`, { token });
  return { userId: String(person.user.id), item: body.data as EmailDto };
}

async function statusOf(path = '', signal = AbortSignal.timeout(60_000)): Promise<number> {
  const response = await fetch(server.url + path, { signal });
  await response.bytes();
  return response.status;
}

/** Holds up all reading of files for a person, and counts it. */
function holdReading(userId: string) {
  const { content } = server.app;
  const readFiles = content.readFiles.bind(content);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const counts = { begun: 0, running: 0, most: 0 };
  vi.spyOn(content, 'readFiles').mockImplementation(async (blob, indexes, key) => {
    if (key !== `user:${userId}`) return await readFiles(blob, indexes, key);
    counts.begun += 1;
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    await released;
    counts.running -= 1;
    return await readFiles(blob, indexes, key);
  });
  return { counts, release };
}

it('reads few files at once for a person, however many links are opened, and all are answered', async () => {
  const [{ userId, item }, { item: other }] = [await receive(), await receive()];
  const { counts, release } = holdReading(userId);
  const [file] = item.attachments;
  const paths = Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? item.files_path : file?.file_path) ?? '');
  const flood = Promise.all(paths.map((path) => statusOf(path)));
  await until('the first are being read', () => counts.running >= 4);
  // Those of other people are read meanwhile
  expect(await statusOf(other.attachments[0]?.file_path)).toBe(200);
  expect(await statusOf(other.frame_path)).toBe(200);
  expect(counts.begun).toBe(4);
  release();
  expect(new Set(await flood)).toEqual(new Set([200]));
  expect(counts).toMatchObject({ begun: 40, most: 4 });
});

it('reads nothing for a client that goes away before its turn', async () => {
  const [{ userId, item }, { item: other }] = [await receive(), await receive()];
  const { counts, release } = holdReading(userId);
  const path = item.attachments[0]?.file_path;
  const reading = Array.from({ length: 4 }, () => statusOf(path));
  await until('all places are taken', () => counts.running === 4);
  const gone = new AbortController();
  const turns = vi.spyOn(FairQueue.prototype, 'run');
  const leaving = Array.from({ length: 4 }, () => statusOf(path, gone.signal).catch(() => 0));
  await until('the others wait', () => turns.mock.calls.length === 4);
  gone.abort();
  expect(await Promise.all(leaving)).toEqual([0, 0, 0, 0]);
  // Until this is answered, the server has seen the connections close
  expect(await statusOf(other.frame_path)).toBe(200);
  release();
  expect(await Promise.all(reading)).toEqual([200, 200, 200, 200]);
  expect(await statusOf(path)).toBe(200);
  expect(counts.begun).toBe(5);
});
