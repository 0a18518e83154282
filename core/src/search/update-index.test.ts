import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { changeRows } from '../database/run-sql.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import type { App } from '../context/app.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { unavailable } from '../errors.ts';
import { log } from '../log.ts';
import { forgetRemoved } from '../mailstore/forget-removed.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { snooze, wakeSnoozed } from '../mailstore/snooze.ts';
import { inboundOf, rawMessage, receive } from '../mailstore/test-messages.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { Folder } from '../models/folder.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { indexPath } from '../search-index/index-path.ts';
import { keepIndex, mailboxesAfter, removeLostIndexes } from './keep-indexes.ts';
import { searchMailbox } from './search-mailbox.ts';
import { SearchThreads } from './search-threads.ts';
import { updateIndex } from './update-index.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const idOf = ({ user }: Mailbox): string => String(user.id);
const soon = () => ({ deadline: performance.now() + 30_000 });
const hitsOf = async (by: Ctx, mailbox: Mailbox, text: string): Promise<number> =>
  (await searchMailbox(by, { userId: idOf(mailbox), text, page: 1, limit: 100 })).total;

/** The same host in another process, with threads of its own. */
function otherProcess(): { ctx: Ctx; close: () => Promise<void> } {
  const search = new SearchThreads({ directory: app.config.searchDirectory, threads: 1 });
  return { ctx: systemContext({ ...app, search }), close: () => search.close() };
}

async function fill(mailbox: Mailbox, count: number, subject: string): Promise<string[]> {
  const inputs = Array.from({ length: count }, (_, number) =>
    inboundOf(rawMessage({ subject: `${subject} n${number}` }), [mailbox]),
  );
  const stored: string[] = [];
  for (let at = 0; at < inputs.length; at += 50) {
    const results = await Promise.all(inputs.slice(at, at + 50).map((input) => storeInbound(ctx, input)));
    stored.push(...results.flatMap(({ entryIds }) => entryIds));
  }
  return stored;
}

it('builds an index in steps, and says how far it is', async () => {
  const ana = await buildMailbox(app);
  await fill(ana, 450, 'Bale');
  const started = await updateIndex(ctx, idOf(ana), { deadline: 0 });
  expect(started).toMatchObject({ isCurrent: false, total: 450, state: { isBuilt: false, entries: 0 } });
  const { state, isCurrent } = await updateIndex(ctx, idOf(ana), soon());
  expect({ entries: state.entries, isCurrent }).toEqual({ entries: 450, isCurrent: true });
  expect(await hitsOf(ctx, ana, 'bale')).toBe(450);
  expect(await hitsOf(ctx, ana, 'n449')).toBe(1);
});

it('takes what changes while it is built', async () => {
  const ana = await buildMailbox(app);
  const ids = await fill(ana, 420, 'Bale');
  const userId = idOf(ana);
  // One batch of the newest is in
  while ((await updateIndex(ctx, userId, { deadline: performance.now() + 1 })).state.entries === 0);
  const [oldest = '', newest = ''] = [ids[0], ids.at(-1)];
  await changeStatus(ctx, { userId, entryIds: [newest], flags: { archiveStatus: true } });
  await changeStatus(ctx, { userId, entryIds: [oldest], flags: { trashStatus: true, readStatus: true } });
  await receive(ctx, [ana], { subject: 'Later' });
  expect((await updateIndex(ctx, userId, soon())).state.entries).toBe(421);
  expect(await hitsOf(ctx, ana, 'bale in:inbox')).toBe(418);
  expect(await hitsOf(ctx, ana, 'bale in:archive')).toBe(1);
  expect(await hitsOf(ctx, ana, 'in:trash is:read')).toBe(1);
  expect(await hitsOf(ctx, ana, 'later')).toBe(1);
});

it('keeps the place of a snoozed message that has come back, also when it is built anew', async () => {
  const ana = await buildMailbox(app);
  const userId = idOf(ana);
  const { entryIds } = await receive(ctx, [ana], { subject: 'Early bale' });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await changeRows(ctx, 'UPDATE mailbox_entries SET arrived_at = ? WHERE id IN (?)', [daysAgo(9), entryIds]);
  await receive(ctx, [ana], { subject: 'Late bale' });
  await updateIndex(ctx, userId, soon());
  await snooze(ctx, { userId, entryIds, until: daysAgo(-1) });
  await wakeSnoozed(ctx, undefined, daysAgo(-2));
  const search = async (text: string) => {
    const { rows } = await searchMailbox(ctx, { userId, text, page: 1, limit: 10 });
    return rows.map(({ message }) => message.subject);
  };
  const expectPlaces = async () => {
    expect(await search('bale')).toEqual(['Late bale', 'Early bale']);
    expect(await search('bale newer_than:5d')).toEqual(['Late bale']);
  };
  await expectPlaces();
  await app.search.run('clear', { userId });
  await expectPlaces();
});

