import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { createRedis } from '../process/create-redis.ts';
import { type FolderNotice, hearChanges } from './change-feed.ts';
import { changeStatus } from './change-status.ts';
import { markOriginal } from './mark-original.ts';
import { type ChangesPosition, type FolderChanges, readChanges } from './read-changes.ts';
import { changeLabels } from './change-labels.ts';
import { Label } from '../models/label.ts';
import { receive } from './test-messages.ts';
import { until } from '../../../tests/support/until.ts';

async function setUp(messages = 0) {
  const app = await testApp();
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(app);
  const userId = String(mailbox.user.id);
  const entryIds: string[] = [];
  for (let count = 0; count < messages; count += 1) entryIds.push(...(await receive(ctx, [mailbox])).entryIds);
  const folderId = async (role: 'inbox' | 'archive' | 'trash' | 'junk') =>
    String((await Folder.findOne({ where: { userId, role }, rejectOnEmpty: true })).id);
  const changes = async (role: 'inbox' | 'archive' | 'trash' | 'junk', since = '0') =>
    await readChanges(ctx, { userId, folderId: await folderId(role), since });
  const set = (ids: string[], flags: Parameters<typeof changeStatus>[1]['flags']) =>
    changeStatus(ctx, { userId, entryIds: ids, flags });
  return { app, ctx, mailbox, userId, entryIds, folderId, changes, set };
}

describe('the changes of a folder', () => {
  it('are its entries with rising UIDs, and nothing behind the latest number', async () => {
    const { changes, entryIds } = await setUp(3);
    const { changed, vanished, highestModseq, uidNext } = await changes('inbox');
    expect(changed.map(({ id, uid, flags }) => [id, uid, flags])).toEqual(entryIds.map((id, at) => [id, at + 1, []]));
    expect([vanished, uidNext]).toEqual([[], 4]);
    expect(await changes('inbox', highestModseq)).toMatchObject({ changed: [], vanished: [], highestModseq });
  });

  it('name flags as mail programs do', async () => {
    const { ctx, changes, entryIds, userId, set } = await setUp(2);
    const [one = '', two = ''] = entryIds;
    const { highestModseq: before } = await changes('inbox');
    await set([one], { readStatus: true, starStatus: true });
    await inTransaction(ctx, (tx) => markOriginal(tx, { userId, entryId: one, isReply: true }));
    await inTransaction(ctx, (tx) => markOriginal(tx, { userId, entryId: one, isReply: false }));
    await MailboxEntry.update({ keywords: ['$Junk', 'Later'] }, { where: { id: one } });
    const { changed } = await changes('inbox', before);
    expect(changed.map(({ id, flags }) => [id, flags])).toEqual([
      [one, ['\\Seen', '\\Flagged', '\\Answered', '$Forwarded', '$Junk', 'Later']],
    ]);
    const { highestModseq } = await changes('inbox');
    await inTransaction(ctx, (tx) => markOriginal(tx, { userId, entryId: one, isReply: true }));
    expect((await changes('inbox', highestModseq)).changed).toEqual([]);
    expect(two).not.toBe('');
  });

  it('call the mail in the junk folder $Junk, once, and name labels', async () => {
    const { ctx, mailbox, userId, changes, entryIds, set } = await setUp(2);
    const [one = '', two = ''] = entryIds;
    const { highestModseq: before } = await changes('inbox');
    const label = await Label.create({
      companyId: mailbox.company.id,
      userId,
      name: 'Ä "odd"',
      nameKey: 'ä "odd"',
      colour: 'blue',
    });
    await changeLabels(ctx, { userId, entryIds: [two], add: [String(label.id)], remove: [] });
    expect((await changes('inbox', before)).changed).toMatchObject([
      { id: two, flags: [], labelIds: [String(label.id)] },
    ]);
    await MailboxEntry.update({ keywords: ['$Junk'] }, { where: { id: one } });
    await set([one], { junkStatus: true });
    expect((await changes('junk')).changed).toMatchObject([{ id: one, flags: ['$Junk'], labelIds: [] }]);
  });

  it('come in pages that show one moment, in the order of their UIDs', async () => {
    const { ctx, userId, entryIds, folderId, set } = await setUp(7);
    const folder = { userId, folderId: await folderId('inbox'), limit: 2 };
    await set([entryIds[2] ?? '', entryIds[0] ?? ''], { readStatus: true });
    const first = await readChanges(ctx, { ...folder, since: '0' });
    // While the pages are read, one changes that was read, and one leaves that was not
    await set([entryIds[1] ?? ''], { starStatus: true });
    await set([entryIds[6] ?? ''], { archiveStatus: true });
    const uids = first.changed.map(({ uid }) => uid);
    for (let { next } = first; next !== null; ) {
      const page = await readChanges(ctx, { ...folder, since: '0', from: next });
      expect(page.changed.length).toBeLessThanOrEqual(2);
      expect(page).toMatchObject({ highestModseq: first.highestModseq, uidNext: first.uidNext });
      uids.push(...page.changed.map(({ uid }) => uid));
      ({ next } = page);
    }
    expect(uids).toEqual([1, 2, 3, 4, 5, 6]);
    const after = await readChanges(ctx, { ...folder, since: first.highestModseq });
    expect(after).toMatchObject({ changed: [{ uid: 2, flags: ['\\Flagged'] }], vanished: [7], next: null });
  });

  it('tell of many that left in pages too', async () => {
    const { ctx, userId, entryIds, folderId, changes, set } = await setUp(5);
    const { highestModseq: since } = await changes('inbox');
    await set(entryIds, { archiveStatus: true });
    const folder = { userId, folderId: await folderId('inbox'), since, limit: 2 };
    const vanished: number[] = [];
    for (let page = await readChanges(ctx, folder); ; page = await readChanges(ctx, { ...folder, from: page.next })) {
      vanished.push(...page.vanished);
      if (page.next === null) break;
    }
    expect(vanished).toEqual([1, 2, 3, 4, 5]);
  });

  it('give an entry that moves another UID, and remember the one that it had', async () => {
    const { changes, entryIds, set } = await setUp(3);
    const [one = '', two = '', three = ''] = entryIds;
    const { highestModseq } = await changes('inbox');
    await set([two, one], { archiveStatus: true });
    expect(await changes('inbox', highestModseq)).toMatchObject({ changed: [], vanished: [1, 2] });
    const archive = await changes('archive');
    expect(archive.changed.map(({ id, uid }) => [id, uid])).toEqual([
      [one, 1],
      [two, 2],
    ]);
    await set([one], { archiveStatus: false });
    expect((await changes('inbox')).changed.map(({ id, uid }) => [id, uid])).toEqual([
      [three, 3],
      [one, 4],
    ]);
    await set([two], { deleteStatus: true });
    expect(await changes('archive', archive.highestModseq)).toMatchObject({
      changed: [],
      vanished: [1, 2],
      uidNext: 3,
    });
    expect(await MailboxEntry.findByPk(two)).toMatchObject({ folder: 'gone', folderId: null, uid: null });
  });

  it('of another person are not found', async () => {
    const { folderId } = await setUp(1);
    const stranger = await setUp(1);
    const asked = readChanges(stranger.ctx, { userId: stranger.userId, folderId: await folderId('inbox'), since: '0' });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  });
});

