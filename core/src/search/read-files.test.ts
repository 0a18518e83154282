import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { buildCostlyPdf } from '../../../tests/support/pdf.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { ThreadPool } from '../content/thread-pool.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { officeFile } from '../mail/test-files.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { type NamedFile, receive, receiveFiles } from '../mailstore/test-messages.ts';
import { unavailable } from '../errors.ts';
import { log } from '../log.ts';
import { keepIndex } from './keep-indexes.ts';
import { readAllFiles, readDueFiles } from './read-files.ts';
import { searchMailbox } from './search-mailbox.ts';
import { SearchThreads } from './search-threads.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const idOf = ({ user }: Mailbox): string => String(user.id);
const hitsOf = async (mailbox: Mailbox, text: string): Promise<number> =>
  (await searchMailbox(ctx, { userId: idOf(mailbox), text, page: 1, limit: 100 })).total;
const hasUnreadFiles = async (mailbox: Mailbox): Promise<boolean> =>
  (await app.search.run('state', { userId: idOf(mailbox) })).hasUnreadFiles;
const offer = (word: string): NamedFile => [
  'offer.docx',
  Buffer.from(officeFile({ 'word/document.xml': `<w:p><w:t>${word}</w:t></w:p>` })),
];
const costly = (number: number): NamedFile => [`costly${number}.pdf`, buildCostlyPdf(number)];
const keep = (mailbox: Mailbox) =>
  keepIndex(ctx, idOf(mailbox), { longestMs: 30_000, signal: AbortSignal.timeout(60_000) });

async function readWhatIsDue(): Promise<void> {
  while (await readDueFiles(ctx));
}

it('finds a message by its own words at once, and by those of its files when they are read', async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [offer('treadle')], 'An offer');
  expect([await hitsOf(ana, 'offer'), await hitsOf(ana, 'filename:docx'), await hitsOf(ana, 'treadle')]).toEqual([
    1, 1, 0,
  ]);
  await keep(ana);
  await readWhatIsDue();
  expect([await hitsOf(ana, 'subject:offer treadle'), await hitsOf(ana, 'filename:docx bea')]).toEqual([1, 1]);
  expect(await hasUnreadFiles(ana)).toBe(false);
});

it('gives up a file that is too costly, once, and finds it by its name', { timeout: 60_000 }, async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [costly(1)], 'Costly');
  await keep(ana);
  const before = process.cpuUsage();
  await readWhatIsDue();
  // The whole file takes eight seconds and more
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  expect([await hasUnreadFiles(ana), await hitsOf(ana, 'filename:costly1')]).toEqual([false, 1]);
  // It cost its thread, and the next file is read, whatever is left of the minute
  await receiveFiles(ctx, [ana], [offer('bobbin')]);
  await keep(ana);
  await readAllFiles(ctx, idOf(ana));
  expect(await hitsOf(ana, 'bobbin')).toBe(1);
});

it('neither reads the files of deleted mail nor forgets where mail has gone meanwhile', async () => {
  const ana = await buildMailbox(app);
  const [first, second] = [
    await receiveFiles(ctx, [ana], [offer('shuttle')]),
    await receiveFiles(ctx, [ana], [offer('shuttle')]),
  ];
  expect(await hitsOf(ana, 'shuttle')).toBe(0);
  const userId = idOf(ana);
  await changeStatus(ctx, { userId, entryIds: first.entryIds, flags: { deleteStatus: true } });
  await changeStatus(ctx, { userId, entryIds: second.entryIds, flags: { archiveStatus: true } });
  // The index has not heard of either yet
  await readAllFiles(ctx, userId);
  expect([await hitsOf(ana, 'shuttle'), await hitsOf(ana, 'shuttle in:archive')]).toEqual([1, 1]);
  expect((await app.search.run('state', { userId })).entries).toBe(1);
});

it('reads after a restart what was not read before', async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [offer('carder')]);
  const search = new SearchThreads({ directory: app.config.searchDirectory, threads: 1 });
  const searchFiles = () => Promise.reject(unavailable('the process ends'));
  const ending = systemContext({
    ...app,
    search,
    content: { ...app.content, searchFiles, searchText: (...input) => app.content.searchText(...input) },
  });
  await keepIndex(ending, idOf(ana), { longestMs: 30_000, signal: AbortSignal.timeout(60_000) });
  await expect(readAllFiles(ending, idOf(ana))).rejects.toMatchObject({ code: 'unavailable' });
  await search.close();
  expect(await hasUnreadFiles(ana)).toBe(true);
  const later = await app.search.run('takeFiles', {
    userId: idOf(ana),
    budget: { now: Date.now() + 300_000, msPerMinute: 1 },
  });
  expect(later).toMatchObject({ kind: 'entry' });
});

