import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { mostOwnFolders, type OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { emptyDeletedFolder } from '@selvage/core/mailstore/own-folders';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Folder } from '@selvage/core/models/folder';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Place {
  folder_id: string | null;
  archive_status: boolean;
  junk_status: boolean;
  trash_status: boolean;
}

interface Moved {
  changed: number;
  touched: { from: Place; email_ids: string[] }[];
  is_left: boolean;
}

const inbox: Place = { folder_id: null, archive_status: false, junk_status: false, trash_status: false };

async function newPerson(messages = 0) {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ctx = systemContext(server.app);
  const userId = String(mailbox.user.id);
  const get = async (number: number, overrides: Parameters<typeof receive>[2] = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let count = 0; count < number; count += 1) ids.push(...(await receive(ctx, [mailbox], overrides)).entryIds);
    return ids;
  };
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  const create = (name: unknown) => call('POST', '/mail/folders/create', { name });
  const make = async (name: string) => ((await create(name)).body.data as OwnFolderDto)._id;
  const rename = (id: string, name: string) => call('PUT', `/mail/folders/update/${id}`, { name });
  const remove = (id: string) => call('DELETE', `/mail/folders/delete/${id}`);
  const folders = async () => (await call('GET', '/mail/folders/get/all')).body.data as OwnFolderDto[];
  const move = (email_id: string[], body: object) => call('PUT', '/mail/move', { email_id, ...body });
  const moved = async (ids: string[], body: object) => (await move(ids, body)).body.data as Moved;
  const flag = (email_id: string[], flags: object) => call('PUT', '/mail/status_change', { email_id, ...flags });
  const totals = async () =>
    (await call('GET', '/mail/totals')).body.data as Record<string, { total: number }> & {
      own_folders: OwnFolderDto[];
    };
  const list = async (query: string) =>
    (await call('GET', `/mail/get/sent/by_user?limit=50&${query}`)).body.data as EmailRowDto[];
  const found = async (q: string) => {
    const { body } = await call('GET', `/mail/search?q=${encodeURIComponent(q)}&limit=50`);
    return idsOf((body.data as { rows: EmailRowDto[] }).rows);
  };
  const isTrue = () => verifyTotals(ctx, userId);
  const ids = await get(messages);
  const lists = { folders, totals, list, found, isTrue };
  return { mailbox, ctx, userId, ids, get, call, create, make, rename, remove, move, moved, flag, ...lists };
}

const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id);

