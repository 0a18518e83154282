import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HitsWanted, NewEntry } from '../search-index/index-messages.ts';
import { parseSearch } from '../search-index/search-query.ts';
import { childrenOf } from '../../../tests/support/children-of.ts';
import { until } from '../../../tests/support/until.ts';
import { SearchThreads } from './search-threads.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'search-threads-'));
});
afterAll(() => rm(directory, { recursive: true }));

const asker = '1';
const colleague = '2';

/** One letter as often as an index has it, so that a phrase of it has many places to stand in. */
const letters = 'a '.repeat(4000);

function entryOf(id: number): NewEntry {
  const flags = { folderId: '1', uid: id, isUnread: true, isStarred: false };
  const texts = {
    sender: 's',
    recipients: letters,
    subject: 'x',
    body: letters,
    files: letters,
    hasUnreadFiles: false,
  };
  return { id: String(id), ...flags, ...texts, fileCount: 0, size: 24_000, arrivedAt: 1.7e12 + id };
}

const wanted = (text: string): HitsWanted => ({
  query: parseSearch(text),
  folderIds: ['1'],
  offset: 0,
  limit: 50,
  countUpTo: 1001,
});
const costly = wanted(`"${'a '.repeat(24)}"`);

/** Threads of this process beside the one of the test, and processes under it, that want a core. */
function busyTasks(): string[] {
  const others = readdirSync('/proc/self/task').filter((id) => id !== String(process.pid));
  const paths = [...others.map((id) => `self/task/${id}`), ...childrenOf(process.pid).map(String)];
  return paths.filter((path) => / R /.test(statOf(`/proc/${path}/stat`)));
}

function statOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile
    return '';
  }
}

describe('a question that takes too long', () => {
  it('is stopped within a statement, takes no more of the processor and holds up no other person', async () => {
    const childrenBefore = childrenOf(process.pid);
    const builder = new SearchThreads({ directory, threads: 1, questionMs: 60_000 });
    const next = { folders: [], next: null, isBuilt: true };
    const added = Array.from({ length: 1000 }, (_, index) => entryOf(index + 1));
    const change = { stamp: 0, added, changed: [], removed: [], next };
    await builder.run('change', { userId: asker, change });
    const begun = performance.now();
    await builder.run('find', { userId: asker, wanted: costly });
    const wholeMs = performance.now() - begun;
    await builder.close();

    const search = new SearchThreads({ directory, threads: 1, questionMs: wholeMs / 10 });
    const start = performance.now();
    const asked = ['a', 'b', 'c'].map(() => search.run('find', { userId: asker, wanted: costly }));
    const other = search.run('find', { userId: colleague, wanted: wanted('hello') });
    const tooLong = { status: 422, code: 'search_too_long' };
    await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject(tooLong)));
    expect(await other).toEqual({ ids: [], count: 0 });
    // Where the statement went on, its task of the kernel would be busy until it ends. The third
    // one begins when the first two have been stopped
    await until('nothing works on the question any more', () => busyTasks().length === 0);
    expect(performance.now() - start).toBeLessThan(wholeMs);
    await search.close();
    expect(childrenOf(process.pid)).toEqual(childrenBefore);
  });
});

it('ends in a process that has nothing else to do', async () => {
  const program = `import { SearchThreads } from ${JSON.stringify(import.meta.resolve('./search-threads.ts'))};
    const search = new SearchThreads({ directory: ${JSON.stringify(directory)}, threads: 1 });
    await search.run('find', { userId: '3', wanted: ${JSON.stringify(wanted('hello'))} });
    await search.close();
    console.log('closed');`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('closed\n');
});