it('marks no message whose files have no words', async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [['a.png', Buffer.from('no picture')]]);
  await receive(ctx, [ana], { subject: 'With rows' });
  await hitsOf(ana, 'rows');
  await readAllFiles(ctx, idOf(ana));
  await receiveFiles(ctx, [ana], [['b.png', Buffer.from('no picture')]]);
  await hitsOf(ana, 'rows');
  expect(await hasUnreadFiles(ana)).toBe(false);
});

it('reads the files of mailboxes in turns, and no more than a share of a minute for each', async () => {
  // Those of other tests
  await readWhatIsDue();
  const [ana, carl] = [await buildMailbox(app), await buildMailbox(app)];
  for (let number = 0; number < 5; number += 1) await receiveFiles(ctx, [ana], [offer(`heddle ${number}`)]);
  await receiveFiles(ctx, [carl], [offer('heddle')]);
  await keep(ana);
  await keep(carl);
  await readDueFiles(ctx);
  await readDueFiles(ctx);
  expect([await hitsOf(ana, 'heddle'), await hitsOf(carl, 'heddle')]).toEqual([1, 1]);
  const userId = idOf(ana);
  const [now, msPerMinute] = [Math.ceil(Date.now() / 60_000) * 60_000, 5000];
  const take = (at: number) => app.search.run('takeFiles', { userId, budget: { now: at, msPerMinute } });
  const taken = await take(now);
  if (taken.kind !== 'entry') throw new Error('there are unread files');
  await app.search.run('noteFiles', { userId, read: { id: taken.id, texts: null, spentMs: 5001, now } });
  expect(await take(now + 1000)).toEqual({ kind: 'later', at: now + 60_000 });
  expect(await take(now + 60_000)).toMatchObject({ kind: 'entry' });
});

/** The host with another way to read files. */
const reading = (searchFiles: App['content']['searchFiles']): Ctx =>
  systemContext({ ...app, content: { ...app.content, searchFiles } });

/** Tries to read all files of a mailbox a few times, as soon as they are due again. */
async function tryOften(by: Ctx, mailbox: Mailbox, times: number): Promise<void> {
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const begin = Date.now();
  for (let round = 0; round < times; round += 1) {
    clock.mockReturnValue(begin + round * 120_000);
    await expect(readAllFiles(by, idOf(mailbox))).rejects.toMatchObject({ code: 'unavailable' });
  }
  clock.mockReturnValue(begin + times * 120_000);
}

it('reads a file however often the host could not read it before', async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [offer('loom')]);
  await hitsOf(ana, 'loom');
  const crowded = reading(() => Promise.reject(unavailable('too much work of this kind is waiting')));
  await tryOften(crowded, ana, 5);
  await readAllFiles(ctx, idOf(ana));
  expect(await hitsOf(ana, 'loom')).toBe(1);
});

it('gives up a file that ended its thread three times, and says so', async () => {
  const ana = await buildMailbox(app);
  await receiveFiles(ctx, [ana], [offer('spindle')]);
  await hitsOf(ana, 'spindle');
  const bounds = { cpuSeconds: 60, wallSeconds: 60, memoryMegabytes: 64, bufferMegabytes: 128 };
  const pool = new ThreadPool(new URL('../content/test-thread.ts', import.meta.url), null, { threads: 1, ...bounds });
  const ending = reading(async () => String(await pool.run('', { task: 'die', input: null })));
  await tryOften(ending, ana, 3);
  await pool.close();
  const warned = vi.spyOn(log, 'warn');
  onTestFinished(() => warned.mockRestore());
  await readAllFiles(ctx, idOf(ana));
  expect(warned).toHaveBeenCalledWith(
    expect.stringContaining('files of a message are not searched'),
    expect.anything(),
  );
  expect([await hasUnreadFiles(ana), await hitsOf(ana, 'spindle'), await hitsOf(ana, 'filename:offer')]).toEqual([
    false,
    0,
    1,
  ]);
});

it('tries three times to read a file whose reader dies', async () => {
  const ana = await buildMailbox(app);
  const userId = idOf(ana);
  await receiveFiles(ctx, [ana], [offer('reed')]);
  await hitsOf(ana, 'reed');
  let now = Date.now();
  const kinds: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    kinds.push((await app.search.run('takeFiles', { userId, budget: { now, msPerMinute: 1000 } })).kind);
    now += 300_000;
  }
  expect(kinds).toEqual(['entry', 'entry', 'entry', 'given_up', 'none']);
  expect([await hasUnreadFiles(ana), await hitsOf(ana, 'filename:offer')]).toEqual([false, 1]);
});
