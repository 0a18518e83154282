import { type Ctx, systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';
import { bytesOfCompanies } from '@selvage/core/mailstore/storage-use';
import { receive } from '@selvage/core/mailstore/test-messages';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { UserPermission } from '@selvage/core/models/user-permission';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildCompany, buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
  ctx = systemContext(server.app);
});

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

interface Person {
  mailbox: Mailbox;
  id: string;
  email: string;
  call: Call;
}

async function personOf(mailbox: Mailbox): Promise<Person> {
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const call: Call = (method, path, body) => server.call(method, path, { token, ...(body ? { body } : {}) });
  return { mailbox, id: String(mailbox.user.id), email: mailbox.user.email, call };
}

/** A company with an administrator, a person whose mail is copied and one who reads it. */
async function team() {
  const tenant = await buildCompany(server.app);
  const admin = await personOf(
    await buildMailbox(server.app, { tenant, roleNumber: builtInRole.admin, user: { fname: 'Adi', lname: 'Min' } }),
  );
  const owner = await personOf(await buildMailbox(server.app, { tenant, user: { fname: 'Ola', lname: 'Own' } }));
  const viewer = await personOf(await buildMailbox(server.app, { tenant, user: { fname: 'Vic', lname: 'View' } }));
  await permit(viewer);
  return { tenant, admin, owner, viewer };
}

async function permit({ mailbox: { company, user } }: Person, changes: object = {}): Promise<void> {
  const flags = { canView: true, canCreate: false, canEdit: false, canDelete: true, ...changes };
  await UserPermission.destroy({ where: { userId: user.id, model: 'backup' } });
  await UserPermission.create({ companyId: company.id, userId: user.id, model: 'backup', ...flags });
}

const give = (by: Person, owner: Person, email: string): Promise<Answer> =>
  by.call('PUT', '/mail/backup', { user_id: owner.id, backup_user_email: email });

/** Gives a copy and does the work of the worker. */
async function copied(by: Person, owner: Person, viewer: Person): Promise<string> {
  const answer = await give(by, owner, viewer.email);
  const { _id } = answer.body.data as { _id: string };
  await workOnCopy(ctx, _id);
  return _id;
}

const mailOf = (owner: Person, query = ''): string =>
  `/mail/get/backup?user_email=${encodeURIComponent(owner.email)}${query}`;

const eventsOf = async (owner: Person): Promise<string[]> =>
  (await AuditEvent.findAll({ where: { entity: 'user', entityId: owner.id }, order: ['id'] }))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('mail-backup'));

const send = (owner: Person, subject: string) =>
  submitMessage(ctx, {
    user: owner.mailbox.user,
    door: 'web',
    bcc: ['eve@secret.test'],
    raw: Buffer.from(`From: ${owner.email}\r\nTo: bob@remote.test\r\nSubject: ${subject}\r\n\r\nSent text\r\n`),
  });

