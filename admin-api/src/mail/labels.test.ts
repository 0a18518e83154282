import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { type LabelDto, mostLabels } from '@selvage/core/contracts/labels';
import { systemContext } from '@selvage/core/context/context';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import { eraseUserRows } from '@selvage/core/directory/erase-rows';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { removeLabelRows } from '@selvage/core/mailstore/remove-label';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Label } from '@selvage/core/models/label';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { OutboxRow } from '@selvage/core/models/outbox-row';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Changed {
  changed: number;
  touched: { label_id: string; email_ids: string[] }[];
  is_left: boolean;
}

async function newPerson(messages = 0) {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ctx = systemContext(server.app);
  const userId = String(mailbox.user.id);
  const get = async (number: number, root?: string): Promise<string[]> => {
    const ids: string[] = [];
    const overrides = root === undefined ? {} : { references: `<${root}@x.test>` };
    for (let count = 0; count < number; count += 1) ids.push(...(await receive(ctx, [mailbox], overrides)).entryIds);
    return ids;
  };
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  const create = (body: object) => call('POST', '/mail/labels/create', { colour: 'red', ...body });
  const make = async (name: string) => ((await create({ name })).body.data as LabelDto)._id;
  const change = (email_id: string[], body: object) => call('PUT', '/mail/label_change', { email_id, ...body });
  const changed = async (ids: string[], body: object) => (await change(ids, body)).body.data as Changed;
  const flag = (email_id: string[], flags: object) => call('PUT', '/mail/status_change', { email_id, ...flags });
  const counts = async (id: string) => {
    const { labels } = (await call('GET', '/mail/totals')).body.data as { labels: LabelDto[] };
    const found = labels.find(({ _id }) => _id === id);
    return found && [found.total, found.unread];
  };
  const list = async (id: string, query = '') => {
    const { body } = await call('GET', `/mail/get/sent/by_user?label=${id}&limit=50${query}`);
    return body.data as EmailRowDto[];
  };
  const isTrue = () => verifyTotals(ctx, userId);
  const ids = await get(messages);
  return { mailbox, ctx, userId, ids, get, call, create, make, change, changed, flag, counts, list, isTrue };
}

const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id);

