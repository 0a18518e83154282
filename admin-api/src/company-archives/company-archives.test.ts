import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, readlink, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { pathsOf } from '@selvage/core/company-archive/archive-file';
import { workOnArchive } from '@selvage/core/company-archive/make-archive';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { ArchiveDto } from '@selvage/core/contracts/company-archives';
import { encodePassword } from '@selvage/core/contracts/fields';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { receive } from '@selvage/core/mailstore/test-messages';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { CompanyArchive } from '@selvage/core/models/company-archive';
import { Session } from '@selvage/core/models/session';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { type Administrator, buildAdministrator, buildProvider, signInAs } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { signArchiveLink } from './archive-link.ts';

let server: TestServer;
let ctx: Ctx;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  server.app.config.archives.spareBytes = 0;
  ctx = systemContext(server.app);
});

beforeEach(async () => {
  admin = await buildAdministrator(server);
  await receive(ctx, [admin]);
});

const placeOf = ({ company }: Administrator) => `/company/archives/${company.id}`;
const ask = async (by = admin, of = admin) => await by.call('POST', placeOf(of));
const list = async (by = admin, of = admin) => (await by.call('GET', placeOf(of))).body.data as ArchiveDto[];
const facts = ({ status, body }: Answer) => [status, body['code']];

/** An archive that a worker has made. */
async function made(by = admin, of = admin): Promise<ArchiveDto> {
  const { _id } = (await ask(by, of)).body.data as ArchiveDto;
  await workOnArchive(ctx, _id);
  return (await list(by, of)).find((archive) => archive._id === _id) as ArchiveDto;
}

const link = (by: Administrator, of: Administrator, id: string, password = by.password) =>
  by.call('POST', `${placeOf(of)}/link`, { archive_id: id, password: encodePassword(password) });

async function pathTo(id: string): Promise<string> {
  return ((await link(admin, admin, id)).body.data as { path: string }).path;
}

/** The files that this process holds open. */
async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  return await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => 'closed')));
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { headers, method });