it('is updated by several processes at once without losing or doubling anything', async () => {
  const ana = await buildMailbox(app);
  const other = otherProcess();
  try {
    let isFilled = false;
    const filling = fill(ana, 300, 'Bale').finally(() => {
      isFilled = true;
    });
    while (!isFilled) {
      await Promise.all([updateIndex(ctx, idOf(ana), soon()), updateIndex(other.ctx, idOf(ana), soon())]);
    }
    const ids = await filling;
    await Promise.all([
      changeStatus(ctx, { userId: idOf(ana), entryIds: ids.slice(0, 100), flags: { trashStatus: true } }),
      updateIndex(other.ctx, idOf(ana), soon()),
    ]);
    expect(await hitsOf(other.ctx, ana, 'bale in:trash')).toBe(100);
    expect(await hitsOf(ctx, ana, 'bale in:inbox')).toBe(200);
    expect((await updateIndex(ctx, idOf(ana), soon())).state.entries).toBe(300);
  } finally {
    await other.close();
  }
});

function changeFile(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

it.each([
  ['cut off', (path: string) => truncateSync(path, 5000)],
  ['no index', (path: string) => writeFileSync(path, 'This is a text. '.repeat(1000))],
  ['of another version', (path: string) => changeFile(path, 'PRAGMA user_version = 1')],
])('builds an index anew that is %s', async (_name, damage) => {
  const ana = await buildMailbox(app);
  await fill(ana, 20, 'Bale');
  const other = otherProcess();
  await updateIndex(other.ctx, idOf(ana), soon());
  // What is in the file beside it goes into the index when its last reader leaves
  await other.close();
  const path = indexPath(app.config.searchDirectory, idOf(ana));
  damage(path);
  expect(await hitsOf(ctx, ana, 'bale')).toBe(20);
  expect([existsSync(path), indexPath(app.config.searchDirectory, idOf(ana)) === path]).toEqual([false, false]);
});

it('finds what it has when nothing can be added to it', async () => {
  const ana = await buildMailbox(app);
  await fill(ana, 3, 'Bale');
  expect(await hitsOf(ctx, ana, 'bale')).toBe(3);
  await fill(ana, 2, 'Bale');
  const run: typeof app.search.run = (task, input) =>
    task === 'change' ? Promise.reject(unavailable('the disk is full')) : app.search.run(task, input);
  const find: typeof app.search.find = (question) => app.search.find(question);
  const full = systemContext({ ...app, search: { ...app.search, run, find } });
  const found = await searchMailbox(full, { userId: idOf(ana), text: 'bale', page: 1, limit: 10 });
  expect(found).toMatchObject({ total: 3, isComplete: false, indexed: 3, messages: 5 });
  expect(await hitsOf(ctx, ana, 'bale')).toBe(5);
});

it('goes on without a folder that its owner has deleted', async () => {
  const ana = await buildMailbox(app);
  const [stays, goes] = await fill(ana, 2, 'Bale');
  const userId = idOf(ana);
  const owner = { companyId: String(ana.company.id), userId };
  const folder = await Folder.create({
    ...owner,
    role: null,
    name: 'Looms',
    nameKey: 'looms',
    uidValidity: 1,
    uidNext: 2,
  });
  await changeRows(ctx, 'UPDATE mailbox_entries SET folder_id = ?, uid = 1 WHERE id = ?', [
    String(folder.id),
    goes ?? '',
  ]);
  const built = await updateIndex(ctx, userId, soon());
  expect(built.state).toMatchObject({ entries: 2, isBuilt: true });
  await changeRows(ctx, 'DELETE FROM mailbox_entries WHERE id = ?', [goes ?? '']);
  await folder.destroy();
  const run = vi.spyOn(app.search, 'run');
  const { state, isCurrent } = await updateIndex(ctx, userId, soon());
  expect(run.mock.calls.map(([task]) => task)).not.toContain('clear');
  run.mockRestore();
  expect({ entries: state.entries, isCurrent }).toEqual({ entries: 1, isCurrent: true });
  expect(state.folders.map(({ folderId }) => folderId)).not.toContain(String(folder.id));
  expect(await app.search.run('known', { userId, ids: [stays ?? '', goes ?? ''] })).toEqual([stays]);
});

it('begins anew when the host was restored', async () => {
  const ana = await buildMailbox(app);
  const [first = ''] = await fill(ana, 3, 'Bale');
  await updateIndex(ctx, idOf(ana), soon());
  // The snapshot is from before the first message was thrown away
  await changeStatus(ctx, { userId: idOf(ana), entryIds: [first], flags: { trashStatus: true } });
  await updateIndex(ctx, idOf(ana), soon());
  await changeRows(ctx, 'UPDATE folders SET uid_validity = uid_validity + 1 WHERE user_id = ?', [idOf(ana)]);
  const { state } = await updateIndex(ctx, idOf(ana), soon());
  expect(state.entries).toBe(3);
  expect(await hitsOf(ctx, ana, 'bale')).toBe(3);
});

it('begins anew when it missed UIDs that left a folder and are forgotten', async () => {
  const ana = await buildMailbox(app);
  const [first = ''] = await fill(ana, 3, 'Carder');
  await updateIndex(ctx, idOf(ana), soon());
  await changeStatus(ctx, { userId: idOf(ana), entryIds: [first], flags: { deleteStatus: true } });
  expect(await forgetRemoved(ctx, { before: new Date(Date.now() + 60_000) })).toBeGreaterThan(0);
  const { state } = await updateIndex(ctx, idOf(ana), soon());
  expect(state.entries).toBe(2);
  expect(await hitsOf(ctx, ana, 'carder')).toBe(2);
});

it('knows a message by its first words when its bytes are lost', async () => {
  const alarms = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  const ana = await buildMailbox(app);
  const { messageId } = await receive(ctx, [ana], { subject: 'Lost', body: `Beginning words. ${randomUUID()}` });
  const message = await Message.findByPk(messageId);
  await app.blobs.remove(message?.blobKey ?? '');
  expect(await hitsOf(ctx, ana, 'beginning')).toBe(1);
  expect(alarms).toHaveBeenCalled();
  alarms.mockRestore();
});

it('knows a message by its first words when the disk cannot read it, and finds the others', async () => {
  const ana = await buildMailbox(app);
  const { messageId } = await receive(ctx, [ana], { subject: 'Unreadable', body: `Beginning words. ${randomUUID()}` });
  await receive(ctx, [ana], { subject: 'Whole', body: 'Beginning and end.' });
  const { blobKey } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  await app.blobs.remove(blobKey);
  // Nothing is mapped at its beginning, so to read it there is an I/O error
  await symlink('/proc/self/mem', join(app.config.blobStore.directory, blobKey.slice(0, 2), blobKey));
  await expect(app.blobs.read(blobKey)).rejects.toMatchObject({ code: 'EIO' });
  expect(await hitsOf(ctx, ana, 'beginning')).toBe(2);
});

it('finds messages that are too costly for a thread by their first words, and the others wholly', {
  timeout: 60_000,
}, async () => {
  const ana = await buildMailbox(app);
  const costly = `Beginning words.\r\n${`${'東京都'.repeat(20)}\r\n`.repeat(5000)}`;
  for (const body of ['Beginning and end.', costly, 'Beginning, also with an end.', costly]) {
    await receive(ctx, [ana], { body });
  }
  const search = new SearchThreads({ directory: app.config.searchDirectory, threads: 1, memoryMegabytes: 14 });
  try {
    const by = systemContext({ ...app, search });
    // However little time there is, each look passes one of them
    while (!(await updateIndex(by, idOf(ana), { deadline: performance.now() + 50 })).isCurrent);
    expect(await hitsOf(by, ana, 'beginning')).toBe(4);
    expect(await hitsOf(by, ana, 'end')).toBe(2);
  } finally {
    await search.close();
  }
});

it('finds large messages by their beginning, and takes a few of them at a time', async () => {
  const ana = await buildMailbox(app);
  const words = Array.from({ length: 200_000 }, (_, number) => `w${number.toString(36)}`);
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await receive(ctx, [ana], { subject: name, body: words.join('\r\n') });
  }
  const memory = process.memoryUsage().arrayBuffers;
  expect((await updateIndex(ctx, idOf(ana), soon())).state.entries).toBe(6);
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(64 * 1_048_576);
  expect(await hitsOf(ctx, ana, '"w0"')).toBe(6);
  expect(await hitsOf(ctx, ana, 'subject:six "w1a"')).toBe(1);
  expect(await hitsOf(ctx, ana, `"${words.at(-1) ?? ''}"`)).toBe(0);
});

it('keeps the indexes of all mailboxes, and removes that of a person who is gone', async () => {
  const ana = await buildMailbox(app);
  await fill(ana, 2, 'Bale');
  const signal = AbortSignal.timeout(60_000);
  expect(await mailboxesAfter(ctx, String(BigInt(idOf(ana)) - 1n), 1)).toEqual([idOf(ana)]);
  expect(await keepIndex(ctx, idOf(ana), { longestMs: 30_000, signal })).toBe(true);
  const path = indexPath(app.config.searchDirectory, idOf(ana));
  expect(existsSync(path)).toBe(true);
  await User.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: idOf(ana) } });
  await eraseUserRows(ctx, idOf(ana));
  expect(await removeLostIndexes(ctx, signal)).toBeGreaterThanOrEqual(1);
  expect(existsSync(path)).toBe(false);
});
