import { systemContext } from '@selvage/core/context/context';
import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import type { ModelName, PermissionAction } from '@selvage/core/contracts/permissions';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { signPath } from './signed-path.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

type Row = Record<PermissionAction, boolean>;
const all: Row = { view: true, create: true, edit: true, delete: true };

/** A person whose own entry for one model lacks one flag, and a way to make calls. */
async function personWithout(model: ModelName, flag: PermissionAction) {
  const person = await buildMailbox(server.app);
  await deny(person, model, flag);
  const { token } = await server.signIn(person.user.email, person.password);
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  return { person, call };
}

async function deny({ company, user }: Mailbox, model: ModelName, flag: PermissionAction): Promise<void> {
  const row = { ...all, [flag]: false };
  await UserPermission.create({
    companyId: company.id,
    userId: user.id,
    model,
    canView: row.view,
    canCreate: row.create,
    canEdit: row.edit,
    canDelete: row.delete,
  });
}

async function received(person: Mailbox, overrides: Parameters<typeof receive>[2] = {}): Promise<string> {
  const { entryIds } = await receive(systemContext(server.app), [person], overrides);
  return entryIds[0] ?? '';
}

const refused = { status: 403, body: { code: 'forbidden' } };

describe('without the flag to view a folder', () => {
  it('its list is refused, its totals are nought, and other folders are shown', async () => {
    const { person, call } = await personWithout('inbox', 'view');
    await received(person);
    expect(await call('GET', '/mail/get/sent/by_user?received_status=true')).toMatchObject(refused);
    expect((await call('GET', '/mail/get/sent/by_user?archive_status=true')).status).toBe(200);
    const totals = (await call('GET', '/mail/totals')).body.data as Record<string, { total: number }>;
    expect(totals['inbox']).toEqual({ total: 0, unread: 0 });
  });

  it('Junk goes with the inbox', async () => {
    const { person, call } = await personWithout('inbox', 'view');
    const id = await received(person);
    await MailboxEntry.update({ junkStatus: true, folder: 'junk' }, { where: { id } });
    expect(await call('GET', '/mail/get/sent/by_user?junk_status=true')).toMatchObject(refused);
    expect(await call('GET', `/mail/get/${id}`)).toMatchObject(refused);
    expect(await call('GET', '/mail/search?q=in:junk')).toMatchObject(refused);
  });

  it('its messages are opened only by a star, in Starred', async () => {
    const { person, call } = await personWithout('inbox', 'view');
    const id = await received(person);
    expect(await call('GET', `/mail/get/${id}`)).toMatchObject(refused);
    expect(await call('PUT', '/mail/status_change', { email_id: [id], star_status: true })).toMatchObject({
      status: 200,
    });
    expect((await call('GET', `/mail/get/${id}`)).status).toBe(200);
    await deny(person, 'starred', 'view');
    expect(await call('GET', `/mail/get/${id}`)).toMatchObject(refused);
  });

  it('its messages are not part of a conversation, and cannot be answered', async () => {
    const { person, call } = await personWithout('archive', 'view');
    const root = await received(person, { messageId: '<root@sender.test>' });
    const answer = await received(person, { references: '<root@sender.test>' });
    await MailboxEntry.update({ archiveStatus: true, folder: 'archive' }, { where: { id: root } });
    const opened = (await call('GET', `/mail/get/${answer}`)).body.data as EmailDto;
    expect(opened.replies).toEqual([]);
    const body = { originalEmailId: root, is_reply: true, recipient_emails_to: ['a@remote.test'] };
    expect(await call('POST', '/mail/replyOrForward', body)).toMatchObject(refused);
  });
});