describe('folders that a person made', () => {
  it('are made, listed by name, renamed and deleted', async () => {
    const ana = await newPerson();
    const made = await ana.create('  Looms ');
    expect([made.status, made.body.data]).toMatchObject([200, { name: 'Looms', total: 0, unread: 0 }]);
    const { _id: id } = made.body.data as OwnFolderDto;
    await ana.make('bills');
    expect((await ana.rename(id, 'LOOMS')).status).toBe(200);
    expect(await ana.folders()).toMatchObject([{ name: 'bills' }, { _id: id, name: 'LOOMS' }]);
    expect((await ana.totals()).own_folders).toMatchObject([{ name: 'bills' }, { name: 'LOOMS' }]);
    expect((await ana.remove(id)).status).toBe(200);
    expect([(await ana.remove(id)).status, (await ana.rename(id, 'x')).status]).toEqual([404, 404]);
    // Its name is free at once
    expect((await ana.create('Looms')).status).toBe(200);
  });

  it('have names that differ in more than capitals, also when two windows rename at once', async () => {
    const ana = await newPerson();
    const [one, other] = [await ana.make('Straße'), await ana.make('Other')];
    expect((await ana.create('STRAßE')).body).toMatchObject({ code: 'folder_name_taken' });
    const answers = await Promise.all([ana.rename(one, 'Looms'), ana.rename(other, 'ＬOOMS')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const bea = await newPerson();
    expect((await bea.create('Straße')).status).toBe(200);
  });

  it.each([
    '',
    ' \t ',
    'a'.repeat(61),
    'two\nlines',
    'bell\u0007',
    'one\u2028two',
    'turned \u202e round',
    'hid\u200bden',
    'has " quotes',
    'Inbox',
    'TRASH',
    'ｓｅｎｔ',
    '\ud800',
    'half \ufffd',
    7,
    null,
  ])('are not called %j', async (name) => {
    const ana = await newPerson();
    expect((await ana.create(name)).status).toBe(422);
    expect(await ana.folders()).toEqual([]);
  });

  it('take any other name', async () => {
    const ana = await newPerson();
    const names = ['\ufdfa'.repeat(60), "<b>&'\\%_ \ud83e\uddf5", '../../etc', 'Inbox 2'];
    for (const name of names) expect((await ana.create(name)).body.data).toMatchObject({ name });
  });

  it(`are ${mostOwnFolders} at most, however many are asked for`, async () => {
    const ana = await newPerson();
    const owner = { companyId: String(ana.mailbox.company.id), userId: ana.userId, role: null, uidValidity: 1 };
    const rows = Array.from({ length: mostOwnFolders - 1 }, (_, index) => `f${index}`);
    await Folder.bulkCreate(rows.map((name) => ({ ...owner, name, nameKey: name })));
    const answers = await Promise.all(['one', 'two', 'three'].map((name) => ana.create(name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await ana.folders()).toHaveLength(mostOwnFolders);
  });

  it('of another person are not there', async () => {
    const [ana, bea] = [await newPerson(1), await newPerson(1)];
    const hers = await bea.make('Hers');
    const statuses = [
      await ana.rename(hers, 'mine'),
      await ana.remove(hers),
      await ana.move(ana.ids, { folder_id: hers }),
      await ana.move(ana.ids, { folder_id: hers, whole_threads: true }),
      await ana.call('GET', `/mail/get/sent/by_user?own_folder=${hers}`),
      await ana.call('GET', `/mail/get/sent/by_user?own_folder=${hers}&grouped=true`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    const own = await ana.make('Own');
    expect((await ana.move([...ana.ids, ...bea.ids], { folder_id: own })).status).toBe(404);
    expect(await ana.list(`own_folder=${own}`)).toEqual([]);
    // The row of a folder of the host is no folder of one's own
    const inboxRow = await Folder.findOne({ where: { userId: ana.userId, role: 'inbox' } });
    expect((await ana.move(ana.ids, { folder_id: String(inboxRow?.id) })).status).toBe(404);
    expect((await ana.remove(String(inboxRow?.id))).status).toBe(404);
    expect([await ana.isTrue(), await bea.isTrue()]).toEqual([true, true]);
  });

  it('are not for a person who may not view the inbox', async () => {
    const ana = await newPerson(1);
    const own = await ana.make('Own');
    await ana.moved(ana.ids, { folder_id: own });
    const flags = { canView: false, canCreate: false, canEdit: false, canDelete: false };
    await UserPermission.create({
      companyId: String(ana.mailbox.company.id),
      userId: ana.userId,
      model: 'inbox',
      ...flags,
    });
    expect(await ana.folders()).toEqual([]);
    const statuses = [
      await ana.create('Other'),
      await ana.rename(own, 'Other'),
      await ana.remove(own),
      await ana.move(ana.ids, { folder_id: null }),
      await ana.call('GET', `/mail/get/sent/by_user?own_folder=${own}`),
      await ana.call('GET', `/mail/get/${ana.ids[0]}`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
  });
});

describe('messages in a folder of one’s own', () => {
  it('leave the inbox, are listed newest first, counted, and go back', async () => {
    const ana = await newPerson(3);
    const looms = await ana.make('Looms');
    const [first = '', second = '', third = ''] = ana.ids;
    expect(await ana.moved([first, second], { folder_id: looms })).toEqual({
      changed: 2,
      touched: [{ from: inbox, email_ids: [first, second] }],
      is_left: false,
    });
    expect(await ana.moved([first], { folder_id: looms })).toMatchObject({ changed: 0, touched: [] });
    expect(idsOf(await ana.list('received_status=true'))).toEqual([third]);
    const rows = await ana.list(`own_folder=${looms}`);
    expect(idsOf(rows)).toEqual([second, first]);
    expect(rows[0]).toMatchObject({ own_folder: looms, archive_status: false });
    expect((await ana.totals()).own_folders).toMatchObject([{ total: 2, unread: 2 }]);
    await ana.flag([first], { read_status: true });
    expect((await ana.totals()).own_folders).toMatchObject([{ total: 2, unread: 1 }]);
    expect(await ana.isTrue()).toBe(true);
    await ana.moved([first, second], { folder_id: null });
    expect(idsOf(await ana.list('received_status=true'))).toEqual([third, second, first]);
    expect(await ana.isTrue()).toBe(true);
  });

  it('go from one folder to another, from wherever they are, and exactly back', async () => {
    const ana = await newPerson(5);
    const [looms, bills] = [await ana.make('Looms'), await ana.make('Bills')];
    const [one = '', two = '', three = '', four = '', five = ''] = ana.ids;
    await ana.moved([one], { folder_id: bills });
    await ana.flag([two], { archive_status: true });
    await ana.flag([three], { trash_status: true, archive_status: true });
    await ana.flag([four], { junk_status: true });
    const { touched } = await ana.moved(ana.ids, { folder_id: looms });
    expect(idsOf(await ana.list(`own_folder=${looms}`))).toEqual([five, four, three, two, one]);
    expect(await ana.isTrue()).toBe(true);
    for (const { from, email_ids } of touched) await ana.moved(email_ids, from);
    expect(idsOf(await ana.list(`own_folder=${bills}`))).toEqual([one]);
    expect(idsOf(await ana.list('archive_status=true'))).toEqual([two]);
    expect(idsOf(await ana.list('trash_status=true'))).toEqual([three]);
    expect(idsOf(await ana.list('junk_status=true'))).toEqual([four]);
    expect(idsOf(await ana.list('received_status=true'))).toEqual([five]);
    await ana.flag([three], { trash_status: false });
    expect(idsOf(await ana.list('archive_status=true'))).toEqual([three, two]);
    expect(await ana.isTrue()).toBe(true);
  });

  it('never go to Junk where the person has sent them', async () => {
    const ana = await newPerson(2);
    const looms = await ana.make('Looms');
    const [mine = '', other = ''] = ana.ids;
    await MailboxEntry.update({ sendStatus: true, receivedStatus: false }, { where: { id: mine } });
    await ana.moved(ana.ids, { folder_id: looms });
    const { touched } = await ana.moved(ana.ids, { ...inbox, junk_status: true });
    expect(idsOf(await ana.list('junk_status=true'))).toEqual([other]);
    expect(idsOf(await ana.list('send_status=true'))).toEqual([mine]);
    for (const { from, email_ids } of touched) await ana.moved(email_ids, from);
    expect(idsOf(await ana.list(`own_folder=${looms}`))).toEqual([other, mine]);
    await ana.moved([mine], { ...inbox, junk_status: true, whole_threads: true });
    expect(idsOf(await ana.list('junk_status=true'))).toEqual([]);
  });

  it('come back to their folder from the archive, from Junk and from the trash', async () => {
    const ana = await newPerson(1);
    const looms = await ana.make('Looms');
    await ana.moved(ana.ids, { folder_id: looms });
    for (const name of ['archive_status', 'junk_status', 'trash_status']) {
      await ana.flag(ana.ids, { [name]: true });
      expect(idsOf(await ana.list(`${name}=true`))).toEqual(ana.ids);
      expect(await ana.list(`own_folder=${looms}`)).toEqual([]);
      await ana.flag(ana.ids, { [name]: false });
      expect(idsOf(await ana.list(`own_folder=${looms}`))).toEqual(ana.ids);
    }
    expect(await ana.isTrue()).toBe(true);
  });

  it('stay where they are when they were snoozed and their time comes', async () => {
    const ana = await newPerson(1);
    const looms = await ana.make('Looms');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await ana.call('PUT', '/mail/snooze', { email_id: ana.ids, until });
    await ana.moved(ana.ids, { folder_id: looms });
    expect(idsOf(await ana.list(`own_folder=${looms}`))).toEqual(ana.ids);
    expect(await ana.isTrue()).toBe(true);
    // Taken back, it sleeps on
    await ana.moved(ana.ids, { folder_id: null });
    expect(idsOf(await ana.list('snoozed_status=true'))).toEqual(ana.ids);
  });

  it('are grouped, moved by conversation, and 500 at once', async () => {
    const ana = await newPerson();
    const looms = await ana.make('Looms');
    const talk = await ana.get(3, { references: '<root@x.test>' });
    const others = await ana.get(497);
    const { changed, touched } = await ana.moved([talk[2] ?? ''], { folder_id: looms, whole_threads: true });
    expect([changed, touched]).toEqual([3, [{ from: inbox, email_ids: talk }]]);
    const grouped = await ana.list(`own_folder=${looms}&grouped=true`);
    expect(grouped).toMatchObject([{ _id: talk[2], thread: { count: 3, unread: 3 } }]);
    expect((await ana.moved([...talk, ...others], { folder_id: looms })).changed).toBe(497);
    expect((await ana.move([...talk, ...others, '1'], { folder_id: looms })).status).toBe(422);
    expect((await ana.totals()).own_folders).toMatchObject([{ total: 500, unread: 500 }]);
    expect(await ana.isTrue()).toBe(true);
  }, 120_000);

  it('are in the conversation of a message elsewhere', async () => {
    const ana = await newPerson();
    const looms = await ana.make('Looms');
    const [first = '', second = ''] = await ana.get(2, { references: '<root2@x.test>' });
    await ana.moved([first], { folder_id: looms });
    const { body } = await ana.call('GET', `/mail/get/${second}`);
    expect(idsOf((body.data as EmailDto).replies)).toEqual([first]);
    const beside = await ana.call('GET', `/mail/get/${first}?replies=0`);
    expect(beside.body.data).toMatchObject({ earlier_replies: 1, own_folder: looms });
  });

  it('are found, and by the name of their folder', async () => {
    const ana = await newPerson();
    const [looms] = [await ana.make('My Looms'), await ana.make('Bills')];
    const [first = '', second = ''] = await ana.get(2, { subject: 'Warp and weft' });
    await ana.moved([first], { folder_id: looms });
    expect(await ana.found('weft')).toEqual([second, first]);
    expect(await ana.found('weft in:"my looms"')).toEqual([first]);
    expect(await ana.found('in:"MY LOOMS"')).toEqual([first]);
    expect(await ana.found('in:bills')).toEqual([]);
    expect(await ana.found('in:inbox')).toEqual([second]);
    await ana.rename(looms, 'Other');
    expect(await ana.found('in:other')).toEqual([first]);
  });

  it('refuses drafts and scheduled messages, and no place at all', async () => {
    const ana = await newPerson(1);
    const looms = await ana.make('Looms');
    await MailboxEntry.update({ scheduledStatus: true }, { where: { id: ana.ids[0] ?? '' } });
    expect((await ana.move(ana.ids, { folder_id: looms })).body).toMatchObject({ code: 'not_movable' });
    await MailboxEntry.update({ scheduledStatus: false }, { where: { id: ana.ids[0] ?? '' } });
    for (const body of [{}, { folder_id: 'x' }, { folder_id: 1e30 }, { folder_id: looms, trash_status: 'yes' }])
      expect((await ana.move(ana.ids, body)).status).toBe(422);
    expect((await ana.move([], { folder_id: looms })).status).toBe(422);
    expect((await ana.call('GET', `/mail/get/sent/by_user?own_folder=${looms}&star_status=true`)).status).toBe(422);
  });
});

/** The row of a folder that was made in this second stays until the second is over. */
async function rowGoes(ctx: Ctx, folderId: string): Promise<void> {
  await until('the row of the folder to go', async () => {
    await emptyDeletedFolder(ctx, folderId);
    return (await Folder.count({ where: { id: folderId } })) === 0;
  });
}

describe('a deleted folder', () => {
  it('is known from one that is made again at once, also after a clock that was ahead', async () => {
    const ana = await newPerson();
    const values: number[] = [];
    const make = async () => {
      const id = await ana.make('Looms');
      values.push((await Folder.findByPk(id, { rejectOnEmpty: true })).uidValidity);
      return id;
    };
    const removed = async (id: string) => {
      await ana.remove(id);
      await emptyDeletedFolder(ana.ctx, id);
    };
    await removed(await make());
    await removed(await make());
    const ahead = Math.floor(Date.now() / 1000) + 86_400;
    const third = await make();
    await Folder.update({ uidValidity: ahead }, { where: { id: third } });
    values.push(ahead);
    await removed(third);
    const fourth = await make();
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
    // The larger value of the present one is known, so the row before it can go
    await emptyDeletedFolder(ana.ctx, third);
    expect(await Folder.count({ where: { id: third } })).toBe(0);
    await removed(fourth);
    expect(await Folder.count({ where: { id: fourth } })).toBe(1);
    expect(await ana.folders()).toEqual([]);
  });

  it('loses its mail to the trash in batches, and nothing goes back to it', async () => {
    const ana = await newPerson(4);
    const looms = await ana.make('Looms');
    await ana.moved(ana.ids, { folder_id: looms });
    const [one = '', two = '', three = '', four = ''] = ana.ids;
    await ana.flag([one], { archive_status: true });
    await ana.flag([two], { trash_status: true });
    await ana.remove(looms);
    expect(await OutboxRow.count({ where: { jobName: 'mail.empty-deleted-folder' } })).toBeGreaterThan(0);
    expect((await ana.move([one], { folder_id: looms })).status).toBe(404);
    // Before the job has run, what comes back finds no folder, and what is in it can be read
    await ana.flag([two], { trash_status: false });
    expect(idsOf(await ana.list('received_status=true'))).toEqual([two]);
    expect((await ana.flag([three], { read_status: true })).status).toBe(200);
    await emptyDeletedFolder(ana.ctx, looms);
    expect(idsOf(await ana.list('trash_status=true'))).toEqual([four, three]);
    await rowGoes(ana.ctx, looms);
    await ana.flag([one], { archive_status: false });
    await ana.flag([three, four], { trash_status: false });
    expect(idsOf(await ana.list('received_status=true')).toSorted()).toEqual(ana.ids.toSorted());
    expect(await ana.isTrue()).toBe(true);
  });

  it('keeps no message from going back to the archive, to Junk or to the trash', async () => {
    const ana = await newPerson(3);
    const [looms, bills] = [await ana.make('Looms'), await ana.make('Bills')];
    await ana.moved(ana.ids, { folder_id: looms });
    for (const [index, name] of ['archive_status', 'junk_status', 'trash_status'].entries()) {
      await ana.flag(ana.ids.slice(index, index + 1), { [name]: true });
    }
    await ana.remove(looms);
    const { touched } = await ana.moved(ana.ids, { folder_id: bills });
    expect(touched).toHaveLength(3);
    for (const { from, email_ids } of touched) {
      expect((await ana.move(email_ids, from)).status).toBe(200);
      expect(await ana.moved(email_ids, { ...from, whole_threads: true })).toMatchObject({ changed: 0 });
    }
    for (const [index, name] of ['archive_status', 'junk_status', 'trash_status'].entries()) {
      expect(idsOf(await ana.list(`${name}=true`))).toEqual(ana.ids.slice(index, index + 1));
      await ana.flag(ana.ids.slice(index, index + 1), { [name]: false });
    }
    expect(idsOf(await ana.list('received_status=true')).toSorted()).toEqual(ana.ids.toSorted());
    expect((await ana.move(ana.ids, { folder_id: looms })).status).toBe(404);
    expect(await ana.isTrue()).toBe(true);
  });

  it('is passed over by a message that moves into it at the same moment', async () => {
    const ana = await newPerson(6);
    const looms = await ana.make('Looms');
    const answers = await Promise.all([
      ...ana.ids.map((id) => ana.move([id], { folder_id: looms })),
      ana.remove(looms),
    ]);
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
    await rowGoes(ana.ctx, looms);
    const { inbox: left, trash } = await ana.totals();
    expect((left?.total ?? 0) + (trash?.total ?? 0)).toBe(6);
    expect(await ana.isTrue()).toBe(true);
  });

  it('goes with its owner', async () => {
    const ana = await newPerson(2);
    const looms = await ana.make('Looms');
    await ana.moved(ana.ids, { folder_id: looms });
    await User.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: ana.userId } });
    await eraseUserRows(ana.ctx, ana.userId);
    expect([
      await Folder.count({ where: { id: looms } }),
      await MailboxEntry.count({ where: { userId: ana.userId } }),
    ]).toEqual([0, 0]);
  });
});
