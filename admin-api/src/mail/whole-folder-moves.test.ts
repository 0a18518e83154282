import { systemContext } from '@selvage/core/context/context';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { receive } from '@selvage/core/mailstore/test-messages';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Moved {
  touched: { from: object; email_ids: string[] }[];
  seen: number;
  is_left: boolean;
}

interface Labelled {
  touched: string[];
  seen: number;
  is_left: boolean;
}

async function newPerson(messages = 0) {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ctx = systemContext(server.app);
  const ids: string[] = [];
  const get = async () => (await receive(ctx, [mailbox])).entryIds[0] ?? '';
  for (let count = 0; count < messages; count += 1) ids.push(await get());
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  const mark = async (folder = 'inbox') =>
    ((await call('GET', `/mail/folder_mark?folder=${folder}`)).body.data as { until: string }).until;
  const makeFolder = async (name: string) =>
    ((await call('POST', '/mail/folders/create', { name })).body.data as { _id: string })._id;
  const makeLabel = async (name: string) =>
    ((await call('POST', '/mail/labels/create', { name, colour: 'red' })).body.data as { _id: string })._id;
  const move = (body: object) => call('PUT', '/mail/folder_move', { folder: 'inbox', ...body });
  const label = (body: object) => call('PUT', '/mail/folder_label', { folder: 'inbox', is_on: true, ...body });
  const totals = async () => (await call('GET', '/mail/totals')).body.data as Record<string, unknown>;
  const isTrue = () => verifyTotals(ctx, String(mailbox.user.id));
  return { mailbox, ids, get, call, mark, makeFolder, makeLabel, move, label, totals, isTrue };
}

describe('a move of a whole folder', () => {
  it('reaches what was there at the mark, and can be taken back', async () => {
    const ana = await newPerson(3);
    const looms = await ana.makeFolder('Looms');
    const until = await ana.mark();
    await ana.get();
    const moved = (await ana.move({ until, folder_id: looms })).body.data as Moved;
    const from = { folder_id: null, archive_status: false, junk_status: false, trash_status: false };
    expect(moved).toMatchObject({ touched: [{ from }], seen: 3, is_left: false });
    expect(moved.touched[0]?.email_ids.toSorted()).toEqual(ana.ids.toSorted());
    expect(await ana.totals()).toMatchObject({ inbox: { total: 1 }, own_folders: [{ total: 3 }] });
    expect(await ana.isTrue()).toBe(true);
    await ana.call('PUT', '/mail/move', { email_id: moved.touched[0]?.email_ids, ...from });
    expect(await ana.totals()).toMatchObject({ inbox: { total: 4 }, own_folders: [{ total: 0 }] });
    expect(await ana.isTrue()).toBe(true);
  });

  it('names the former places of what was archived beside its folder, and empties a folder', async () => {
    const ana = await newPerson(3);
    const [looms, yarn] = [await ana.makeFolder('Looms'), await ana.makeFolder('Yarn')];
    await ana.call('PUT', '/mail/move', { email_id: [ana.ids[0]], folder_id: looms });
    await ana.call('PUT', '/mail/status_change', { email_id: ana.ids, archive_status: true });
    const folder = 'archive';
    const moved = (await ana.move({ folder, until: await ana.mark(folder), folder_id: yarn })).body.data as Moved;
    const places = moved.touched.map(({ from, email_ids }) => [from, email_ids.length]);
    const flags = { archive_status: true, junk_status: false, trash_status: false };
    expect(places).toHaveLength(2);
    expect(places).toEqual(
      expect.arrayContaining([
        [{ folder_id: looms, ...flags }, 1],
        [{ folder_id: null, ...flags }, 2],
      ]),
    );
    const own = `own:${yarn}`;
    expect((await ana.move({ folder: own, until: await ana.mark(own), folder_id: null })).status).toBe(200);
    expect(await ana.totals()).toMatchObject({ inbox: { total: 3 }, archive: { total: 0 } });
    expect(await ana.isTrue()).toBe(true);
  });

  it('goes into no folder of another person, nor out of one', async () => {
    const [ana, ben] = [await newPerson(1), await newPerson(1)];
    const looms = await ana.makeFolder('Looms');
    expect((await ben.move({ until: '9', folder_id: looms })).status).toBe(404);
    expect((await ben.move({ folder: `own:${looms}`, until: '9', folder_id: null })).status).toBe(404);
    expect(await ben.totals()).toMatchObject({ inbox: { total: 1 } });
  });

  it('needs the permissions of the folder and of the inbox', async () => {
    const ana = await newPerson(1);
    const looms = await ana.makeFolder('Looms');
    const { user, company } = ana.mailbox;
    const flags = { canView: true, canCreate: true, canEdit: false, canDelete: true };
    await UserPermission.create({ companyId: company.id, userId: user.id, model: 'archive', ...flags });
    expect((await ana.move({ folder: 'archive', until: '9', folder_id: looms })).status).toBe(403);
    await UserPermission.create({ companyId: company.id, userId: user.id, model: 'inbox', ...flags });
    expect((await ana.move({ folder: 'sent', until: '9', folder_id: looms })).status).toBe(403);
    expect((await ana.label({ until: '9', label_id: await ana.makeLabel('Silk') })).status).toBe(403);
  });

  it.each([
    { until: '9' },
    { until: 'x', folder_id: null },
    { until: '9', folder: 'starred', folder_id: null },
    { until: '9', folder: 'draft', folder_id: null },
    { until: '9', folder_id: 'own' },
  ])('refuses %j', async (body) => {
    expect((await (await newPerson()).move(body)).status).toBe(422);
  });
});