/** What a mail program knows of a folder that only ever asks for what is new. */
class Copy {
  readonly uids = new Map<number, string>();
  readonly problems: string[] = [];
  #since = '0';
  #highestUid = 0;

  async catchUp(ctx: Ctx, folder: { userId: string; folderId: string }): Promise<void> {
    let from: ChangesPosition | undefined;
    do {
      const page = await readChanges(ctx, { ...folder, since: this.#since, limit: 4, ...(from && { from }) });
      this.#take(page);
      if (page.next === null) this.#since = page.highestModseq;
      from = page.next ?? undefined;
    } while (from !== undefined);
  }

  #take({ changed, vanished, highestModseq }: FolderChanges): void {
    if (BigInt(highestModseq) < BigInt(this.#since)) this.problems.push('the number fell');
    for (const { uid, flags } of changed) {
      if (!this.uids.has(uid) && uid <= this.#highestUid) this.problems.push(`UID ${uid} came after a larger one`);
      this.uids.set(uid, flags.join(' '));
    }
    this.#highestUid = Math.max(this.#highestUid, ...changed.map(({ uid }) => uid));
    for (const uid of vanished) this.uids.delete(uid);
  }
}

describe('a copy of a folder that is kept by its changes', () => {
  it('is complete, although several deliver and move at the same time', async () => {
    const { ctx, mailbox, userId, entryIds, folderId, set } = await setUp(10);
    const folder = { userId, folderId: await folderId('inbox') };
    // Deliveries of another App share no commit with those of the first, as in another process
    const other = systemContext({ ...ctx.app });
    const copy = new Copy();
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await copy.catchUp(ctx, folder);
    })();
    const deliveries = Array.from({ length: 30 }, (_, turn) => receive(turn % 2 ? ctx : other, [mailbox]));
    const moves = Array.from({ length: 20 }, async (_, turn) => {
      const ids = turn % 2 ? entryIds : entryIds.toReversed();
      await set(ids, turn % 3 === 0 ? { readStatus: turn % 2 === 0 } : { archiveStatus: turn % 2 === 0 });
    });
    await Promise.all([...deliveries, ...moves]);
    isOver = true;
    await reading;
    await copy.catchUp(ctx, folder);
    const rows = await MailboxEntry.findAll({ where: { folderId: folder.folderId }, order: [['uid', 'ASC']] });
    expect(copy.problems).toEqual([]);
    expect([...copy.uids].toSorted(([a], [b]) => a - b)).toEqual(
      rows.map(({ uid, readStatus }) => [uid, readStatus ? '\\Seen' : '']),
    );
  });
});

describe('the feed of changes', () => {
  it('tells which folders have changed, after the commit', async () => {
    const { app, ctx, mailbox, userId, folderId, set } = await setUp();
    const subscriber = createRedis(app.config, { role: 'worker' });
    const heard: FolderNotice[] = [];
    await hearChanges(subscriber, (notices) => heard.push(...notices.filter((notice) => notice.userId === userId)));
    const { entryIds } = await receive(ctx, [mailbox]);
    await until('the arrival was announced', () => heard.length === 1);
    await set(entryIds, { archiveStatus: true });
    await until('the move was announced', () => heard.length === 3);
    expect(heard.map(({ role }) => role)).toEqual(['inbox', 'archive', 'inbox']);
    expect(heard.map(({ arrived }) => arrived)).toEqual([entryIds, undefined, undefined]);
    expect(heard[2]).toMatchObject({ folderId: await folderId('inbox') });
    subscriber.disconnect();
  });
});
