import { randomBytes, randomUUID } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { DraftDto } from '@selvage/core/contracts/drafts';
import type { EmailDto } from '@selvage/core/contracts/email';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { emptyOldJunk } from '@selvage/core/mailstore/empty-junk';
import { receive, receiveFiles } from '@selvage/core/mailstore/test-messages';
import { Company } from '@selvage/core/models/company';
import { Draft } from '@selvage/core/models/draft';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { Message } from '@selvage/core/models/message';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildCompany, buildMailbox, type Mailbox, type Tenant } from '../support/factories.ts';
import { withLongUndo } from '../support/long-undo.ts';
import { prepareSigning } from '../support/signing.ts';
import { compareStore } from '../support/stored-bytes.ts';
import { startWebHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const same = { extra: [], missing: [] };
let host: TestHost;
let tenant: Tenant;

interface Person {
  mailbox: Mailbox;
  client: ApiClient;
  userId: string;
}

// What is left without a row stays for a day: only the removals themselves can pass these tests
beforeAll(async () => {
  host = await startWebHost({ UNDO_MS: '1000', BLOB_ORPHAN_HOURS: '24' });
  tenant = await buildCompany(host.app);
  await prepareSigning(host, tenant);
});

async function person(roleNumber: number = builtInRole.user, own = tenant): Promise<Person> {
  const mailbox = await buildMailbox(host.app, { tenant: own, roleNumber });
  const client = new ApiClient(host);
  await client.signIn(mailbox.user.email, mailbox.password);
  return { mailbox, client, userId: String(mailbox.user.id) };
}

function formOf(fields: Record<string, string>, files: number): FormData {
  const form = new FormData();
  const body = `<p>x<img src="data:image/png;base64,${picture}"></p>`;
  for (const [name, value] of Object.entries({ subject: randomUUID(), body, ...fields })) form.append(name, value);
  for (let count = 0; count < files; count += 1) form.append('attachments', new Blob([randomBytes(900)]), 'own.bin');
  return form;
}

/** Sends a message with a file and a picture in its text; answers the sender's copy. */
async function send({ client }: Person, to: string, fields: Record<string, string> = {}): Promise<string> {
  const form = formOf({ 'recipient_emails_to[]': to, ...fields }, 1);
  return (await client.data<EmailDto>('POST', '/mail/send', form))._id;
}

/** Saves a draft with two files, and once more with another one in place of the first. */
async function draft({ client }: Person): Promise<string> {
  const made = await client.data<DraftDto>('POST', '/mail/draft/save', formOf({}, 2));
  const without = String(made.attachments[0]?._id);
  const changes = { draft_id: made._id, version: String(made.version), 'without_attachments[]': without };
  await client.data('POST', '/mail/draft/save', formOf(changes, 1));
  return made._id;
}

const discard = ({ client }: Person, ids: string[]) => client.data('DELETE', '/mail/draft/delete', { draft_ids: ids });

/** Waits until bytes and rows are the same, and these messages are gone. */
async function untilClean(gone: readonly string[]): Promise<void> {
  let last: unknown;
  await until(
    () => `the store is what the rows say: ${JSON.stringify(last)}`,
    async () => {
      const rows = await Message.count({ where: { id: gone } });
      last = { ...(await compareStore(host.app)), rows };
      return JSON.stringify(last) === JSON.stringify({ ...same, rows: 0 });
    },
    60_000,
  );
}

async function messageIdOf(entryId: string): Promise<string> {
  return String((await MailboxEntry.findByPk(entryId, { rejectOnEmpty: true })).messageId);
}

describe('the bytes of a company', () => {
  it('go with every way in which a person deletes mail, and only they', { timeout: 400_000 }, async () => {
    const ctx = systemContext(host.app);
    const ana = await person();
    const ben = await person();
    const mine = async () => await receiveFiles(ctx, [ana.mailbox], [['a.bin', randomBytes(700)]]);
    const stored = await Promise.all(Array.from({ length: 7 }, mine));
    const [kept, trashed, deleted, junk, oldJunk, foldered, labelled] = stored.map(
      ({ entryIds }) => entryIds[0] ?? '',
    ) as [string, string, string, string, string, string, string];
    const status = (entryId: string, flags: object) =>
      ana.client.data('PUT', '/mail/status_change', { email_id: [entryId], ...flags });

    await status(deleted, { delete_status: true });
    await status(trashed, { trash_status: true });
    await status(junk, { junk_status: true });
    await ana.client.data('POST', '/mail/empty_junk', {});
    // What the sweep over old mail in Junk does
    await status(oldJunk, { junk_status: true });
    await emptyOldJunk(ctx, { after: '0', cutoff: new Date(Date.now() + 60_000) });

    // A deleted folder moves its mail to the trash; a deleted label leaves it where it is
    const folder = await ana.client.data<{ _id: string }>('POST', '/mail/folders/create', { name: 'Looms' });
    await ana.client.data('PUT', '/mail/move', { email_id: [foldered], folder_id: folder._id });
    await ana.client.data('DELETE', `/mail/folders/delete/${folder._id}`);
    const label = await ana.client.data<{ _id: string }>('POST', '/mail/labels/create', { name: 'L', colour: 'red' });
    await ana.client.data('PUT', '/mail/label_change', { email_id: [labelled], add: [label._id] });
    await ana.client.data('DELETE', `/mail/labels/delete/${label._id}`);
    const isInTrash = async () => (await MailboxEntry.count({ where: { id: [foldered], folder: 'trash' } })) === 1;
    await until('the mail of the folder is in the trash', isInTrash);
    await ana.client.data('POST', '/mail/empty_trash', {});

    const drafts = [await draft(ana), await draft(ana), await draft(ana)];
    const isMade = async () => (await Draft.count({ where: { id: drafts, bytesDueAt: null } })) === drafts.length;
    await until('the bytes of the drafts are made', isMade, 60_000);
    await discard(ana, drafts.slice(0, 2));

    // Taken back, scheduled, scheduled anew, cancelled, sent at once, and refused
    const undo = async (entryId: string) =>
      (await ana.client.data<{ draft_id: string }>('POST', `/mail/undo_send/${entryId}`)).draft_id;
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const taken = await undo(await withLongUndo(ana.mailbox.user, () => send(ana, 'far@remote.test')));
    const cancelled = await send(ana, 'far@remote.test', { send_at: at(2) });
    await ana.client.data('PUT', `/mail/scheduled/${cancelled}`, { send_at: at(5) });
    await discard(ana, [taken, await undo(cancelled)]);
    const now = await send(ana, ben.mailbox.user.email, { send_at: at(3) });
    await ana.client.data('POST', `/mail/scheduled/${now}/send_now`);
    await ana.mailbox.user.update({ storageLimit: '10' });
    const refused = formOf({ 'recipient_emails_to[]': 'far@remote.test' }, 3);
    expect((await ana.client.call('POST', '/mail/send', refused)).status).toBe(422);
    expect((await ana.client.call('POST', '/mail/draft/save', formOf({}, 3))).status).toBe(422);
    await ana.mailbox.user.update({ storageLimit: null });
    const again = formOf(
      { 'recipient_emails_to[]': 'far@remote.test', draft_id: drafts[2] ?? '', draft_version: '9' },
      1,
    );
    expect((await ana.client.call('POST', '/mail/send', again)).status).toBe(409);

    const sent = await messageIdOf(now);
    const { subject } = await Message.findByPk(sent, { rejectOnEmpty: true });
    const arrived = await ben.client.awaitMessage(subject);
    await ben.client.data('PUT', '/mail/status_change', { email_id: [arrived._id], delete_status: true });
    await status(now, { delete_status: true });

    const left = [stored[0]?.messageId ?? '', stored[6]?.messageId ?? ''];
    await untilClean([sent, ...stored.slice(1, 6).map(({ messageId }) => messageId)]);
    expect(await Message.count({ where: { id: left } })).toBe(2);
    expect(await MailboxEntry.count({ where: { id: [kept, labelled], folder: 'inbox' } })).toBe(2);
  });

  it('go with what an administrator deletes: waiting mail, backups, archives and people', {
    timeout: 400_000,
  }, async () => {
    const ctx = systemContext(host.app);
    const [admin, owner, other] = [await person(builtInRole.superAdmin), await person(), await person()];
    const both = await receive(ctx, [owner.mailbox, other.mailbox]);
    const alone = await receive(ctx, [owner.mailbox]);
    await draft(owner);
    const form = new FormData();
    form.append('avatar', new Blob([Buffer.from(picture, 'base64')]), 'me.png');
    await owner.client.data('PUT', `/user/update/${owner.userId}`, form);

    // Its sender has deleted it, and it waits for a domain that has no server
    const waiting = await send(owner, 'x@nowhere.invalid');
    const waitingId = await messageIdOf(waiting);
    await until('it has left', async () => (await owner.client.call('GET', `/mail/get/${waiting}`)).status === 200);
    await owner.client.data('PUT', '/mail/status_change', { email_id: [waiting], delete_status: true });

    const backup = { user_id: owner.userId, backup_user_email: other.mailbox.user.email };
    const { _id: copyId } = await admin.client.data<{ _id: string }>('PUT', '/mail/backup', backup);
    await until('the backup is made', async () => (await MailCopy.findByPk(copyId))?.state === 'ready');
    const companyId = String(tenant.company.id);
    const archive = await admin.client.data<{ _id: string }>('POST', `/company/archives/${companyId}`);

    await admin.client.data('DELETE', `/user/delete/${owner.userId}`);
    await admin.client.data('DELETE', `/user/permanently/delete/${owner.userId}`);
    await until('the person is erased', async () => (await User.findByPk(owner.userId)) === null, 60_000);
    // The backup still has it
    expect(await Message.count({ where: { id: [alone.messageId] } })).toBe(1);
    await UserPermission.create({
      companyId,
      userId: other.userId,
      model: 'backup',
      canView: true,
      canCreate: false,
      canEdit: false,
      canDelete: true,
    });
    await other.client.data('DELETE', '/mail/delete/backup', {
      backup_email: owner.mailbox.user.email,
      backup_id: copyId,
    });
    await admin.client.data('DELETE', `/company/archives/${companyId}`, { archive_id: archive._id });
    await untilClean([alone.messageId, waitingId]);
    expect(await Message.count({ where: { id: [both.messageId] } })).toBe(1);
  });

  it('go with the company', { timeout: 400_000 }, async () => {
    const ctx = systemContext(host.app);
    const own = await buildCompany(host.app);
    const [one, two, outside] = [
      await person(builtInRole.user, own),
      await person(builtInRole.user, own),
      await person(),
    ];
    const inside = await receive(ctx, [one.mailbox, two.mailbox]);
    const shared = await receive(ctx, [one.mailbox, outside.mailbox]);
    await draft(one);
    await send(two, 'far@remote.test', { send_at: new Date(Date.now() + 7_200_000).toISOString() });
    const trash = await receive(ctx, [two.mailbox]);
    await changeStatus(ctx, { userId: two.userId, entryIds: trash.entryIds, flags: { trashStatus: true } });

    const admin = new ApiClient(host);
    await admin.signIn('admin@host.test', 'correct horse battery');
    await admin.data('DELETE', `/company/delete/${own.company.id}`);
    await admin.data('DELETE', `/company/permanent-delete/${own.company.id}`);
    await until('the company is erased', async () => (await Company.findByPk(own.company.id)) === null, 60_000);
    await untilClean([inside.messageId, trash.messageId]);
    expect(await Message.count({ where: { id: [shared.messageId] } })).toBe(1);
  });
});