describe('a label of a whole folder', () => {
  it('is put on and taken off, and only where that makes a difference', async () => {
    const ana = await newPerson(3);
    const silk = await ana.makeLabel('Silk');
    await ana.call('PUT', '/mail/label_change', { email_id: [ana.ids[0]], add: [silk] });
    const until = await ana.mark();
    await ana.get();
    const on = (await ana.label({ until, label_id: silk })).body.data as Labelled;
    expect(on).toMatchObject({ seen: 3, is_left: false });
    expect(on.touched.toSorted()).toEqual(ana.ids.slice(1).toSorted());
    expect(await ana.totals()).toMatchObject({ inbox: { total: 4 }, labels: [{ total: 3, unread: 3 }] });
    expect(await ana.isTrue()).toBe(true);
    const off = (await ana.label({ until, label_id: silk, is_on: false })).body.data as Labelled;
    expect(off.touched.toSorted()).toEqual(ana.ids.toSorted());
    expect(await ana.totals()).toMatchObject({ labels: [{ total: 0, unread: 0 }] });
    expect(await ana.isTrue()).toBe(true);
  });

  it('is no label of another person', async () => {
    const [ana, ben] = [await newPerson(), await newPerson(1)];
    expect((await ben.label({ until: '9', label_id: await ana.makeLabel('Silk') })).status).toBe(404);
  });
});

it('moves and labels 1,500 messages part by part, each behind the one before', async () => {
  const ana = await newPerson(1);
  const copies = Array.from({ length: 1500 }, (_, index) => index);
  const ctx = systemContext(server.app);
  for (let at = 0; at < copies.length; at += 50) {
    await Promise.all(copies.slice(at, at + 50).map(() => receive(ctx, [ana.mailbox])));
  }
  const [looms, silk] = [await ana.makeFolder('Looms'), await ana.makeLabel('Silk')];
  const run = async (part: (until: string) => Promise<{ body: { data?: unknown } }>) => {
    let [until, seen, isLeft] = [await ana.mark(), 0, true];
    while (isLeft) {
      const answer = (await part(until)).body.data as Labelled & { until: string };
      [until, seen, isLeft] = [answer.until, seen + answer.seen, answer.is_left];
    }
    return seen;
  };
  expect(await run((until) => ana.label({ until, label_id: silk }))).toBe(1501);
  expect(await run((until) => ana.move({ until, folder_id: looms }))).toBe(1501);
  expect(await ana.totals()).toMatchObject({
    inbox: { total: 0 },
    labels: [{ total: 1501 }],
    own_folders: [{ total: 1501 }],
  });
  expect(await ana.isTrue()).toBe(true);
}, 180_000);