describe('when the flag to view a folder is withdrawn', () => {
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;

  it('no path of its messages opens anything any more, and one of a starred message only in Starred', async () => {
    const { person, call } = await personWithout('trash', 'delete');
    const id = await received(person, { subject: 'With rows' });
    const item = (await call('GET', `/mail/get/${id}`)).body.data as EmailDto;
    const own = [String(person.user.id), id];
    const [files, images] = [signPath(server.app, 'files', own), signPath(server.app, 'remote', own)];
    const paths = [item.source_path, files, item.frame_path, item.attachments[0]?.file_path ?? ''];
    const statuses = () => Promise.all(paths.map(statusOf));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect(await statusOf(images)).toBe(404);
    await deny(person, 'inbox', 'view');
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    expect(await statusOf(images)).toBe(403);
    await MailboxEntry.update({ starStatus: true }, { where: { id } });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await deny(person, 'starred', 'view');
    expect(await statuses()).toEqual([403, 403, 403, 403]);
  });

  it('and while the person is asked for another password, the paths open nothing either', async () => {
    const { person, call } = await personWithout('trash', 'delete');
    const id = await received(person);
    const { source_path: path } = (await call('GET', `/mail/get/${id}`)).body.data as EmailDto;
    await person.user.update({ passwordChangeRequired: true });
    expect(await call('GET', `/mail/get/${id}`)).toMatchObject({ status: 403 });
    expect(await statusOf(path)).toBe(404);
    await person.user.update({ passwordChangeRequired: false });
    expect(await statusOf(path)).toBe(200);
  });

  it('no path of the files of drafts opens anything any more', async () => {
    const { person, call } = await personWithout('trash', 'delete');
    const form = new FormData();
    form.append('subject', 'With a file');
    form.append('attachments', new Blob(['first']), 'a.txt');
    const draft = (await call('POST', '/mail/draft/save', form)).body.data as DraftDto;
    const path = draft.attachments[0]?.file_path ?? '';
    expect(await statusOf(path)).toBe(200);
    await deny(person, 'draft', 'view');
    expect(await statusOf(path)).toBe(403);
  });
});

describe('without the flag to change a folder', () => {
  it.each(['read_status', 'star_status', 'archive_status', 'trash_status', 'junk_status'])(
    '%s stays as it is',
    async (flag) => {
      const { person, call } = await personWithout('inbox', 'edit');
      const id = await received(person);
      expect(await call('PUT', '/mail/status_change', { email_id: [id], [flag]: true })).toMatchObject(refused);
      expect(await MailboxEntry.count({ where: { id, readStatus: false, starStatus: false, folder: 'inbox' } })).toBe(
        1,
      );
    },
  );

  it('nothing of a selection is changed when one of it may not be', async () => {
    const { person, call } = await personWithout('archive', 'edit');
    const [free, fixed] = [await received(person), await received(person)];
    await call('PUT', '/mail/status_change', { email_id: [fixed], archive_status: true });
    const answer = await call('PUT', '/mail/status_change', { email_id: [free, fixed], read_status: true });
    expect(answer).toMatchObject(refused);
    expect(await MailboxEntry.count({ where: { id: [free, fixed], readStatus: true } })).toBe(0);
  });

  it('the flag to delete is another one', async () => {
    const { person, call } = await personWithout('trash', 'delete');
    const id = await received(person);
    await call('PUT', '/mail/status_change', { email_id: [id], trash_status: true });
    expect(await call('PUT', '/mail/status_change', { email_id: [id], delete_status: true })).toMatchObject(refused);
    const back = await call('PUT', '/mail/status_change', { email_id: [id], trash_status: false });
    expect(back.status).toBe(200);
  });
});

describe('the flags of drafts', () => {
  const save = { subject: 'Looms', body: '<p>x</p>' };

  it('let a person begin drafts without going on with any, or go on with drafts without beginning one', async () => {
    const { person, call } = await personWithout('draft', 'edit');
    const begun = await call('POST', '/mail/draft/save', save);
    expect(begun.status).toBe(200);
    const { _id } = begun.body.data as DraftDto;
    expect(await call('POST', '/mail/draft/save', { ...save, draft_id: _id })).toMatchObject(refused);
    const flags = { canCreate: false, canEdit: true };
    await UserPermission.update(flags, { where: { userId: person.user.id, model: 'draft' } });
    expect((await call('POST', '/mail/draft/save', { ...save, draft_id: _id })).status).toBe(200);
    expect(await call('POST', '/mail/draft/save', save)).toMatchObject(refused);
    await UserPermission.update({ canEdit: false }, { where: { userId: person.user.id, model: 'draft' } });
    expect(await call('POST', '/mail/draft/save', { ...save, draft_id: _id })).toMatchObject(refused);
  });
});
