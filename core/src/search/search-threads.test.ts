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
const neighbour = '6';
/** Further people of the company. */
const accounts = ['3', '4', '5', '7'];

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
/** A search may take any time, also where it has to wait for the processor. */
const unlimited = { questionMs: 60_000, questionWallMs: 120_000 };

/** Searches as a person of a company. */
const find = (search: SearchThreads, userId: string, text: HitsWanted, companyId = '1') =>
  search.find({ userId, companyId, wanted: text });

async function fill(builder: SearchThreads, userId: string, messages: number): Promise<void> {
  const next = { folders: [], next: null, isBuilt: true };
  // In portions, since the thread may work on each for a minute at most
  const portion = 200;
  for (let from = 1; from <= messages; from += portion) {
    const { stamp } = await builder.run('state', { userId });
    const added = Array.from({ length: portion }, (_, index) => entryOf(from + index));
    await builder.run('change', { userId, change: { stamp, added, changed: [], removed: [], next } });
  }
}

beforeAll(async () => {
  const builder = new SearchThreads({ directory, threads: 1 });
  await fill(builder, asker, 2000);
  for (const account of accounts) await fill(builder, account, 200);
  await builder.close();
});

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

/**
 * Milliseconds of processor time that this process has used so far, together with the processes
 * that have ended under it.
 */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = statOf('/proc/self/stat').split(') ').at(-1)?.split(' ') ?? [];
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

describe('a question that takes too long', () => {
  const tooLong = { status: 422, code: 'search_too_long' };

  it('is stopped within a statement, takes no more of the processor and holds up no other person', async () => {
    const childrenBefore = childrenOf(process.pid);
    const patient = new SearchThreads({ directory, threads: 1, ...unlimited });
    const begun = usedMs();
    await find(patient, asker, costly);
    await patient.close();
    const wholeMs = usedMs() - begun;

    // The first one uses up the time of its person
    const ofPerson = { share: 0, aheadMs: 1 };
    const search = new SearchThreads({ directory, threads: 1, questionMs: wholeMs / 10, ofPerson });
    const start = usedMs();
    const asked = ['a', 'b', 'c'].map(() => find(search, asker, costly));
    const other = find(search, colleague, wanted('hello'));
    await Promise.all(asked.map((one) => expect(one).rejects.toMatchObject(tooLong)));
    expect(await other).toEqual({ ids: [], count: 0 });
    // Where the statement went on, its task of the kernel would be busy until it ends
    await until('nothing works on the question any more', () => busyTasks().length === 0);
    await search.close();
    expect(usedMs() - start).toBeLessThan(wholeMs);
    expect(childrenOf(process.pid)).toEqual(childrenBefore);
  });
});

describe('costly searches of many accounts of a company', () => {
  const always = { share: 1, aheadMs: Number.POSITIVE_INFINITY };
  const usedUp = { status: 422, code: 'search_too_long' };

  it('delay a search of another company by no more than two of them', async () => {
    const search = new SearchThreads({ directory, threads: 1, ...unlimited, ofPerson: always, ofCompany: always });
    let [isOver, ended] = [false, 0];
    const asking = accounts.map(async (account) => {
      while (!isOver) {
        await find(search, account, costly);
        ended += 1;
      }
    });
    await until('they are being searched', () => ended > 0);
    for (let round = 0; round < 3; round += 1) {
      const before = ended;
      expect(await find(search, neighbour, wanted('hello'), '2')).toEqual({ ids: [], count: 0 });
      // The one that had begun, and one turn of the company
      expect(ended - before).toBeLessThanOrEqual(2);
    }
    isOver = true;
    await Promise.all(asking);
    await search.close();
  });

  it('delay no other work on an index', async () => {
    const search = new SearchThreads({ directory, threads: 1, ...unlimited });
    await search.run('state', { userId: neighbour });
    const searched = find(search, asker, costly).then(() => 'search');
    const updated = search.run('known', { userId: neighbour, ids: ['1'] }).then(() => 'update');
    expect(await Promise.race([searched, updated])).toBe('update');
    await searched;
    await search.close();
  });

  it('are refused when they have used up the time of the company, and those of others are not', async () => {
    const ofCompany = { share: 0, aheadMs: 1 };
    const search = new SearchThreads({ directory, threads: 1, ...unlimited, ofPerson: always, ofCompany });
    const asked = await Promise.allSettled(accounts.map((account) => find(search, account, costly)));
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    await expect(find(search, colleague, wanted('hello'))).rejects.toMatchObject(usedUp);
    expect(await find(search, neighbour, wanted('hello'), '2')).toEqual({ ids: [], count: 0 });
    await search.close();
  });

  it('are refused to the person alone who has used up their own time', async () => {
    const ofPerson = { share: 0, aheadMs: 1 };
    const search = new SearchThreads({ directory, threads: 1, ...unlimited, ofPerson, ofCompany: always });
    await find(search, asker, costly);
    await expect(find(search, asker, wanted('hello'))).rejects.toMatchObject(usedUp);
    expect(await find(search, colleague, wanted('hello'))).toEqual({ ids: [], count: 0 });
    await search.close();
  });
});

it('ends in a process that has nothing else to do', async () => {
  const program = `import { SearchThreads } from ${JSON.stringify(import.meta.resolve('./search-threads.ts'))};
    const search = new SearchThreads({ directory: ${JSON.stringify(directory)}, threads: 1 });
    await search.find({ userId: '3', companyId: '1', wanted: ${JSON.stringify(wanted('hello'))} });
    await search.close();
    console.log('closed');`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('closed\n');
});
