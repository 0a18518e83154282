import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { IndexFile } from './index-file.ts';
import type { NewEntry } from './index-messages.ts';
import { parseSearch } from './search-query.ts';

const directory = await mkdtemp(join(tmpdir(), 'selvage-index-'));
afterAll(() => rm(directory, { recursive: true }));

const moment = Date.UTC(2026, 10, 2, 10);
const wool = { terms: [{ words: ['wool'], column: null, isPrefix: false, isExcluded: false, isAlternative: false }] };

function entryOf(number: number, arrivedAt: number): NewEntry {
  return {
    id: String(number),
    folderId: '1',
    uid: number,
    isUnread: true,
    isStarred: false,
    arrivedAt,
    subject: `n${number}`,
    size: 100,
    fileCount: 0,
    sender: 'bea@sender.test',
    recipients: 'ana@host.test',
    body: 'wool',
    files: '',
    hasUnreadFiles: false,
  };
}

// Looking for a place past all others would take a hundred times as long
it('takes any number of messages that came at the same moment', { timeout: 60_000 }, () => {
  const index = new IndexFile(join(directory, 'moment.db'));
  const next = { folders: [], next: null, isBuilt: true };
  const add = (added: NewEntry[]) =>
    index.change({ stamp: index.state().stamp, added, changed: [], removed: [], next })?.entries;
  const [count, batch] = [40_000, 2000];
  for (let from = 1; from <= count; from += batch) {
    add(Array.from({ length: batch }, (_, offset) => entryOf(from + offset, moment)));
  }
  expect(add([entryOf(count + 1, moment + 3_600_000), entryOf(count + 2, moment - 1000)])).toBe(count + 2);
  const find = (offset: number, limit: number) =>
    index.find({
      query: wool,
      folderIds: ['1'],
      offset,
      limit,
      countUpTo: 100_000,
    });
  expect(find(0, 1)).toEqual({ ids: [String(count + 1)], count: count + 2 });
  expect(find(count + 1, 10).ids).toEqual([String(count + 2)]);
  expect(new Set(find(0, count + 2).ids).size).toBe(count + 2);
  // One that left makes room, and one that comes again has its place
  expect(
    index.change({ stamp: index.state().stamp, added: [], changed: [], removed: [{ folderId: '1', uid: 7 }], next })
      ?.entries,
  ).toBe(count + 1);
  expect(add([entryOf(7, moment)])).toBe(count + 2);
  index.close();
});

it.each([
  ['one by one', false],
  ['the newest first, as an index is built', true],
])('finds the messages of one second in the order in which they came, added %s', (how, isReversed) => {
  const index = new IndexFile(join(directory, `${how}.db`));
  const next = { folders: [], next: null, isBuilt: true };
  // Three came in each moment
  const entries = Array.from({ length: 24 }, (_, at) => entryOf(245 + at, moment + Math.floor(at / 3) * 140));
  for (const entry of isReversed ? entries.toReversed() : entries) {
    index.change({ stamp: index.state().stamp, added: [entry], changed: [], removed: [], next });
  }
  const { ids } = index.find({ query: wool, folderIds: ['1'], offset: 0, limit: 30, countUpTo: 100 });
  const moments = ids.map((id) => Math.floor((Number(id) - 245) / 3));
  expect(moments).toEqual(moments.toSorted((a, b) => b - a));
  if (!isReversed) expect(ids).toEqual(entries.map(({ id }) => id).toReversed());
  index.close();
});

it.each([
  ['会議室A の予約', ['会議室', '会議室A', '"会議室 A"', '室A']],
  ['請求書_2024.pdf', ['請求書_2024.pdf', '請求書_2024', '書_2024', '2024.pdf']],
  ['東京2020大会', ['東京2020', '2020大会', '東京2020大', '京2020']],
  ['第3回会議', ['第3回', '第3回会', '3回']],
  ['株式会社・山田', ['株式会社・山田', '"会社 山田"']],
  ['ประชุม2024', ['ประชุม2024']],
  ['회의 자료 송부드립니다', ['"회의 자료"', '회의 자료 송부']],
  ['김철수 kim@x.test', ['"김철수 kim"', 'kim@x.test']],
])('finds scripts without spaces beside other words in %s', (subject, questions) => {
  const index = new IndexFile(join(directory, `${randomUUID()}.db`));
  const next = { folders: [], next: null, isBuilt: true };
  const added = [{ ...entryOf(1, moment), subject }];
  index.change({ stamp: index.state().stamp, added, changed: [], removed: [], next });
  for (const question of questions) {
    const query = parseSearch(question);
    const { count } = index.find({ query, folderIds: ['1'], offset: 0, limit: 1, countUpTo: 10 });
    expect([question, count]).toEqual([question, 1]);
  }
  index.close();
});

it('leaves the file free for others when it cannot be emptied', () => {
  const path = join(directory, 'clear.db');
  const index = new IndexFile(path);
  const other = new DatabaseSync(path);
  other.exec('ALTER TABLE unread_files RENAME TO elsewhere');
  expect(() => index.clear()).toThrow('no such table');
  other.exec('ALTER TABLE elsewhere RENAME TO unread_files');
  other.close();
  index.clear();
  expect(index.state()).toMatchObject({ stamp: 1, entries: 0 });
  index.close();
});
