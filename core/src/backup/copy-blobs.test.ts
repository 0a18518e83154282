import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobsForReading } from '../mailstore/blob-store.ts';
import { type Copying, copyBlobs, proveBlobs, recopyBlob } from './copy-blobs.ts';

let directory: string;
let copying: Copying;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'selvage-copies-'));
  const progress = { at: () => undefined, say: () => undefined };
  copying = { from: join(directory, 'host'), to: join(directory, 'backup'), list: join(directory, 'list'), progress };
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes a file into the host's store, with the bytes of its name or with others. */
async function store(key: string, bytes: string): Promise<void> {
  await mkdir(join(copying.from, key.slice(0, 2)), { recursive: true });
  await writeFile(join(copying.from, key.slice(0, 2), key), bytes);
}

describe('the copies of blobs', () => {
  it('keep a blob when another one has its bytes instead of its own', async () => {
    const [good, bad] = [keyOf('ana'), keyOf('ben')];
    await store(good, 'ana');
    await writeFile(copying.list, `${good}\n`);
    await copyBlobs(copying);
    await store(bad, 'ana');
    await writeFile(copying.list, `${[good, bad].sort().join('\n')}\n`);
    await copyBlobs(copying);
    const { list, progress, to } = copying;
    const mend = (key: string) => recopyBlob(copying, key);
    expect(await proveBlobs({ directory: to, list, progress, mend })).toMatchObject({ blobs: 1, bad: [bad] });
    expect((await buffer(openBlobsForReading(to).get(good))).toString()).toBe('ana');
  });
});

describe('a proof', () => {
  it('names lost blobs however many they are, and calls the place wrong when most are lost', async () => {
    const { from: directory, list, progress } = copying;
    const keys = Array.from({ length: 20_002 }, (_, n) => keyOf(String(n)));
    const [whole, lost] = [keys.slice(0, 10_001), keys.slice(10_001).sort()];
    for (const key of whole) await store(key, '');
    await writeFile(list, `${keys.sort().join('\n')}\n`);
    const proving = { directory, list, progress, isQuick: true };
    expect(await proveBlobs(proving)).toEqual({ blobs: whole.length, bytes: 0, bad: lost });
    await rm(join(directory, 'aa'), { recursive: true });
    await expect(proveBlobs(proving)).rejects.toThrow('of 20002 blobs are missing');
    expect((await proveBlobs({ ...proving, acceptsLosses: true })).bad.length).toBeGreaterThan(lost.length);
  });
});
