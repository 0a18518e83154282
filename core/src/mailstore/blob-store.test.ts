import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import type { BlobStore } from '../context/app.ts';
import { blobFolders, openBlobStore } from './blob-store.ts';

let directory: string;
let store: BlobStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'selvage-blobs-'));
  store = await openBlobStore(directory);
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Leaves a half-written file of an earlier day, one of a day to come and one of now. */
async function leaveUnfinished(): Promise<void> {
  const old = join(directory, 'tmp', 'old');
  await writeFile(old, 'half');
  await writeFile(join(directory, 'tmp', 'new'), 'half');
  const earlier = new Date(Date.now() - 2 * 86_400_000);
  await utimes(old, earlier, earlier);
  const ahead = join(directory, 'tmp', 'of a clock that was ahead');
  await writeFile(ahead, 'half');
  const later = new Date(Date.now() + 200 * 86_400_000);
  await utimes(ahead, later, later);
}

describe('the blob store', () => {
  it('finds content by its hash, in one of 256 folders', async () => {
    const bytes = Buffer.from('Subject: hello\r\n\r\nworld\r\n');
    const blob = await store.put(bytes);
    expect(blob).toEqual({ key: sha256(bytes), size: bytes.length });
    expect(await readdir(join(directory, blob.key.slice(0, 2)))).toEqual([blob.key]);
    expect(await buffer(store.get(blob.key))).toEqual(bytes);
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
  });

  it('stores a stream of any chunk size the same as its bytes at once', async () => {
    const bytes = randomBytes(700_001);
    const expected = { key: sha256(bytes), size: bytes.length };
    expect(await store.put(inChunks(bytes, 977))).toEqual(expected);
    expect(await store.put(inChunks(bytes, 600_000))).toEqual(expected);
    expect(await buffer(store.get(expected.key))).toEqual(bytes);
  });

  it('reads a range', async () => {
    const { key } = await store.put(Buffer.from('0123456789'));
    expect((await buffer(store.get(key, { start: 2, end: 4 }))).toString()).toBe('234');
    expect((await buffer(store.get(key, { start: 8 }))).toString()).toBe('89');
  });

  it('takes the same and other content from many at once', async () => {
    const bytes = Array.from({ length: 20 }, (_, index) => Buffer.from(`message ${index % 4}`));
    const other = await openBlobStore(directory);
    const blobs = await Promise.all(bytes.map((content, index) => (index % 2 ? store : other).put(content)));
    expect(new Set(blobs.map((blob) => blob.key)).size).toBe(4);
    for (const [index, blob] of blobs.entries()) expect(await buffer(store.get(blob.key))).toEqual(bytes[index]);
  });

  it('keeps nothing of a stream that breaks', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield randomBytes(400_000);
      throw new Error('the peer went away');
    }
    await expect(store.put(broken())).rejects.toThrow('the peer went away');
    expect(await readdir(directory)).toEqual(['tmp']);
    expect(await readdir(join(directory, 'tmp'))).toEqual([]);
  });

  it('removes a blob, also when it is gone already', async () => {
    const { key } = await store.put(Buffer.from('x'));
    expect(await store.has(key)).toBe(true);
    await store.remove(key);
    await store.remove(key);
    expect(await store.has(key)).toBe(false);
    await expect(buffer(store.get(key))).rejects.toThrow('ENOENT');
  });

  it('refuses a key that is no hash, so that none leads out of the folder', () => {
    expect(() => store.get('../../etc/passwd')).toThrow('64 hexadecimal digits');
  });

  it('removes half-written files of an earlier day when it opens, but not those being written', async () => {
    await leaveUnfinished();
    await openBlobStore(directory);
    expect(await readdir(join(directory, 'tmp'))).toEqual(['new']);
  });

  it('removes what a killed process was writing, also a moment ago, but not what runs', async () => {
    const endless = `import { openBlobStore } from ${JSON.stringify(import.meta.resolve('./blob-store.ts'))};
      async function* endless() { yield Buffer.alloc(1e6); await new Promise(() => setInterval(() => 0, 1e6)); }
      await (await openBlobStore(${JSON.stringify(directory)})).put(endless());`;
    const writer = () => spawn(process.execPath, ['--input-type=module', '-e', endless], { stdio: 'inherit' });
    const [killed, running] = [writer(), writer()];
    const names = () => readdir(join(directory, 'tmp'));
    await until('both are writing', async () => (await names()).length === 2);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await openBlobStore(directory);
    expect(await names()).toEqual([expect.stringContaining(`.${running.pid}.`)]);
    running.kill('SIGKILL');
    await once(running, 'exit');
    await openBlobStore(directory);
    expect(await names()).toEqual([]);
  });

  it('removes them also later, when it is asked to', async () => {
    await leaveUnfinished();
    await store.removeUnfinished();
    expect(await readdir(join(directory, 'tmp'))).toEqual(['new']);
  });

  it('lists the keys of a prefix in their order, and passes over other files', async () => {
    const blobs = await Promise.all(Array.from({ length: 600 }, (_, n) => store.put(Buffer.from(`message ${n}`))));
    const keys = blobs.map(({ key }) => key).toSorted();
    const [first = ''] = keys;
    await writeFile(join(directory, first.slice(0, 2), `${first}.old`), 'x');
    await writeFile(join(directory, first.slice(0, 2), 'f'.repeat(64)), 'x');
    const lists = await Promise.all(blobFolders.map((folder) => store.list(folder)));
    expect(lists.flat()).toEqual(keys);
    const prefix = first.slice(0, 3);
    expect(await store.list(prefix)).toEqual(keys.filter((key) => key.startsWith(prefix)));
  });

  it('lists nothing where no blob has come yet, and fails where it can’t look', async () => {
    expect(await store.list('ab')).toEqual([]);
    await writeFile(join(directory, 'ab'), 'no folder');
    await expect(store.list('ab')).rejects.toThrow('ENOTDIR');
    await mkdir(join(directory, 'a'));
    for (const prefix of ['', 'a', 'tmp', '..']) await expect(store.list(prefix)).rejects.toThrow('hexadecimal digits');
  });

  it('says the size of a blob and when it was last put', async () => {
    const { key } = await store.put(Buffer.from('0123456789'));
    const at = new Date('2026-01-02T03:04:05Z');
    await utimes(join(directory, key.slice(0, 2), key), at, at);
    expect(await store.stat(key)).toEqual({ size: 10, putAt: at.getTime() });
    const before = Date.now() - 1000;
    await store.put(Buffer.from('0123456789'));
    expect((await store.stat(key))?.putAt).toBeGreaterThan(before);
    for (const missing of [sha256(Buffer.from('x')), 'no key', '../tmp']) expect(await store.stat(missing)).toBeNull();
  });

  it('says unavailable when the disk is full', async () => {
    async function* full(): AsyncGenerator<Uint8Array> {
      yield randomBytes(10);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    }
    await expect(store.put(full())).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  });
});
