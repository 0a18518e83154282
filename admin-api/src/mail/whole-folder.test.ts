import { randomUUID } from 'node:crypto';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { insertRows } from '@selvage/core/database/insert-rows';
import { changeFolders } from '@selvage/core/mailstore/change-folders';
import { changeFolderStatus } from '@selvage/core/mailstore/change-folder-status';
import { changeThreads } from '@selvage/core/mailstore/change-threads';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { markFolder } from '@selvage/core/mailstore/walk-folder';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Changed {
  touched: string[];
  seen: number;
  until: string;
  is_left: boolean;
}

async function newPerson(messages = 0) {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ctx = systemContext(server.app);
  const userId = String(mailbox.user.id);
  const get = async (number: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let count = 0; count < number; count += 1) ids.push(...(await receive(ctx, [mailbox])).entryIds);
    return ids;
  };
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  const mark = async (folder = 'inbox') =>
    (await call('GET', `/mail/folder_mark?folder=${folder}`)).body.data as { until: string; total: number };
  const change = (body: object) => call('PUT', '/mail/folder_status', { folder: 'inbox', ...body });
  const changed = async (body: object) => (await change(body)).body.data as Changed;
  const totals = async () => (await call('GET', '/mail/totals')).body.data as Record<string, { total: number }>;
  const isTrue = () => verifyTotals(ctx, userId);
  const ids = await get(messages);
  return { mailbox, ctx, userId, ids, get, call, mark, change, changed, totals, isTrue };
}

/** Puts many entries of one message into the inbox, as so many conversations. */
async function fillInbox({ ctx, userId, ids }: Awaited<ReturnType<typeof newPerson>>, number: number): Promise<void> {
  const first = await MailboxEntry.findOne({ where: { id: ids }, rejectOnEmpty: true });
  const { companyId, messageId } = first;
  const { size } = await Message.findOne({ where: { id: messageId }, rejectOnEmpty: true });
  for (let done = 0; done < number; done += 1000) {
    await inTransaction(ctx, async (tx) => {
      const change = { companyId: String(companyId), userId, folder: 'inbox', total: 1000, unread: 1000 } as const;
      const folders = await changeFolders(tx, [{ ...change, arrivals: 1000, bytes: 1000 * Number(size) }]);
      const rows = Array.from({ length: 1000 }, () => ({
        companyId,
        userId,
        messageId,
        folder: 'inbox' as const,
        receivedStatus: true,
        bccList: null,
        threadKey: randomUUID(),
        arrivedAt: new Date(),
        ...folders.place(userId, 'inbox'),
      }));
      await insertRows(tx, MailboxEntry, rows);
      const entries = await MailboxEntry.findAll({
        where: { threadKey: rows.map(({ threadKey }) => threadKey) },
        transaction: tx.tx,
      });
      const steps = entries.map(({ id, folderId, threadKey, arrivedAt }) => ({
        folderId: String(folderId),
        threadKey,
        entryId: String(id),
        arrivedAt,
        total: 1 as const,
        unread: 1,
        starred: 0,
      }));
      await changeThreads(tx, steps);
    });
  }
}

