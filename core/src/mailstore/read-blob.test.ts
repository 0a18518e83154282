import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../context/app.ts';
import { openBlobStore } from './blob-store.ts';
import { inspectBlob } from './read-blob.ts';

let directory: string;
let store: BlobStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'selvage-blobs-'));
  store = await openBlobStore(directory);
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

describe('inspectBlob', () => {
  it('tells whole bytes from changed, missing and unreadable ones', async () => {
    const bytes = Buffer.alloc(700_001, 'a message ');
    const { key } = await store.put(bytes);
    const path = join(directory, key.slice(0, 2), key);
    expect(await inspectBlob(store, key)).toBe('whole');
    bytes.write('x', bytes.length - 1);
    await writeFile(path, bytes);
    expect(await inspectBlob(store, key)).toBe('changed');
    await unlink(path);
    expect(await inspectBlob(store, key)).toBe('missing');
    await mkdir(path);
    expect(await inspectBlob(store, key)).toBe('unreadable');
  });
});