describe('giving a backup', () => {
  it('answers how far it is, leaves an event, and answers the running one when it is given twice', async () => {
    const { admin, owner, viewer } = await team();
    await receive(ctx, [owner.mailbox]);
    const first = await give(admin, owner, ` ${viewer.email.toUpperCase()} `);
    expect(first).toMatchObject({ status: 200, body: { message: 'The backup is being made' } });
    expect(first.body.data).toMatchObject({
      backup_email: owner.email,
      backup_user_email: viewer.email,
      can_be_opened: true,
      state: 'copying',
      copied: 0,
      total: 1,
    });
    const answers = await Promise.all([1, 2, 3].map(() => give(admin, owner, viewer.email)));
    expect(answers.map(({ body }) => body.data)).toEqual([first.body.data, first.body.data, first.body.data]);
    expect(await eventsOf(owner)).toEqual(['mail-backup:given']);
    const { _id } = first.body.data as { _id: string };
    await workOnCopy(ctx, _id);
    expect((await admin.call('GET', `/mail/backup/${_id}`)).body.data).toMatchObject({ state: 'ready', copied: 1 });
    await receive(ctx, [owner.mailbox], { subject: 'Later' });
    expect((await give(admin, owner, viewer.email)).body.data).toMatchObject({ _id, state: 'copying', total: 1 });
    expect(await eventsOf(owner)).toEqual(['mail-backup:given', 'mail-backup:renewed']);
  });

  it('takes an alias for its person, and says when that person may not open backups', async () => {
    const { admin, owner, viewer } = await team();
    const { address } = await buildAlias(viewer.mailbox);
    await permit(viewer, { canView: false });
    expect((await give(admin, owner, address)).body.data).toMatchObject({
      backup_user_email: viewer.email,
      can_be_opened: false,
    });
  });

  it('refuses what is no person that may have it', async () => {
    const { tenant, admin, owner, viewer } = await team();
    const elsewhere = await personOf(await buildMailbox(server.app));
    const group = await buildGroup(tenant, { members: [viewer.mailbox] });
    const gone = await buildMailbox(server.app, { tenant, user: { deletedAt: new Date() } });
    const off = await buildMailbox(server.app, { tenant, user: { activeStatus: false } });
    const statusOf = async (email: unknown, user = owner) =>
      (await admin.call('PUT', '/mail/backup', { user_id: user.id, backup_user_email: email })).status;
    for (const email of [elsewhere.email, group.address, gone.user.email, 'none@nowhere.test']) {
      expect([email, await statusOf(email)]).toEqual([email, 404]);
    }
    expect(await statusOf(viewer.email, elsewhere)).toBe(404);
    for (const email of [owner.email, off.user.email, '', 'no address', 5, undefined, `${'a'.repeat(250)}@x.test`]) {
      expect([email, await statusOf(email)]).toEqual([email, 422]);
    }
    const { body } = await admin.call('PUT', '/mail/backup', { user_id: 'x' });
    expect(body.errors).toEqual({ user_id: 'Not a valid id', backup_user_email: 'Email is required.' });
    expect((await give(admin, owner, 'x')).body.errors).toEqual({
      backup_user_email: 'Please enter a valid email address.',
    });
    expect(await MailCopy.count({ where: { ownerId: owner.id } })).toBe(0);
  });

  it('is done by those who may add people, for people that may not do more than they', async () => {
    const { tenant, admin, owner, viewer } = await team();
    expect(await give(viewer, owner, viewer.email)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const chief = await personOf(await buildMailbox(server.app, { tenant, roleNumber: builtInRole.superAdmin }));
    expect(await give(admin, chief, admin.email)).toMatchObject({ status: 403, body: { code: 'outranked' } });
    // The console offers it where it is allowed
    const offered = (by: Person, of: Person): Promise<Answer> => by.call('GET', `/user/get/${of.id}`);
    for (const [of, give_backup] of [
      [owner, true],
      [admin, true],
      [chief, false],
    ] as const) {
      expect((await offered(admin, of)).body).toMatchObject({ data: { abilities: { give_backup } } });
    }
    await UserPermission.create({ companyId: tenant.company.id, userId: viewer.id, model: 'user', canView: true });
    expect((await offered(viewer, owner)).body).toMatchObject({ data: { abilities: { give_backup: false } } });
    const provider = await buildCompany(server.app, { isProvider: true });
    const staff = await personOf(
      await buildMailbox(server.app, { tenant: provider, roleNumber: builtInRole.superAdmin }),
    );
    expect((await give(admin, owner, staff.email)).status).toBe(200);
    expect((await give(staff, owner, viewer.email)).status).toBe(200);
  });

  it('is refused where the company has no room for it', async () => {
    const { tenant, admin, owner, viewer } = await team();
    await receive(ctx, [owner.mailbox]);
    await tenant.company.update({ storageLimit: '1000' });
    expect(await give(admin, owner, viewer.email)).toMatchObject({
      status: 409,
      body: { code: 'no_room_for_backup' },
    });
    await tenant.company.update({ storageLimit: '1000000' });
    expect((await give(admin, owner, viewer.email)).status).toBe(200);
  });

  it('is refused where the running ones will take the room, also when all are given at once', async () => {
    const { tenant, admin, owner, viewer } = await team();
    const others = [await buildMailbox(server.app, { tenant }), await buildMailbox(server.app, { tenant })];
    const owners = [owner, ...(await Promise.all(others.map(personOf)))];
    for (const { mailbox } of owners) await receive(ctx, [mailbox], { body: 'x'.repeat(100_000) });
    const room = async (bytes: number) => {
      const used = (await bytesOfCompanies(ctx, [String(tenant.company.id)])).get(String(tenant.company.id)) ?? 0;
      await tenant.company.update({ storageLimit: String(used + bytes) });
    };
    await room(150_000);
    const answers = await Promise.all(owners.map((one) => give(admin, one, viewer.email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const given = answers.find(({ status }) => status === 200)?.body.data as { _id: string };
    await workOnCopy(ctx, given._id);
    await room(150_000);
    const refused = owners.filter((_one, index) => answers[index]?.status === 409);
    const further = [];
    for (const one of refused) further.push((await give(admin, one, viewer.email)).status);
    expect(further).toEqual([200, 409]);
  });
});

describe('reading a backup', () => {
  it('lists the backups, finds them, and answers the received and the sent messages', async () => {
    const { admin, owner, viewer } = await team();
    for (const subject of ['Yarn order', 'Cotton price', 'Lunch']) await receive(ctx, [owner.mailbox], { subject });
    await send(owner, 'Our answer');
    const _id = await copied(admin, owner, viewer);
    const list = await viewer.call('GET', '/mail/get/backup?limit=5');
    expect(list.body).toMatchObject({ pagination: { totalData: 1 } });
    expect(list.body.data).toMatchObject([{ _id, backup_email: owner.email, received: 3, sent: 1, deletedAt: null }]);
    expect((await viewer.call('GET', `/mail/get/backup?search=${owner.email.slice(0, 6)}`)).body.data).toHaveLength(1);
    expect((await viewer.call('GET', '/mail/get/backup?search=nothing')).body.data).toEqual([]);

    const subjects = async (query: string) => {
      const { body } = await viewer.call('GET', mailOf(owner, query));
      const { totalData } = body['pagination'] as { totalData: number };
      return [totalData, (body.data as { subject: string }[]).map(({ subject }) => subject)];
    };
    expect(await subjects('')).toEqual([3, ['Lunch', 'Cotton price', 'Yarn order']]);
    expect(await subjects('&received_status=true&limit=2&page=2')).toEqual([3, ['Yarn order']]);
    for (const sent of ['&status=send', '&send_status=true', '&status=send_status%3Dtrue']) {
      expect(await subjects(sent)).toEqual([1, ['Our answer']]);
    }
    expect(await subjects('&search=BEA%20cotton')).toEqual([1, ['Cotton price']]);
    expect(await subjects('&search=sender.test&limit=2&page=2')).toEqual([3, ['Yarn order']]);
    expect(await subjects('&search=cotton&page=4')).toEqual([1, []]);
    expect(await subjects('&search=%25')).toEqual([0, []]);
    expect(await subjects('&page=9')).toEqual([3, []]);
    expect((await viewer.call('GET', mailOf(owner, '&status=all'))).body.errors).toEqual({
      status: 'Ask for received or send',
    });
    expect((await viewer.call('GET', '/mail/get/backup?user_email=x')).status).toBe(422);
  });

  it('shows a message with its files and source, and a sent one with its blind recipients', async () => {
    const { admin, owner, viewer } = await team();
    await receive(ctx, [owner.mailbox], { subject: 'With rows' });
    await send(owner, 'Our answer');
    await copied(admin, owner, viewer);
    const first = async (query: string) =>
      ((await viewer.call('GET', mailOf(owner, query))).body.data as { _id: string }[])[0]?._id ?? '';
    const received = (await viewer.call('GET', `/mail/get/backup/${await first('')}`)).body.data as Record<
      string,
      string
    >;
    expect(received).toMatchObject({
      subject: 'With rows',
      backup_email: owner.email,
      read_status: false,
      replies: [],
    });
    expect(received['body']).toContain('The text.');
    const paths = (received['attachments'] as unknown as { file_path: string }[]).map(({ file_path }) => file_path);
    for (const path of [...paths, received['source_path'], received['frame_path']]) {
      expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
    }
    const sent = await viewer.call('GET', `/mail/get/backup/${await first('&status=send')}`);
    expect(sent.body.data).toMatchObject({ recipient_emails_bcc: ['eve@secret.test'], send_status: true });
    await permit(viewer, { canView: false });
    expect((await fetch(`${server.url}${received['source_path']}`)).status).toBe(403);
    await permit(viewer);
    // The same number names another message, or none, as the viewer's own mail
    expect((await viewer.call('GET', `/mail/get/c${received['_id']}`)).status).toBe(422);
    await viewer.call('DELETE', '/mail/delete/backup', { backup_email: owner.email });
    expect((await fetch(`${server.url}${received['source_path']}`)).status).toBe(404);
  });

  it('is for the viewer alone, within their company, and with the permission', async () => {
    const { admin, owner, viewer } = await team();
    await receive(ctx, [owner.mailbox]);
    const _id = await copied(admin, owner, viewer);
    const { body } = await viewer.call('GET', mailOf(owner));
    const [message] = body.data as { _id: string }[];
    const other = await team();
    for (const stranger of [admin, other.admin, other.viewer]) {
      expect((await stranger.call('GET', mailOf(owner))).status).toBe(404);
      expect((await stranger.call('GET', `/mail/get/backup/${message?._id}`)).status).toBe(404);
      expect((await stranger.call('GET', '/mail/get/backup')).body.data).toEqual([]);
      const removal = await stranger.call('DELETE', '/mail/delete/backup', { backup_email: owner.email });
      expect(removal.status).toBe(404);
    }
    expect((await other.admin.call('GET', `/mail/backup/${_id}`)).status).toBe(404);
    expect((await owner.call('GET', mailOf(owner))).status).toBe(403);
    await permit(viewer, { canDelete: false });
    expect((await viewer.call('DELETE', '/mail/delete/backup', { backup_email: owner.email })).status).toBe(403);
    await viewer.mailbox.user.update({ companyId: other.tenant.company.id });
    const moved = await personOf(viewer.mailbox);
    expect((await moved.call('GET', '/mail/get/backup')).body.data).toEqual([]);
    expect((await moved.call('GET', mailOf(owner))).status).toBe(404);
    expect((await moved.call('GET', `/mail/get/backup/${message?._id}`)).status).toBe(404);
  });
});

describe('what the owner sees', () => {
  it('names each reader, when they opened it and when it was deleted, and leaves one event a day', async () => {
    const { admin, owner, viewer } = await team();
    await receive(ctx, [owner.mailbox]);
    await copied(admin, owner, viewer);
    const readers = async () => (await owner.call('GET', '/mail/backup_readers')).body.data as object[];
    const known = { name: 'Vic View', email: viewer.email, given_by: 'Adi Min', openedAt: null, deletedAt: null };
    expect(await readers()).toMatchObject([known]);
    await Promise.all([1, 2, 3].map(() => viewer.call('GET', mailOf(owner))));
    expect(await readers()).toMatchObject([{ openedAt: expect.any(String), deletedAt: null }]);
    const bad = await viewer.call('DELETE', '/mail/delete/backup', {});
    expect(bad.body.errors).toEqual({ backup_email: 'Email is required.' });
    const removed = await viewer.call('DELETE', '/mail/delete/backup', { backup_email: owner.email });
    expect(removed).toMatchObject({ status: 200, body: { message: 'Backup deleted' } });
    expect(await readers()).toMatchObject([{ deletedAt: expect.any(String) }]);
    expect(await eventsOf(owner)).toEqual(['mail-backup:given', 'mail-backup:opened', 'mail-backup:removed']);
    const activity = (await owner.call('GET', '/user/activity')).body.data as { action: string }[];
    expect(activity.map(({ action }) => action)).toContain('mail-backup:opened');
    expect((await viewer.call('GET', '/mail/get/backup')).body.data).toEqual([]);
    expect(await viewer.call('DELETE', '/mail/delete/backup', { backup_email: owner.email })).toMatchObject({
      status: 404,
      body: { code: 'backup_not_found' },
    });
  });

  it('stands in the detail of both people', async () => {
    const { admin, owner, viewer } = await team();
    await copied(admin, owner, viewer);
    const detail = async ({ id }: Person) => (await admin.call('GET', `/user/get/${id}`)).body.data;
    expect(await detail(viewer)).toMatchObject({ backup_emails: [{ backup_email: owner.email }], backup_readers: [] });
    expect(await detail(owner)).toMatchObject({ backup_emails: [], backup_readers: [{ backup_email: viewer.email }] });
  });
});
