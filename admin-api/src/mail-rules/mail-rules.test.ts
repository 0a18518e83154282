import { systemContext } from '@selvage/core/context/context';
import type { BlockedSenderDto, FilterDto } from '@selvage/core/contracts/mail-rules';
import type { VacationDto } from '@selvage/core/contracts/vacation';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { inboundOf, rawMessage, receive, recipientOf } from '@selvage/core/mailstore/test-messages';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { Delivery } from '@selvage/core/models/delivery';
import { MailFilter } from '@selvage/core/models/mail-filter';
import { UserPermission } from '@selvage/core/models/user-permission';
import { User } from '@selvage/core/models/user';
import { replyForReader } from '@selvage/core/outbound/reply-on-vacation';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Person {
  mailbox: Mailbox;
  userId: string;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

async function newPerson(): Promise<Person> {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const call: Person['call'] = (method, path, body) => server.call(method, path, { token, ...(body ? { body } : {}) });
  return { mailbox, userId: String(mailbox.user.id), call };
}

const flagsOf = async ({ userId }: Person) => {
  const user = await User.findByPk(userId, { rejectOnEmpty: true });
  return { blocked: user.hasBlocked, filters: user.hasFilters };
};

const form = { name: 'Invoices', conditions: { subject: 'invoice' }, actions: { move_to: 'archive' } };

describe('blocked senders', () => {
  const block = (person: Person, address: string) => person.call('POST', '/mailsetting/blocked/add', { address });

  it('are listed, work at once, and can be unblocked', async () => {
    const ana = await newPerson();
    const blocked = await block(ana, ' Bea@Sender.test ');
    expect(blocked).toMatchObject({ status: 200, body: { data: { address: 'bea@sender.test' } } });
    expect((await block(ana, 'bea@sender.test')).body.data).toEqual(blocked.body.data);
    expect(await flagsOf(ana)).toEqual({ blocked: true, filters: false });
    await receive(systemContext(server.app), [ana.mailbox]);
    const rows = (await ana.call('GET', '/mail/get/sent/by_user?junk_status=true')).body.data as { _id: string }[];
    const opened = await ana.call('GET', `/mail/get/${rows[0]?._id}`);
    const placement = { by: 'blocked', name: 'bea@sender.test', folder: 'junk' };
    expect(opened.body.data).toMatchObject({ junk_status: true, placement, always_shows_images: false });
    const listed = (await ana.call('GET', '/mailsetting/blocked/get/all')).body.data as BlockedSenderDto[];
    expect(listed.map(({ address }) => address)).toEqual(['bea@sender.test']);
    await ana.call('DELETE', `/mailsetting/blocked/delete/${listed[0]?._id}`);
    expect(await flagsOf(ana)).toEqual({ blocked: false, filters: false });
    const events = await AuditEvent.findAll({ where: { entityId: ana.userId }, order: ['id'] });
    const actions = events.map(({ action }) => action).filter((action) => action.startsWith('blocked'));
    expect(actions).toEqual(['blocked-sender:added', 'blocked-sender:removed']);
  });

  it.each(['', 'a b', 'a@', '@', 'com', 'co.uk', '1.2.3.4', 'x'.repeat(255), 'a@b@c.test', 'a@host'])(
    'refuse %j',
    async (address) => {
      expect((await block(await newPerson(), address)).status).toBe(422);
    },
  );

  it('may have an address that no person would write', async () => {
    expect((await block(await newPerson(), '★offer★@sender.test')).status).toBe(200);
  });

  it('are never oneself, nor one’s own company', async () => {
    const ana = await newPerson();
    expect((await block(ana, ana.mailbox.user.email)).status).toBe(422);
    expect((await block(ana, `@${ana.mailbox.user.email.split('@')[1]}`)).status).toBe(422);
    expect((await block(ana, '@sender.test')).body.data).toMatchObject({ address: 'sender.test' });
  });

  it('keep their flag when two are changed at once', async () => {
    const ana = await newPerson();
    const [one] = await Promise.all([block(ana, 'one@sender.test'), block(ana, 'two@sender.test')]);
    const id = (one.body.data as BlockedSenderDto)._id;
    await Promise.all([ana.call('DELETE', `/mailsetting/blocked/delete/${id}`), block(ana, 'three@sender.test')]);
    expect(await flagsOf(ana)).toEqual({ blocked: true, filters: false });
  });
});

describe('filters', () => {
  const create = async (person: Person, changes: object = {}): Promise<Answer> =>
    await person.call('POST', '/mailsetting/filters/create', { ...form, ...changes });
  const list = async (person: Person) =>
    (await person.call('GET', '/mailsetting/filters/get/all')).body.data as FilterDto[];

  it('are added, changed, switched, ordered and deleted', async () => {
    const ana = await newPerson();
    for (const name of ['One', 'Two', 'Three']) expect((await create(ana, { name })).status).toBe(200);
    expect(await list(ana)).toMatchObject([{ ...form, name: 'One', is_on: true }, { name: 'Two' }, { name: 'Three' }]);
    const [one, two, three] = (await list(ana)).map(({ _id }) => _id);
    await ana.call('PUT', '/mailsetting/filters/order', { filter_ids: [three, one, two] });
    await ana.call('PUT', `/mailsetting/filters/update/${one}`, { is_on: false });
    await ana.call('PUT', `/mailsetting/filters/update/${two}`, { name: '2', actions: { star: true } });
    expect(await list(ana)).toMatchObject([
      { name: 'Three', is_on: true },
      { name: 'One', is_on: false, conditions: form.conditions },
      { name: '2', actions: { star: true }, conditions: form.conditions },
    ]);
    expect(await flagsOf(ana)).toEqual({ blocked: false, filters: true });
    for (const id of [two, three]) await ana.call('DELETE', `/mailsetting/filters/delete/${id}`);
    expect(await flagsOf(ana)).toEqual({ blocked: false, filters: false });
  });

  it.each<[string, object]>([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['no condition', { conditions: {} }],
    ['an empty condition', { conditions: { from: '  ' } }],
    ['a long condition', { conditions: { from: 'x'.repeat(201) } }],
    ['a condition of several lines', { conditions: { from: 'a\nb' } }],
    ['an unknown condition alone', { conditions: { body: 'x' } }],
    ['no action', { actions: {} }],
    ['actions that do nothing', { actions: { star: false } }],
    ['an unknown folder', { actions: { move_to: 'inbox' } }],
    ['a folder that is not there', { actions: { folder: '999999' } }],
    ['two folders', { actions: { folder: '1', move_to: 'trash' } }],
    ['an address of its own', { actions: { forward: 'a@remote.test' } }],
    ['forwarding without an address that agreed', { actions: { forward: true } }],
  ])('refuse %s', async (_what, changes) => {
    const ana = await newPerson();
    expect((await create(ana, changes)).status).toBe(422);
    expect(await list(ana)).toEqual([]);
  });

  it('leave no trace of a change that changes nothing', async () => {
    const ana = await newPerson();
    const created = (await ana.call('POST', '/mailsetting/filters/create', form)).body.data as FilterDto;
    const update = async (body: object) => {
      expect((await ana.call('PUT', `/mailsetting/filters/update/${created._id}`, body)).status).toBe(200);
      return await AuditEvent.count({ where: { actorId: ana.userId, action: 'filter:updated' } });
    };
    expect(await update({ ...form, is_on: true })).toBe(0);
    expect(await update({})).toBe(0);
    expect(await update({ actions: { ...form.actions, star: true } })).toBe(1);
  });

  it('refuse a form that started before a change in another window, and say what was changed', async () => {
    const ana = await newPerson();
    const { _id: id, version } = (await create(ana)).body.data as FilterDto;
    const update = (body: object) => ana.call('PUT', `/mailsetting/filters/update/${id}`, body);
    expect((await update({ ...form, name: 'Bills', version })).body.data).toMatchObject({ version: version + 1 });
    const late = await update({ ...form, actions: { star: true }, version });
    expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect(late.body['conflict']).toMatchObject({
      fields: ['name'],
      current: { name: 'Bills', actions: form.actions },
    });
    expect(await list(ana)).toMatchObject([{ name: 'Bills', actions: form.actions }]);
    expect((await update({ actions: { star: true }, version: version + 1 })).status).toBe(200);
    expect((await update({ is_on: false })).body.data).toMatchObject({ is_on: false, version: version + 3 });
  });

  it('forward to an address that has agreed', async () => {
    const ana = await newPerson();
    await ana.mailbox.user.update({ forwardTo: 'a@remote.test', forwardConfirmedAt: new Date() });
    expect((await create(ana, { actions: { forward: true } })).status).toBe(200);
    const scope = await ana.call('PUT', '/user/forwarding/scope', { forward_filtered: true });
    expect(scope.body.data).toEqual({ forward_to: 'a@remote.test', forward_confirmed: true, forward_filtered: true });
  });

  it('move into a folder of their owner’s, and of no other person’s', async () => {
    const [ana, ben] = [await newPerson(), await newPerson()];
    const made = await ana.call('POST', '/mail/folders/create', { name: 'Projects' });
    const folder = (made.body.data as { _id: string })._id;
    const actions = { actions: { folder } };
    expect((await create(ben, actions)).status).toBe(422);
    const added = await create(ana, actions);
    expect(added).toMatchObject({ status: 200, body: { data: actions } });
    const events = await AuditEvent.findAll({ where: { entityId: ana.userId, action: 'filter:created' } });
    expect(events.map(({ details }) => details)).toMatchObject([{ moves_to: 'own' }]);
    await receive(systemContext(server.app), [ana.mailbox], { subject: 'Invoice' });
    const rows = (await ana.call('GET', `/mail/get/sent/by_user?own_folder=${folder}`)).body.data;
    const placement = { by: 'filter', name: 'Invoices', folder: 'own' };
    expect(rows).toMatchObject([{ subject: 'Invoice', own_folder: folder, placement }]);
    await ana.call('DELETE', `/mail/folders/delete/${folder}`);
    expect((await create(ana, actions)).status).toBe(422);
  });

  it('are applied to what is in the inbox already, and to nothing that comes meanwhile', async () => {
    const [ana, ben] = [await newPerson(), await newPerson()];
    const ctx = systemContext(server.app);
    const get = (subject: string) => receive(ctx, [ana.mailbox, ben.mailbox], { subject });
    for (const subject of ['Invoice 1', 'Hello', 'Your INVOICE 2']) await get(subject);
    const folder = ((await ana.call('POST', '/mail/folders/create', { name: 'Bills' })).body.data as FilterDto)._id;
    const label = (await ana.call('POST', '/mail/labels/create', { name: 'Paid', colour: 'red' })).body
      .data as FilterDto;
    const agreed = { forwardTo: 'a@remote.test', forwardConfirmedAt: new Date(), forwardsFiltered: true };
    await ana.mailbox.user.update(agreed);
    const actions = { folder, star: true, mark_read: true, label: label._id, forward: true };
    const made = (await create(ana, { actions })).body.data as FilterDto;
    const { until } = (await ana.call('GET', '/mail/folder_mark?folder=inbox')).body.data as { until: string };
    const count = { conditions: form.conditions, until };
    const counted = await ana.call('POST', '/mailsetting/filters/count', count);
    expect(counted.body.data).toEqual({ fitting: 2, seen: 3, until: '1', is_left: false });
    await ana.call('PUT', `/mailsetting/filters/update/${made._id}`, { is_on: false });
    await get('Invoice 3');
    const apply = (person: Person) => person.call('PUT', `/mailsetting/filters/apply/${made._id}`, { until });
    expect((await apply(ben)).status).toBe(404);
    expect((await apply(ana)).body.data).toEqual({ changed: 2, seen: 3, until: '1', is_left: false });
    expect((await apply(ana)).body.data).toMatchObject({ changed: 0, seen: 1 });
    const subjectsIn = async (query: string) =>
      ((await ana.call('GET', `/mail/get/sent/by_user?${query}`)).body.data as { subject: string }[]).map(
        ({ subject }) => subject,
      );
    expect(await subjectsIn(`own_folder=${folder}`)).toEqual(['Your INVOICE 2', 'Invoice 1']);
    expect(await subjectsIn(`label=${label._id}`)).toEqual(['Your INVOICE 2', 'Invoice 1']);
    expect(await subjectsIn('received_status=true')).toEqual(['Invoice 3', 'Hello']);
    const totals = (await ana.call('GET', '/mail/totals')).body.data;
    expect(totals).toMatchObject({ inbox: { total: 2, unread: 2 }, starred: { total: 2, unread: 0 } });
    expect(totals).toMatchObject({ own_folders: [{ total: 2, unread: 0 }], labels: [{ total: 2, unread: 0 }] });
    expect(await verifyTotals(ctx, ana.userId)).toBe(true);
    expect(await Delivery.count({ where: { direction: 'out', recipient: 'a@remote.test' } })).toBe(0);
    expect((await ben.call('GET', '/mail/totals')).body.data).toMatchObject({ inbox: { total: 4 } });
  });

  it('are applied by any address that a message came in by, and for a lost label or folder do the rest', async () => {
    const ana = await newPerson();
    const ctx = systemContext(server.app);
    const own = recipientOf(ana.mailbox);
    const alias = { ...own, address: (await buildAlias(ana.mailbox)).address };
    for (const recipients of [[own], [own, alias], [alias, own]]) {
      await storeInbound(ctx, { ...inboundOf(rawMessage(), [ana.mailbox]), recipients });
    }
    const actions = { folder: '999999', label: '999999', star: true };
    const owner = { userId: ana.userId, companyId: String(ana.mailbox.company.id) };
    const conditions = { to: ana.mailbox.user.email.toUpperCase() };
    const { id } = await MailFilter.create({ ...owner, place: 1, name: 'x', conditions, actions });
    const applied = await ana.call('PUT', `/mailsetting/filters/apply/${id}`, { until: '9999999999' });
    expect(applied.body.data).toMatchObject({ changed: 3 });
    expect((await ana.call('GET', '/mail/totals')).body.data).toMatchObject({
      inbox: { total: 3, unread: 3 },
      starred: { total: 3 },
    });
  });

  it('are not applied by a person who may not change the inbox', async () => {
    const ana = await newPerson();
    const flags = { canView: true, canCreate: true, canEdit: false, canDelete: false };
    const owner = { userId: ana.userId, companyId: String(ana.mailbox.company.id) };
    await UserPermission.create({ ...owner, model: 'inbox', ...flags });
    const made = (await create(ana)).body.data as FilterDto;
    const body = { conditions: form.conditions, until: '9' };
    expect((await ana.call('POST', '/mailsetting/filters/count', body)).status).toBe(200);
    const path = `/mailsetting/filters/apply/${made._id}`;
    expect((await ana.call('PUT', path, { until: '9' })).status).toBe(403);
    for (const until of ['', '-1', 'x']) expect((await ana.call('PUT', path, { until })).status).toBe(422);
  });

  it('are at most a hundred', async () => {
    const ana = await newPerson();
    const { user, company } = ana.mailbox;
    const owner = { userId: String(user.id), companyId: String(company.id) };
    const actions = { star: true };
    await MailFilter.bulkCreate(
      Array.from({ length: 100 }, (_, place) => ({ ...owner, place, name: 'x', conditions: { from: 'x' }, actions })),
    );
    expect((await create(ana)).status).toBe(422);
  });

  it('are put into an order with all of them, and with no other person’s', async () => {
    const [ana, ben] = [await newPerson(), await newPerson()];
    const own = ((await create(ana)).body.data as FilterDto)._id;
    const second = ((await create(ana)).body.data as FilterDto)._id;
    const foreign = ((await create(ben)).body.data as FilterDto)._id;
    const order = (ids: string[]) => ana.call('PUT', '/mailsetting/filters/order', { filter_ids: ids });
    expect((await order([own])).status).toBe(422);
    expect((await order([own, own])).status).toBe(422);
    expect((await order([own, second, foreign])).status).toBe(404);
    expect((await order([second, own])).status).toBe(200);
  });
});

describe('the vacation reply', () => {
  const path = '/mailsetting/vacation';
  const answer = { is_on: true, subject: 'Away', body: 'Back soon', first_day: null, last_day: null, time_zone: 'UTC' };

  it('is written, read again, and switched off with its text kept', async () => {
    const ana = await newPerson();
    expect((await ana.call('GET', path)).body.data).toMatchObject({ is_on: false, state: 'off', body: '' });
    const days = { first_day: '2020-01-01', last_day: '2999-12-31', time_zone: 'Europe/Berlin' };
    expect(await ana.call('PUT', path, { ...answer, ...days })).toMatchObject({
      status: 200,
      body: { data: { ...answer, ...days, state: 'active' } },
    });
    expect((await ana.call('GET', '/user/info')).body.data).toMatchObject({ vacation_on: true });
    const planned = await ana.call('PUT', path, { ...answer, first_day: '2999-01-01' });
    expect(planned.body.data).toMatchObject({ state: 'planned', only_known: false });
    const known = await ana.call('PUT', path, { ...answer, only_known: true });
    expect(known.body.data).toMatchObject({ only_known: true });
    expect((await ana.call('GET', path)).body.data).toMatchObject({ only_known: true });
    const off = await ana.call('POST', `${path}/off`);
    expect(off.body.data).toMatchObject({ is_on: false, body: 'Back soon', state: 'off' });
    expect((await ana.call('GET', '/user/info')).body.data).toMatchObject({ vacation_on: false });
    const events = await AuditEvent.findAll({ where: { entityId: ana.userId }, order: ['id'] });
    const actions = events.map(({ action }) => action).filter((action) => action.startsWith('vacation'));
    expect(actions).toEqual(['vacation:on', 'vacation:off']);
  });

  it('is not written over by a form that started before a change in another window', async () => {
    const ana = await newPerson();
    const { version } = (await ana.call('GET', path)).body.data as VacationDto;
    const first = (await ana.call('PUT', path, { ...answer, version })).body.data as VacationDto;
    const late = await ana.call('PUT', path, { ...answer, body: 'Gone', version });
    expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } });
    expect(late.body['conflict']).toMatchObject({ current: { body: 'Back soon', is_on: true } });
    await ana.call('POST', `${path}/off`);
    const on = await ana.call('PUT', path, { ...answer, body: 'Gone', version: first.version });
    expect(on.body['conflict']).toMatchObject({ fields: ['is_on'], current: { is_on: false } });
    expect((await ana.call('GET', path)).body.data).toMatchObject({ body: 'Back soon', is_on: false });
    const again = await ana.call('PUT', path, { ...answer, is_on: false, version: first.version + 1 });
    expect(again.body.data).toMatchObject({ version: first.version + 1 });
  });

  it('tells senders anew once it is another absence or another text', async () => {
    const ana = await newPerson();
    const ctx = systemContext(server.app);
    let count = 0;
    const write = async () => {
      const lines = ['From: bea@sender.test', `To: ${ana.mailbox.user.email}`, `X-Count: ${(count += 1)}`, '', 'Hello'];
      const input = { ...inboundOf(Buffer.from(lines.join('\r\n')), [ana.mailbox]), envelopeFrom: 'bea@sender.test' };
      const { entryIds } = await storeInbound(ctx, input);
      return await replyForReader(ctx, entryIds[0] ?? '');
    };
    await ana.call('PUT', path, answer);
    expect([await write(), await write()]).toEqual(['replied', 'told_before']);
    await ana.call('PUT', path, answer);
    expect(await write()).toBe('told_before');
    await ana.call('PUT', path, { ...answer, body: 'Back in June' });
    expect([await write(), await write()]).toEqual(['replied', 'told_before']);
    await ana.call('PUT', path, { ...answer, body: 'Back in June', last_day: '2999-12-31' });
    expect([await write(), await write()]).toEqual(['replied', 'told_before']);
    await ana.call('POST', `${path}/off`);
    expect(await write()).toBe('not_away');
    await ana.call('PUT', path, { ...answer, body: 'Back in June', last_day: '2999-12-31' });
    expect(await write()).toBe('replied');
  });

  it.each<[string, object]>([
    ['no text', { body: ' ' }],
    ['a long text', { body: 'x'.repeat(10_001) }],
    ['a long subject', { subject: 'x'.repeat(201) }],
    ['a subject of several lines', { subject: 'a\r\nBcc: b@c.test' }],
    ['a day that is none', { first_day: '2026-02-30' }],
    ['a last day before the first', { first_day: '2026-12-24', last_day: '2026-12-23' }],
    ['a time zone that is none', { time_zone: 'Mars/Olympus' }],
    ['a choice that is none', { only_known: 'yes' }],
    ['an empty time zone', { time_zone: '' }],
  ])('refuses %s', async (_what, changes) => {
    expect((await (await newPerson()).call('PUT', path, { ...answer, ...changes })).status).toBe(422);
  });

  it('is switched off where there is none, and by two windows at once', async () => {
    const ana = await newPerson();
    expect((await ana.call('POST', `${path}/off`)).status).toBe(200);
    const answers = await Promise.all([ana.call('PUT', path, answer), ana.call('PUT', path, answer)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