describe('labels of a person', () => {
  it('are made, listed by name, changed and deleted', async () => {
    const ana = await newPerson();
    const made = await ana.create({ name: '  Looms ', colour: 'teal' });
    expect([made.status, made.body.data]).toMatchObject([200, { name: 'Looms', colour: 'teal', total: 0, unread: 0 }]);
    const { _id: id } = made.body.data as LabelDto;
    await ana.make('bills');
    await ana.call('PUT', `/mail/labels/update/${id}`, { name: 'LOOMS', colour: 'grey' });
    const listed = (await ana.call('GET', '/mail/labels/get/all')).body.data as LabelDto[];
    expect(listed).toMatchObject([{ name: 'bills' }, { _id: id, name: 'LOOMS', colour: 'grey' }]);
    expect((await ana.call('DELETE', `/mail/labels/delete/${id}`)).status).toBe(200);
    expect((await ana.call('DELETE', `/mail/labels/delete/${id}`)).status).toBe(404);
    // Its name is free at once
    expect((await ana.create({ name: 'Looms' })).status).toBe(200);
  });

  it('have names that differ in more than capitals', async () => {
    const ana = await newPerson();
    await ana.make('Straße');
    const taken = await ana.create({ name: 'STRASSE'.replace('SS', 'ß') });
    expect([taken.status, taken.body['code']]).toEqual([409, 'label_name_taken']);
    const other = await ana.make('Other');
    expect((await ana.call('PUT', `/mail/labels/update/${other}`, { name: 'sTRAßE' })).status).toBe(409);
    const bea = await newPerson();
    expect((await bea.create({ name: 'Straße' })).status).toBe(200);
  });

  it.each([
    { name: '' },
    { name: ' \t ' },
    { name: 'a'.repeat(101) },
    { name: 'two\nlines' },
    { name: 'bell\u0007' },
    { name: 'one\u2028two' },
    { name: 7 },
    { name: 'x', colour: 'url(#x)' },
    { name: 'x', colour: '#ff0000' },
    { name: 'x', colour: 'constructor' },
  ])('refuses %j', async (body) => {
    const ana = await newPerson();
    expect((await ana.create(body)).status).toBe(422);
  });

  it('takes any name of a hundred characters, also one that folds to many more', async () => {
    const ana = await newPerson();
    expect((await ana.create({ name: '\ufdfa'.repeat(100) })).status).toBe(200);
    expect((await ana.create({ name: '<b>&"\'\\%_ \ud83e\uddf5' })).body.data).toMatchObject({
      name: '<b>&"\'\\%_ \ud83e\uddf5',
    });
  });

  it(`are ${mostLabels} at most`, async () => {
    const ana = await newPerson();
    const owner = { companyId: String(ana.mailbox.company.id), userId: ana.userId, colour: 'red' } as const;
    await Label.bulkCreate(
      Array.from({ length: mostLabels - 1 }, (_, index) => ({ ...owner, name: `l${index}`, nameKey: `l${index}` })),
    );
    const answers = await Promise.all(['one', 'two'].map((name) => ana.create({ name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('of another person are not there', async () => {
    const [ana, bea] = [await newPerson(1), await newPerson(1)];
    const hers = await bea.make('Hers');
    const statuses = [
      await ana.call('PUT', `/mail/labels/update/${hers}`, { name: 'mine' }),
      await ana.call('DELETE', `/mail/labels/delete/${hers}`),
      await ana.change(ana.ids, { add: [hers] }),
      await ana.change(ana.ids, { remove: [hers] }),
      await ana.change(ana.ids, { add: [hers], whole_threads: true }),
      await ana.call('GET', `/mail/get/sent/by_user?label=${hers}`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    const own = await ana.make('Own');
    expect((await ana.change([...ana.ids, ...bea.ids], { add: [own] })).status).toBe(404);
    expect(await ana.counts(own)).toEqual([0, 0]);
  });
});

describe('labels of messages', () => {
  it('are in the rows and the open message, and show them newest first', async () => {
    const ana = await newPerson(3);
    const [bills, looms] = [await ana.make('Bills'), await ana.make('Looms')];
    const [first = '', second = ''] = ana.ids;
    expect(await ana.changed([first, second], { add: [bills] })).toEqual({
      changed: 2,
      touched: [{ label_id: bills, email_ids: [first, second] }],
      is_left: false,
    });
    await ana.changed([second], { add: [looms, bills] });
    expect(await ana.counts(bills)).toEqual([2, 2]);
    expect(await ana.list(bills)).toMatchObject([
      { _id: second, labels: [bills, looms] },
      { _id: first, labels: [bills] },
    ]);
    const open = (await ana.call('GET', `/mail/get/${second}`)).body.data as EmailDto;
    expect(open.labels).toEqual([bills, looms]);
    expect(await ana.changed([first, second], { remove: [bills], add: [looms] })).toMatchObject({ changed: 2 });
    expect([await ana.counts(bills), await ana.counts(looms)]).toEqual([
      [0, 0],
      [2, 2],
    ]);
    expect(await ana.isTrue()).toBe(true);
  });

  it.each([
    { add: [] },
    {},
    { add: ['x'] },
    { add: ['1'], remove: ['1'] },
    { add: Array.from({ length: 21 }, (_, index) => String(index + 1)) },
  ])('refuses %j', async (body) => {
    const ana = await newPerson(1);
    expect((await ana.change(ana.ids, body)).status).toBe(422);
  });

  it('raise the MODSEQ of the messages that they change, and of no others', async () => {
    const ana = await newPerson(2);
    const label = await ana.make('Bills');
    const [first = '', second = ''] = ana.ids;
    await ana.change([first], { add: [label] });
    const modseqOf = async (id: string) => Number((await MailboxEntry.findByPk(id))?.modseq);
    const [before, other] = [await modseqOf(first), await modseqOf(second)];
    expect(before).toBeGreaterThan(other);
    await ana.change([first, second], { add: [label] });
    expect(await modseqOf(first)).toBe(before);
    expect(await modseqOf(second)).toBeGreaterThan(before);
  });

  it('count right through flags, the trash, Junk, the archive and back', async () => {
    const ana = await newPerson(4);
    const label = await ana.make('Bills');
    const [a = '', b = '', c = '', d = ''] = ana.ids;
    await ana.change([a, b, c, d], { add: [label] });
    const after = async (ids: string[], flags: object) => {
      await ana.flag(ids, flags);
      expect(await ana.isTrue()).toBe(true);
      return await ana.counts(label);
    };
    expect(await after([a], { read_status: true })).toEqual([4, 3]);
    expect(await after([a, b], { trash_status: true })).toEqual([2, 2]);
    expect(idsOf(await ana.list(label))).toEqual([d, c]);
    expect(await after([b], { read_status: true })).toEqual([2, 2]);
    expect(await after([a, b], { trash_status: false })).toEqual([4, 2]);
    expect(await after([c], { archive_status: true, star_status: true })).toEqual([4, 2]);
    expect(await after([d], { junk_status: true })).toEqual([3, 1]);
    // Put on while it is out of sight, it is there when the message comes back
    const other = await ana.make('Other');
    await ana.change([d], { add: [other] });
    expect(await ana.counts(other)).toEqual([0, 0]);
    expect(await after([d], { junk_status: false })).toEqual([4, 2]);
    expect(await ana.counts(other)).toEqual([1, 1]);
    expect(await after([a], { delete_status: true })).toEqual([3, 2]);
    expect(idsOf(await ana.list(label))).toEqual([d, c, b]);
  });

  it('count right through an empty trash and a change of a whole folder', async () => {
    const ana = await newPerson(5);
    const label = await ana.make('Bills');
    await ana.change(ana.ids, { add: [label] });
    await ana.flag(ana.ids.slice(0, 2), { trash_status: true });
    await ana.call('POST', '/mail/empty_trash', {});
    expect([await ana.counts(label), await ana.isTrue()]).toEqual([[3, 3], true]);
    const { until } = (await ana.call('GET', '/mail/folder_mark?folder=inbox')).body.data as { until: string };
    await ana.call('PUT', '/mail/folder_status', { folder: 'inbox', until, read_status: true });
    expect(await ana.counts(label)).toEqual([3, 0]);
    await ana.call('PUT', '/mail/folder_status', { folder: 'inbox', until, trash_status: true });
    expect([await ana.counts(label), await ana.isTrue()]).toEqual([[0, 0], true]);
  });

  it('stay right when changes come at once', async () => {
    const ana = await newPerson(6);
    const label = await ana.make('Bills');
    const answers = await Promise.all([
      ana.change(ana.ids, { add: [label] }),
      ana.flag(ana.ids, { read_status: true }),
      ana.change(ana.ids.slice(0, 3), { remove: [label] }),
      ana.flag(ana.ids.slice(2), { archive_status: true }),
      ana.get(2),
    ]);
    expect(answers.slice(0, 4).map((answer) => (answer as { status: number }).status)).toEqual([200, 200, 200, 200]);
    expect(await ana.isTrue()).toBe(true);
  });

  it('reach conversations up to the named message, and can be taken back', async () => {
    const ana = await newPerson();
    const label = await ana.make('Bills');
    const ids = await ana.get(3, 'thread');
    const [first = '', second = '', third = ''] = ids;
    await ana.change([first], { add: [label] });
    const { touched, is_left } = await ana.changed([second], { add: [label], whole_threads: true });
    expect([touched, is_left]).toEqual([[{ label_id: label, email_ids: [second] }], false]);
    const [row] = (await ana.call('GET', '/mail/get/sent/by_user?grouped=true')).body.data as EmailRowDto[];
    expect(row).toMatchObject({ _id: third, labels: [label] });
    await ana.change(touched[0]?.email_ids ?? [], { remove: [label] });
    expect(idsOf(await ana.list(label))).toEqual([first]);
    expect(await ana.changed([third], { remove: [label], whole_threads: true })).toMatchObject({ changed: 1 });
    expect([await ana.counts(label), await ana.isTrue()]).toEqual([[0, 0], true]);
  });

  it('need the right to change what is in the folder, and show only folders that may be viewed', async () => {
    const ana = await newPerson(2);
    const label = await ana.make('Bills');
    const [first = '', second = ''] = ana.ids;
    await ana.change(ana.ids, { add: [label] });
    await ana.flag([second], { archive_status: true });
    const right = { canView: true, canCreate: false, canEdit: true, canDelete: false };
    const owner = { companyId: String(ana.mailbox.company.id), userId: ana.userId };
    await UserPermission.bulkCreate([
      { ...owner, model: 'inbox', ...right },
      { ...owner, model: 'archive', ...right, canView: false, canEdit: false },
      { ...owner, model: 'starred', ...right, canView: false, canEdit: false },
    ]);
    expect((await ana.change([first], { remove: [label] })).status).toBe(200);
    expect((await ana.change([second], { remove: [label] })).status).toBe(403);
    await ana.change([first], { add: [label] });
    expect(idsOf(await ana.list(label))).toEqual([first]);
  });

  it('go with a person who is permanently deleted, and with a deleted label', async () => {
    const ana = await newPerson(3);
    const [label, other] = [await ana.make('Bills'), await ana.make('Other')];
    await ana.change(ana.ids, { add: [label, other] });
    await ana.call('DELETE', `/mail/labels/delete/${label}`);
    expect((await ana.call('GET', `/mail/get/sent/by_user?label=${label}`)).status).toBe(404);
    const [row] = (await ana.call('GET', '/mail/get/sent/by_user')).body.data as EmailRowDto[];
    expect(row?.labels).toEqual([other]);
    expect(await OutboxRow.count({ where: { jobName: 'mail.remove-label' } })).toBeGreaterThan(0);
    const rowsOf = async (id: string) =>
      await readRows(ana.ctx, 'SELECT entry_id FROM entry_labels WHERE label_id = ?', [id]);
    const modseq = Number((await MailboxEntry.findByPk(ana.ids[0]))?.modseq);
    await removeLabelRows(ana.ctx, label);
    await removeLabelRows(ana.ctx, label);
    expect([await rowsOf(label), await Label.findByPk(label)]).toEqual([[], null]);
    expect(Number((await MailboxEntry.findByPk(ana.ids[0]))?.modseq)).toBeGreaterThan(modseq);
    expect([await ana.counts(other), await ana.isTrue()]).toEqual([[3, 3], true]);
    // A label that is not deleted is left alone
    await removeLabelRows(ana.ctx, other);
    expect(await rowsOf(other)).toHaveLength(3);
    const now = new Date();
    await ana.mailbox.user.update({ deletedAt: now, erasedAt: now });
    await eraseUserRows(ana.ctx, ana.userId);
    expect([await rowsOf(other), await Label.findByPk(other)]).toEqual([[], null]);
  });

  it('are put on by filters, when the message is stored', async () => {
    const [ana, bea] = [await newPerson(), await newPerson()];
    const [label, hers] = [await ana.make('Bills'), await bea.make('Hers')];
    const filter = (actions: object) =>
      ana.call('POST', '/mailsetting/filters/create', { name: 'Mine', conditions: { from: 'bea@' }, actions });
    expect((await filter({ label: hers })).status).toBe(422);
    expect((await filter({ label })).status).toBe(200);
    const [first = ''] = await ana.get(1);
    expect(await ana.list(label)).toMatchObject([{ _id: first, labels: [label], placement: { by: 'filter' } }]);
    expect((await filter({ label, move_to: 'junk' })).status).toBe(200);
    await ana.get(1);
    expect(await ana.counts(label)).toEqual([1, 1]);
    expect(await ana.isTrue()).toBe(true);
    await ana.call('DELETE', `/mail/labels/delete/${label}`);
    expect(await ana.get(1)).toHaveLength(1);
    expect(await ana.isTrue()).toBe(true);
  });

  it('show a page of ten thousand as fast as one of ten', async () => {
    const ana = await newPerson(1);
    const label = await ana.make('Bills');
    const [first = ''] = ana.ids;
    // The counts of folders are not looked at here
    await changeRows(
      ana.ctx,
      `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, received_status, thread_key,
                                    arrived_at, created_at, updated_at)
       SELECT e.company_id, e.user_id, e.message_id, e.folder, e.folder_id, 1000 + s.seq, 1, CONCAT('t', s.seq),
              e.arrived_at - INTERVAL s.seq SECOND, e.created_at, e.updated_at
         FROM mailbox_entries e JOIN seq_1_to_10000 s WHERE e.id = ?`,
      [first],
    );
    const rows = await readRows<{ id: string }>(ana.ctx, 'SELECT id FROM mailbox_entries WHERE user_id = ?', [
      ana.userId,
    ]);
    const all = rows.map(({ id }) => String(id));
    for (let at = 0; at < all.length; at += 500) await ana.change(all.slice(at, at + 500), { add: [label] });
    expect(await ana.counts(label)).toEqual([10_001, 10_001]);
    const ordered = await readRows<{ id: string }>(
      ana.ctx,
      'SELECT id FROM mailbox_entries WHERE user_id = ? ORDER BY arrived_at DESC, id DESC',
      [ana.userId],
    );
    const expected = (at: number) => ordered.slice(at, at + 50).map(({ id }) => String(id));
    for (const page of [1, 21, 100, 200]) {
      expect(idsOf(await ana.list(label, `&page=${page}`))).toEqual(expected((page - 1) * 50));
    }
    const [plan] = await readRows<{ key: string; Extra: string }>(
      ana.ctx,
      `EXPLAIN SELECT entry_id FROM entry_labels FORCE INDEX (entry_labels_page) WHERE label_id = ? AND is_shown = 1
        ORDER BY arrived_at DESC, entry_id DESC LIMIT 50`,
      [label],
    );
    expect([plan?.key, plan?.Extra.includes('filesort')]).toEqual(['entry_labels_page', false]);
  });
});