describe('a change of a whole folder', () => {
  it('reaches what was there at the mark, and leaves what has come since', async () => {
    const ana = await newPerson(3);
    const { until, total } = await ana.mark();
    expect(total).toBe(3);
    const [late] = await ana.get(1);
    const { touched, is_left } = await ana.changed({ until, archive_status: true });
    expect([touched.toSorted(), is_left]).toEqual([ana.ids.toSorted(), false]);
    expect(await MailboxEntry.findByPk(late)).toMatchObject({ folder: 'inbox', archiveStatus: false });
    expect(await ana.totals()).toMatchObject({ inbox: { total: 1 }, archive: { total: 3 } });
    expect(await ana.isTrue()).toBe(true);
  });

  it('reaches all of a folder of one’s own, and of no other person’s', async () => {
    const [ana, ben] = [await newPerson(4), await newPerson()];
    const { _id } = (await ana.call('POST', '/mail/folders/create', { name: 'Looms' })).body.data as { _id: string };
    await ana.call('PUT', '/mail/move', { email_id: ana.ids.slice(1), folder_id: _id });
    const folder = `own:${_id}`;
    expect((await ben.call('GET', `/mail/folder_mark?folder=${folder}`)).status).toBe(404);
    expect((await ben.change({ folder, until: '99', trash_status: true })).status).toBe(404);
    for (const name of ['own:', 'own:x', 'own:1 OR 1=1']) {
      expect((await ana.change({ folder: name, until: '99', trash_status: true })).status).toBe(422);
    }
    const { until, total } = await ana.mark(folder);
    expect(total).toBe(3);
    await ana.call('PUT', '/mail/move', { email_id: [ana.ids[0]], folder_id: _id });
    expect((await ana.changed({ folder, until, read_status: true })).touched.toSorted()).toEqual(
      ana.ids.slice(1).toSorted(),
    );
    const { touched } = await ana.changed({ folder, until, trash_status: true });
    expect(touched.toSorted()).toEqual(ana.ids.slice(1).toSorted());
    expect(await ana.totals()).toMatchObject({
      trash: { total: 3, unread: 0 },
      own_folders: [{ total: 1, unread: 1 }],
    });
    // They go back to where they were
    await ana.call('PUT', '/mail/status_change', { email_id: touched, trash_status: false });
    expect(await ana.totals()).toMatchObject({ trash: { total: 0 }, own_folders: [{ total: 4, unread: 1 }] });
    expect(await ana.isTrue()).toBe(true);
    await ana.call('DELETE', `/mail/folders/delete/${_id}`);
    expect((await ana.call('GET', `/mail/folder_mark?folder=${folder}`)).status).toBe(404);
  });

  it('leaves what has come into the folder again', async () => {
    const ana = await newPerson(2);
    const { until } = await ana.mark();
    const [again] = ana.ids;
    for (const archive_status of [true, false]) {
      await ana.call('PUT', '/mail/status_change', { email_id: [again], archive_status });
    }
    expect((await ana.changed({ until, trash_status: true })).touched).toEqual([ana.ids[1]]);
    expect(await ana.totals()).toMatchObject({ inbox: { total: 1 }, trash: { total: 1 } });
  });

  it('names only what it has made different, so that it can be taken back', async () => {
    const ana = await newPerson(3);
    await ana.call('PUT', '/mail/status_change', { email_id: [ana.ids[0]], read_status: true });
    const { until } = await ana.mark();
    const answer = await ana.changed({ until, read_status: true });
    expect(answer).toMatchObject({ seen: 3, is_left: false });
    expect(answer.touched.toSorted()).toEqual(ana.ids.slice(1).toSorted());
    await ana.call('PUT', '/mail/status_change', { email_id: answer.touched, read_status: false });
    expect(await MailboxEntry.count({ where: { userId: ana.userId, readStatus: true } })).toBe(1);
    expect(await ana.isTrue()).toBe(true);
  });

  it('deletes for good what is in the trash alone', async () => {
    const ana = await newPerson(3);
    await ana.call('PUT', '/mail/status_change', { email_id: ana.ids.slice(1), trash_status: true });
    const { until } = await ana.mark('trash');
    expect((await ana.changed({ folder: 'trash', until, delete_status: true })).touched).toHaveLength(2);
    expect(await ana.totals()).toMatchObject({ inbox: { total: 1 }, trash: { total: 0 } });
    expect(await ana.isTrue()).toBe(true);
  });

  it('can be made by two windows at once, each of another kind', async () => {
    const ana = await newPerson(40);
    const { until } = await ana.mark();
    const answers = await Promise.all([
      ana.changed({ until, archive_status: true }),
      ana.changed({ until, trash_status: true }),
      ana.changed({ until, archive_status: true }),
    ]);
    const touched = answers.flatMap((answer) => answer.touched);
    expect(new Set(touched).size).toBe(touched.length);
    expect(touched.toSorted()).toEqual(ana.ids.toSorted());
    expect((await ana.totals())['inbox']?.total).toBe(0);
    expect(await ana.isTrue()).toBe(true);
  });

  it('touches no other person', async () => {
    const ana = await newPerson(1);
    const ben = await newPerson(2);
    await ben.changed({ until: '4000000000', trash_status: true });
    expect(await ana.totals()).toMatchObject({ inbox: { total: 1 } });
    const empty = await newPerson();
    expect(await empty.changed({ until: '9', read_status: true })).toEqual({
      touched: [],
      seen: 0,
      until: '9',
      is_left: false,
    });
  });

  it('is refused without the permission of the folder', async () => {
    const ana = await newPerson(1);
    const { user, company } = ana.mailbox;
    const flags = { canView: true, canCreate: true, canEdit: false, canDelete: false };
    for (const model of ['inbox', 'trash']) {
      await UserPermission.create({ companyId: company.id, userId: user.id, model, ...flags });
    }
    const refused = { status: 403, body: { code: 'forbidden' } };
    expect(await ana.change({ until: '9', archive_status: true })).toMatchObject(refused);
    expect(await ana.change({ folder: 'trash', until: '9', delete_status: true })).toMatchObject(refused);
    await UserPermission.update({ canView: false }, { where: { userId: user.id, model: 'inbox' } });
    expect(await ana.call('GET', '/mail/folder_mark?folder=inbox')).toMatchObject(refused);
  });

  it.each([
    { until: '9' },
    { until: 'x', read_status: true },
    { until: '-1', read_status: true },
    { until: '9', read_status: true, star_status: true },
    { until: '9', delete_status: false },
    { until: '9', folder: 'starred', read_status: true },
    { until: '9', folder: 'draft', trash_status: true },
    { read_status: true },
  ])('refuses %j', async (body) => {
    const ana = await newPerson();
    expect((await ana.change(body)).status).toBe(422);
  });
});

it('changes 10,000 messages in calls that each end soon, while other mail comes in', async () => {
  const ana = await newPerson(1);
  await fillInbox(ana, 10_000);
  const inbox = { userId: ana.userId, folder: 'inbox' } as const;
  let { until } = await markFolder(ana.ctx, inbox);
  const touched = new Set<string>();
  for (let calls = 0, isLeft = true; isLeft; calls += 1) {
    const begun = Date.now();
    const flags = { archiveStatus: true };
    const [progress] = await Promise.all([changeFolderStatus(ana.ctx, { ...inbox, flags, until }), ana.get(1)]);
    expect(Date.now() - begun).toBeLessThan(15_000);
    expect(calls).toBeLessThan(100);
    for (const id of progress.touched) touched.add(id);
    ({ until, isLeft } = progress);
  }
  expect(touched.size).toBe(10_001);
  const { inbox: left, archive } = await ana.totals();
  expect(archive?.total).toBe(10_001);
  expect(left?.total).toBeGreaterThan(0);
  expect(await ana.isTrue()).toBe(true);
}, 180_000);