describe('archives of a company', () => {
  it('are made once however often they are asked for, listed, downloaded and deleted, and all is noted', async () => {
    const answers = await Promise.all([ask(), ask(), ask()]);
    const ids = new Set(answers.map(({ body }) => (body.data as ArchiveDto)._id));
    expect([answers.map(({ status }) => status), ids.size]).toEqual([[200, 200, 200], 1]);
    const [id = ''] = ids;
    expect(await list()).toMatchObject([{ state: 'making', total: 1, done: 0, sha256: null, asked_by: 'Ana Test' }]);
    expect(facts(await link(admin, admin, id))).toEqual([409, 'archive_not_ready']);
    await workOnArchive(ctx, id);
    const [archive] = await list();
    expect(archive).toMatchObject({ state: 'ready', done: 1, people: 1, lost: 0, problem: null });
    expect(archive?.file_name).toMatch(/^company-[0-9a-f]+-\d{4}-\d\d-\d\d\.tar$/);
    const answer = await get(await pathTo(id));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(archive?.sha256);
    expect([answer.status, bytes.length, answer.headers.get('content-type')]).toEqual([
      200,
      archive?.size,
      'application/x-tar',
    ]);
    expect(answer.headers.get('content-disposition')).toContain(`filename="${archive?.file_name}"`);
    expect((await admin.call('DELETE', placeOf(admin), { archive_id: id })).status).toBe(200);
    expect(await list()).toEqual([]);
    const path = pathsOf(server.app.config.archives.directory, id).finished;
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    const events = await AuditEvent.findAll({ where: { entity: 'archive', entityId: id }, order: [['id', 'ASC']] });
    const actor = String(admin.user.id);
    expect(events.map((event) => [event.action, event.actorId && String(event.actorId)])).toEqual([
      ['archive:asked', actor],
      ['archive:made', null],
      ['archive:link-made', actor],
      ['archive:downloaded', actor],
      ['archive:deleted', actor],
    ]);
  });

  it('are downloaded in parts, so that a download which broke off goes on', async () => {
    const { _id, size, sha256 } = await made();
    const path = await pathTo(_id);
    const whole = Buffer.from(await (await get(path)).arrayBuffer());
    const part = async (range: string, headers = {}) => {
      const answer = await get(path, { range, ...headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return [answer.status, answer.headers.get('content-range'), bytes] as const;
    };
    expect(await part('bytes=10-19')).toEqual([206, `bytes 10-19/${size}`, whole.subarray(10, 20)]);
    expect(await part(`bytes=${size - 5}-`)).toEqual([
      206,
      `bytes ${size - 5}-${size - 1}/${size}`,
      whole.subarray(-5),
    ]);
    expect(await part('bytes=-5')).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, whole.subarray(-5)]);
    expect((await part(`bytes=${size}-`)).slice(0, 2)).toEqual([416, `bytes */${size}`]);
    for (const odd of ['bytes=5-1-', 'lines=1-2', 'bytes=-', 'bytes=0-1,5-6']) expect((await part(odd))[0]).toBe(200);
    expect((await part('bytes=0-1', { 'if-range': `"${sha256}"` }))[0]).toBe(206);
    expect((await part('bytes=0-1', { 'if-range': '"another"' }))[0]).toBe(200);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
  });

  it('are not sent to a client that reads more slowly than an upload may arrive', async () => {
    const { config } = server.app;
    const { transferSeconds, transferBytesPerSecond } = config;
    const { _id } = await made();
    // More than the system keeps for a client
    const file = pathsOf(config.archives.directory, _id).finished;
    await truncate(file, 256 * 1_048_576);
    const path = await pathTo(_id);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    // The file must be seen open before that
    Object.assign(config, { transferSeconds: 3, transferBytesPerSecond: 10_485_760 });
    try {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      await until('the file is open', async () => (await openFiles()).includes(file));
      // A small piece at each look
      await until('the file is closed', async () => {
        socket.read(1024);
        return !(await openFiles()).includes(file);
      });
      socket.resume();
      await once(socket, 'close');
      expect(socket.bytesRead).toBeLessThan(128 * 1_048_576);
    } finally {
      Object.assign(config, { transferSeconds, transferBytesPerSecond });
      socket.destroy();
    }
  });

  it('are noted as downloaded by the first request of a link, whatever part it asks for', async () => {
    const { _id } = await made();
    const downloads = async () =>
      await AuditEvent.count({ where: { entity: 'archive', entityId: _id, action: 'archive:downloaded' } });
    const path = await pathTo(_id);
    await get(path, {}, 'HEAD');
    await get(path, { range: 'bytes=999999999-' });
    expect(await downloads()).toBe(0);
    await (await get(path, { range: 'bytes=1-' })).arrayBuffer();
    expect(await downloads()).toBe(1);
    await (await get(path)).arrayBuffer();
    expect(await downloads()).toBe(1);
    const { id, tokenVersion } = admin.user;
    const link = { archiveId: _id, userId: String(id), tokenVersion };
    const second = signArchiveLink(server.app, link, new Date(Date.now() + 60_000));
    await (await get(second, { range: 'bytes=-5' })).arrayBuffer();
    expect(await downloads()).toBe(2);
  });

  it('are not handed out any more when a person of the company has come to rank above the maker', async () => {
    const { _id } = await made();
    const path = await pathTo(_id);
    const above = await buildMailbox(server.app, { tenant: admin, roleNumber: builtInRole.superAdmin });
    expect((await get(path)).status).toBe(404);
    await above.user.update({ roleId: admin.user.roleId });
    expect((await get(path)).status).toBe(200);
  });

  it('open by a link that is neither forged nor too old, whose maker may still have them', async () => {
    const { _id } = await made();
    const path = await pathTo(_id);
    const { app } = server;
    const other = await buildAdministrator(server);
    const opened = { archiveId: _id, userId: String(admin.user.id), tokenVersion: admin.user.tokenVersion };
    const late = signArchiveLink(app, opened, new Date(Date.now() - 1000));
    const stranger = signArchiveLink(app, { ...opened, userId: String(other.user.id) }, new Date(Date.now() + 60_000));
    const [token = ''] = path.split('/').slice(-1);
    const forged = [
      late,
      stranger,
      `${path}x`,
      path.slice(0, -1),
      `/upload/archive/${token.replace(/^\d+/, '1')}x`,
      path.replace(`.${opened.tokenVersion}.`, `.${opened.tokenVersion + 1}.`),
      path.replace(/\.(\d{10})\./, (_, expiry: string) => `.${Number(expiry) + 999}.`),
      '/upload/archive/...',
      '/upload/archive/%00',
    ];
    for (const wrong of forged) expect([wrong, (await get(wrong)).status]).toEqual([wrong, 404]);
    expect((await get(path)).status).toBe(200);
    const flags = { canView: true, canCreate: false, canEdit: true, canDelete: true };
    const { company, user } = admin;
    await UserPermission.create({ companyId: company.id, userId: user.id, model: 'backup', ...flags });
    expect((await get(path)).status).toBe(404);
    await UserPermission.destroy({ where: { userId: user.id } });
    expect((await get(path)).status).toBe(200);
    await user.update({ loginAllowed: false });
    expect((await get(path)).status).toBe(404);
    await user.update({ loginAllowed: true });
    await writeFile(pathsOf(app.config.archives.directory, _id).finished, '');
    await CompanyArchive.update({ state: 'removed' }, { where: { id: _id } });
    expect((await get(path)).status).toBe(404);
  });

  it('open by no link from before a new password, or while one is asked for: a thief may have made it', async () => {
    const { _id } = await made();
    const path = await pathTo(_id);
    await admin.user.update({ passwordChangeRequired: true });
    expect((await get(path)).status).toBe(404);
    await admin.user.update({ passwordChangeRequired: false });
    expect((await get(path)).status).toBe(200);
    const second = await buildAdministrator(server, { tenant: admin });
    expect((await second.call('POST', `/user/sessions/end/${admin.user.id}`)).status).toBe(200);
    expect((await get(path)).status).toBe(404);
  });

  it('ask for the password before they give a link', async () => {
    const { _id } = await made();
    const refused = await link(admin, admin, _id, 'wrong');
    expect([refused.status, refused.body.errors]).toEqual([422, { password: 'The password is wrong.' }]);
  });

  it('ask for a fresh proof as well while two-factor is on', async () => {
    const { _id } = await made();
    await admin.user.update({ twoFactorStatus: true });
    expect(facts(await link(admin, admin, _id))).toEqual([403, 'confirm_first']);
    await Session.update({ confirmedAt: new Date() }, { where: { userId: String(admin.user.id) } });
    expect((await link(admin, admin, _id)).status).toBe(200);
    await admin.user.update({ twoFactorStatus: false });
  });

  it('are of one company: another one hears that there are none, and the provider sees all', async () => {
    const { _id } = await made();
    const other = await buildAdministrator(server);
    const calls = [
      await other.call('GET', placeOf(admin)),
      await other.call('POST', placeOf(admin)),
      await link(other, admin, _id),
      await link(other, other, _id),
      await other.call('DELETE', placeOf(admin), { archive_id: _id }),
      await other.call('DELETE', placeOf(other), { archive_id: _id }),
    ];
    expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    const provider = await buildProvider(server);
    expect(await list(provider, admin)).toMatchObject([{ _id, state: 'ready' }]);
    expect((await link(provider, admin, _id)).status).toBe(200);
  });

  it('are not for a person who may read one backup, or who may do less than a person of the company', async () => {
    const clerk = await signInAs(server, await buildMailbox(server.app, { tenant: admin }));
    const all = { canView: true, canCreate: true, canEdit: true, canDelete: true };
    const own = { companyId: clerk.company.id, userId: clerk.user.id };
    await UserPermission.create({ ...own, model: 'backup', ...all });
    const refused = async () => {
      for (const answer of [await ask(clerk), await clerk.call('GET', placeOf(clerk))]) {
        expect(facts(answer)).toEqual([403, 'outranked']);
      }
    };
    await refused();
    // The mailbox of the Admin alone they would not be given either
    await UserPermission.create({ ...own, model: 'company', canView: true, canEdit: true });
    await refused();
    const second = await buildAdministrator(server, { tenant: admin });
    expect((await ask(second)).status).toBe(200);
  });

  it('are not for an administrator who lacks a flag that a person or a role of the company has', async () => {
    const person = await buildMailbox(server.app, { tenant: admin });
    const own = { companyId: person.company.id, userId: person.user.id };
    const more = await UserPermission.create({ ...own, model: 'client', canView: true });
    expect(facts(await ask())).toEqual([403, 'outranked']);
    await person.user.update({ deletedAt: new Date() });
    expect(facts(await ask())).toEqual([403, 'outranked']);
    await more.destroy();
    expect((await ask()).status).toBe(200);
    await buildMailbox(server.app, { tenant: admin, roleNumber: builtInRole.superAdmin });
    expect(facts(await ask())).toEqual([403, 'outranked']);
    const provider = await buildProvider(server);
    expect((await ask(provider, admin)).status).toBe(200);
  });

  it('are refused when the disk has no room, and beyond three', async () => {
    server.app.config.archives.spareBytes = Number.MAX_SAFE_INTEGER;
    try {
      expect(facts(await ask())).toEqual([409, 'no_room_for_archive']);
    } finally {
      server.app.config.archives.spareBytes = 0;
    }
    expect(await list()).toEqual([]);
    for (let n = 0; n < 3; n += 1) await made();
    expect(facts(await ask())).toEqual([409, 'too_many_archives']);
  });
});
