import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HitsWanted, NewEntry } from '../search-index/index-messages.ts';
import { parseSearch } from '../search-index/search-query.ts';
import { SearchThreads } from './search-threads.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'search-threads-'));
});
afterAll(() => rm(directory, { recursive: true }));

const asker = '1';
const colleague = '2';

/** One letter many times, so that a phrase of it has many places in which it may stand. */
const body = `${'a '.repeat(23)}b `.repeat(6250);

function entryOf(id: number): NewEntry {
  const flags = { folderId: '1', uid: id, isUnread: true, isStarred: false };
  const texts = { sender: 's', recipients: 'r', subject: 'x', body, files: '', hasUnreadFiles: false };
  return { id: String(id), ...flags, ...texts, fileCount: 0, size: 300_000, arrivedAt: 1.7e12 + id };
}

const wanted = (text: string): HitsWanted => ({
  query: parseSearch(text),
  folderIds: ['1'],
  offset: 0,
  limit: 50,
  countUpTo: 1001,
});
const dear = wanted(`"${'a '.repeat(24)}"`);

describe('a question that takes too long', () => {
  it('is given up within a statement, and holds up nobody else', async () => {
    const builder = new SearchThreads({ directory, threads: 1 });
    const next = { folders: [], next: null, isBuilt: true };
    const added = Array.from({ length: 60 }, (_, index) => entryOf(index + 1));
    const change = { stamp: 0, added, changed: [], removed: [], next };
    await builder.run('change', { userId: asker, change });
    const begun = performance.now();
    await builder.run('find', { userId: asker, wanted: dear });
    const wholeMs = performance.now() - begun;
    await builder.close();

    const search = new SearchThreads({ directory, threads: 1, question: { wallSeconds: wholeMs / 10_000 } });
    const start = performance.now();
    const asked = ['a', 'b', 'c'].map(() => search.run('find', { userId: asker, wanted: dear }));
    const other = search.run('find', { userId: colleague, wanted: wanted('hello') });
    const tooLong = { status: 422, code: 'search_too_long' };
    await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject(tooLong)));
    expect(await other).toEqual({ ids: [], count: 0 });
    expect(performance.now() - start).toBeLessThan(wholeMs / 2);
    await search.close();
  });
});
