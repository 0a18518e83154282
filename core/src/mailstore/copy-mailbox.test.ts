import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { CopiedEntry } from '../models/copied-entry.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { MailCopy } from '../models/mail-copy.ts';
import { Message } from '../models/message.ts';
import { User } from '../models/user.ts';
import { changeStatus } from './change-status.ts';
import { workOnCopy } from './copy-mailbox.ts';
import { eraseCompanyRows, eraseUserRows } from '../directory/erase-rows.ts';
import { submitMessage } from '../outbound/submit-message.ts';
import { undoSend } from '../outbound/undo-send.ts';
import { Company } from '../models/company.ts';
import { copiedRef, readCopied } from './find-copied.ts';
import { findEntry } from './find-entry.ts';
import { resumeCopies } from './idle-copies.ts';
import { listCopied } from './list-copied.ts';
import { removeMessageIfUnreferenced } from './remove-unreferenced.ts';
import { bytesOfCompanies, bytesOfPeople } from './storage-use.ts';
import { receive } from './test-messages.ts';
import { removeUnusedMessages } from './unused-messages.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

const idOf = ({ user }: Mailbox): string => String(user.id);

async function twoPeople(): Promise<{ owner: Mailbox; viewer: Mailbox }> {
  const owner = await buildMailbox(app);
  return { owner, viewer: await buildMailbox(app, { tenant: owner }) };
}

async function give(owner: Mailbox, viewer: Mailbox): Promise<string> {
  const names = { ownerName: 'O', viewerName: 'V', giverName: 'A' };
  const { id } = await MailCopy.create({
    companyId: String(owner.company.id),
    ownerId: idOf(owner),
    ownerEmail: owner.user.email,
    viewerId: idOf(viewer),
    viewerEmail: viewer.user.email,
    ...names,
    state: 'copying',
    cursors: {},
  });
  return String(id);
}

const stateOf = (id: string): Promise<MailCopy> => MailCopy.findByPk(id, { rejectOnEmpty: true });

async function giveAgain(id: string): Promise<void> {
  await MailCopy.update({ state: 'copying' }, { where: { id } });
  await workOnCopy(ctx, id);
}

async function subjectsOf(copyId: string): Promise<string[]> {
  const rows = await CopiedEntry.findAll({ where: { copyId }, order: ['arrivedAt', 'id'] });
  const messages = await Message.findAll({ where: { id: rows.map(({ messageId }) => messageId) } });
  const subjects = new Map(messages.map(({ id, subject }) => [String(id), subject]));
  return rows.map(({ messageId }) => subjects.get(String(messageId)) ?? '');
}

const remove = (mailbox: Mailbox, entryIds: string[]) =>
  changeStatus(ctx, { userId: idOf(mailbox), entryIds, flags: { deleteStatus: true } });

/** Repeats the message of an entry so often in the inbox of its owner. */
async function repeat({ user }: Mailbox, messageId: string, times: number): Promise<void> {
  const word = `many-${user.id}`;
  await app.db.query(
    `INSERT INTO messages (mail_id, blob_key, size, trace_headers, thread_key, envelope_from, from_address, subject, preview,
                           to_list, cc_list, created_at, updated_at)
     SELECT CONCAT('${word}-', seq), blob_key, size, '', thread_key, '', from_address, CONCAT('Row ', seq), preview, to_list, cc_list,
            created_at, updated_at FROM messages JOIN seq_1_to_${times} WHERE id = ${messageId}`,
  );
  await app.db.query(
    `INSERT INTO mailbox_entries (company_id, user_id, message_id, folder, folder_id, uid, received_status, thread_key,
                                  arrived_at, created_at, updated_at)
     SELECT ${user.companyId}, ${user.id}, m.id, 'inbox', f.id, 10 + m.id, 1, m.thread_key, NOW(3), NOW(3), NOW(3)
       FROM messages m JOIN folders f ON f.user_id = ${user.id} AND f.role = 'inbox' WHERE m.mail_id LIKE '${word}-%'`,
  );
}

/** How many rows and index entries the connection of a transaction has read so far. */
async function readsOf(tx: TxCtx): Promise<number> {
  const rows = await readRows<{ Value: string }>(tx, "SHOW SESSION STATUS LIKE 'Handler_read%'", []);
  return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
}

async function eraseOwner(owner: Mailbox): Promise<void> {
  await User.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: idOf(owner) } });
  await eraseUserRows(ctx, idOf(owner));
}

describe('a copy of a mailbox', () => {
  it('has what was received and sent, also from the trash, and nothing that was not sent or is gone', async () => {
    const { owner, viewer } = await twoPeople();
    const [kept, trashed, gone] = await Promise.all(
      ['Kept', 'Trashed', 'Gone'].map(async (subject) => (await receive(ctx, [owner], { subject })).entryIds),
    );
    const flags = { trashStatus: true, readStatus: true };
    await changeStatus(ctx, { userId: idOf(owner), entryIds: trashed ?? [], flags });
    await remove(owner, gone ?? []);
    const raw = (subject: string) =>
      Buffer.from(`From: ${owner.user.email}\r\nTo: bob@remote.test\r\nSubject: ${subject}\r\n\r\ntext\r\n`);
    const written = { user: owner.user, door: 'web' as const, bcc: ['eve@secret.test'] };
    await submitMessage(ctx, { ...written, raw: raw('Sent') });
    await submitMessage(ctx, { ...written, raw: raw('Waiting'), sendAt: new Date(Date.now() + 86_400_000) });
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    expect((await subjectsOf(id)).toSorted()).toEqual(['Kept', 'Sent', 'Trashed']);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', receivedCount: 2, sentCount: 1 });
    const rows = await CopiedEntry.findAll({ where: { copyId: id }, order: ['entryId'] });
    expect(rows.map(({ isSent, readStatus, bccList }) => [isSent, readStatus, bccList])).toEqual(
      expect.arrayContaining([
        [false, false, null],
        [false, true, null],
        [true, true, ['eve@secret.test']],
      ]),
    );
    expect(rows.map(({ entryId }) => String(entryId))).toContain(kept?.[0]);
  });

  it('waits for a message that can still be taken back, and has those that were sent after it', async () => {
    const { owner, viewer } = await twoPeople();
    const send = (subject: string, holdMs: number) => {
      const raw = `From: ${owner.user.email}\r\nTo: bob@remote.test\r\nSubject: ${subject}\r\n\r\ntext\r\n`;
      return submitMessage(ctx, { user: owner.user, door: 'web', bcc: [], raw: Buffer.from(raw), holdMs });
    };
    await send('Before', 0);
    const { entryId } = await send('Held', 60_000);
    const sentByAheadClock = await send('Left long ago', 60_000);
    await MailboxEntry.update(
      { deliveryState: 'delivered', undoUntil: new Date(Date.now() + 86_400_000) },
      { where: { id: sentByAheadClock.entryId } },
    );
    const id = await give(owner, viewer);
    for (let run = 0; run < 4; run += 1) expect(await workOnCopy(ctx, id, { longestMs: 0 })).toBe('more');
    expect(await subjectsOf(id)).toEqual(['Before']);
    expect(await stateOf(id)).toMatchObject({ state: 'copying' });
    await undoSend(ctx, { userId: idOf(owner), entryId });
    await workOnCopy(ctx, id);
    expect(await subjectsOf(id)).toEqual(['Before', 'Left long ago']);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', sentCount: 2 });
  });

  it('has among what was received what a mail program put there, and finds it', async () => {
    const { owner, viewer } = await twoPeople();
    const { entryIds } = await receive(ctx, [owner], { subject: 'Appended' });
    await MailboxEntry.update({ receivedStatus: false }, { where: { id: entryIds } });
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    const copy = await stateOf(id);
    expect(copy).toMatchObject({ state: 'ready', receivedCount: 1, sentCount: 0 });
    const place = { viewerId: idOf(viewer), copy, page: 1, limit: 10 };
    const seen = async (isSent: boolean, search?: string) => {
      const { rows, total } = await listCopied(ctx, { ...place, isSent, search });
      expect(total).toBe(rows.length);
      return rows.map(({ message }) => message.subject);
    };
    expect([await seen(false), await seen(true)]).toEqual([['Appended'], []]);
    expect([await seen(false, 'append'), await seen(false, 'other')]).toEqual([['Appended'], []]);
  });

  it('takes what is new when it is given again, each message once, also one that has moved', async () => {
    const { owner, viewer } = await twoPeople();
    const first = await receive(ctx, [owner], { subject: 'First' });
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    await changeStatus(ctx, { userId: idOf(owner), entryIds: first.entryIds, flags: { archiveStatus: true } });
    await receive(ctx, [owner], { subject: 'Second' });
    await giveAgain(id);
    expect(await subjectsOf(id)).toEqual(['First', 'Second']);
    await giveAgain(id);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', receivedCount: 2 });
  });

  it('goes on where a run was killed, and two runs at once copy nothing twice', async () => {
    const { owner, viewer } = await twoPeople();
    const { messageId } = await receive(ctx, [owner]);
    await repeat(owner, messageId, 3500);
    const id = await give(owner, viewer);
    const killed = new AbortController();
    const stopped = workOnCopy(ctx, id, { signal: killed.signal });
    killed.abort();
    await expect(stopped).rejects.toThrow();
    const half = await stateOf(id);
    expect([half.state, half.receivedCount]).toEqual(['copying', 1000]);
    // A run that breaks off within a slice leaves no trace of it
    await expect(
      inTransaction(ctx, async (tx) => {
        await workOnCopy(tx, id);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect((await stateOf(id)).receivedCount).toBe(1000);
    // Too soon after its last slice
    expect(await resumeCopies(ctx, undefined, half.updatedAt.getTime() + 14_000)).toBe(0);
    const later = Date.now() + 60_000;
    await Promise.all([resumeCopies(ctx, undefined, later), workOnCopy(ctx, id), workOnCopy(ctx, id)]);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', receivedCount: 3501, sentCount: 0 });
    expect(await CopiedEntry.count({ where: { copyId: id } })).toBe(3501);
  });

  it('is gone on with when its last run was killed while the clock was ahead', async () => {
    const { owner, viewer } = await twoPeople();
    await receive(ctx, [owner]);
    const id = await give(owner, viewer);
    const ahead = new Date(Date.now() + 365 * 86_400_000);
    await changeRows(ctx, 'UPDATE mail_copies SET updated_at = ? WHERE id = ?', [ahead, id]);
    await resumeCopies(ctx);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', receivedCount: 1 });
  });

  it('is made a part at a time, and removed so, when its run has a limit', async () => {
    const { owner, viewer } = await twoPeople();
    const { messageId } = await receive(ctx, [owner]);
    await repeat(owner, messageId, 2500);
    const id = await give(owner, viewer);
    const run = { longestMs: 0 };
    expect([await workOnCopy(ctx, id, run), (await stateOf(id)).receivedCount]).toEqual(['more', 1000]);
    expect([await workOnCopy(ctx, id, run), (await stateOf(id)).receivedCount]).toEqual(['more', 2000]);
    expect([await workOnCopy(ctx, id, run), (await stateOf(id)).receivedCount]).toEqual(['more', 2501]);
    expect([await workOnCopy(ctx, id, run), (await stateOf(id)).state]).toEqual(['done', 'ready']);
    await MailCopy.update({ state: 'removing', deletedAt: new Date() }, { where: { id } });
    expect(await workOnCopy(ctx, id, run)).toBe('more');
    expect(await CopiedEntry.count({ where: { copyId: id } })).toBe(2001);
    while ((await workOnCopy(ctx, id, run)) === 'more');
    expect([(await stateOf(id)).state, await CopiedEntry.count({ where: { copyId: id } })]).toEqual(['removed', 0]);
  });

  it('reads no more for a slice, however much it has already', async () => {
    const { owner, viewer } = await twoPeople();
    const { messageId } = await receive(ctx, [owner]);
    await repeat(owner, messageId, 9000);
    const id = await give(owner, viewer);
    const reads: number[] = [];
    for (let slices = 0; slices < 9; slices += 1) {
      await inTransaction(ctx, async (tx) => {
        const before = await readsOf(tx);
        await workOnCopy(tx, id, { longestMs: 0 });
        reads.push((await readsOf(tx)) - before);
      });
    }
    expect((await stateOf(id)).receivedCount).toBe(9000);
    expect(reads[8]).toBeLessThan(1.5 * (reads[1] ?? 0));
  });

  it('keeps a message that its owner deletes for good, and lets it go when it is deleted itself', async () => {
    const { owner, viewer } = await twoPeople();
    const { messageId, entryIds } = await receive(ctx, [owner]);
    const { blobKey, size } = await Message.findByPk(messageId, { rejectOnEmpty: true });
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    await remove(owner, entryIds);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('still_used');
    await removeUnusedMessages(ctx, String(Number(messageId) - 1));
    expect(await Message.findByPk(messageId)).not.toBeNull();
    const [copied] = await CopiedEntry.findAll({ where: { copyId: id } });
    const ref = { userId: idOf(viewer), entryId: copiedRef(String(copied?.id)) };
    expect((await findEntry(ctx, ref)).message.subject).toBe('Hello');
    // It is the storage of the company, and of no person
    const companyId = String(owner.company.id);
    expect((await bytesOfCompanies(ctx, [companyId])).get(companyId)).toBe(size);
    expect((await bytesOfPeople(ctx, [idOf(viewer)])).get(idOf(viewer)) ?? 0).toBe(0);

    await MailCopy.update({ state: 'removing', deletedAt: new Date() }, { where: { id } });
    await expect(findEntry(ctx, ref)).rejects.toThrow('Message not found');
    await workOnCopy(ctx, id);
    const { state, bytes } = await stateOf(id);
    expect([state, Number(bytes)]).toEqual(['removed', 0]);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
    expect(await app.blobs.has(blobKey)).toBe(false);
  });

  it('outlives its owner, is whole although it was only begun, and leaves the ledger right', async () => {
    const { owner, viewer } = await twoPeople();
    const from = new Date();
    const { messageId } = await receive(ctx, [owner], { subject: 'Inherited' });
    const id = await give(owner, viewer);
    await eraseOwner(owner);
    expect(await subjectsOf(id)).toEqual(['Inherited']);
    expect(await stateOf(id)).toMatchObject({ state: 'ready', ownerId: null, ownerEmail: owner.user.email });
    const { problems } = await checkLedger(ctx, { from, to: new Date(Date.now() + 1000) });
    expect(problems).toEqual([]);
    await MailCopy.update({ state: 'removing', deletedAt: new Date() }, { where: { id } });
    await workOnCopy(ctx, id);
    // No person is left whom the record could tell
    expect(await MailCopy.findByPk(id)).toBeNull();
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
  });

  it('goes with its viewer, and its owner still sees that there was one', async () => {
    const { owner, viewer } = await twoPeople();
    const { messageId, entryIds } = await receive(ctx, [owner]);
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    await eraseOwner(viewer);
    expect(await stateOf(id)).toMatchObject({ state: 'removed', viewerId: null, viewerEmail: viewer.user.email });
    expect(await CopiedEntry.count({ where: { copyId: id } })).toBe(0);
    await remove(owner, entryIds);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
  });

  it('goes with the company of its owner, also when a person of the provider reads it', async () => {
    const provider = await buildMailbox(app);
    await provider.company.update({ isProvider: true });
    const owner = await buildMailbox(app);
    const { messageId } = await receive(ctx, [owner]);
    const id = await give(owner, provider);
    await workOnCopy(ctx, id);
    const erasedAt = new Date();
    await Company.update({ deletedAt: erasedAt, erasedAt }, { where: { id: owner.company.id } });
    await eraseCompanyRows(ctx, String(owner.company.id));
    expect(await MailCopy.findByPk(id)).toBeNull();
    expect(await CopiedEntry.count({ where: { copyId: id } })).toBe(0);
    expect(await removeMessageIfUnreferenced(ctx, messageId)).toBe('removed');
  });

  it('is read by its viewer alone, and not from another company', async () => {
    const { owner, viewer } = await twoPeople();
    const stranger = await buildMailbox(app);
    await receive(ctx, [owner]);
    const id = await give(owner, viewer);
    await workOnCopy(ctx, id);
    const rows = await CopiedEntry.findAll({ where: { copyId: id } });
    const ids = rows.map((row) => String(row.id));
    expect(await readCopied(ctx, idOf(viewer), ids)).toHaveLength(1);
    for (const other of [owner, stranger]) expect(await readCopied(ctx, idOf(other), ids)).toEqual([]);
    await viewer.user.update({ companyId: stranger.company.id });
    expect(await readCopied(ctx, idOf(viewer), ids)).toEqual([]);
    await stranger.company.update({ isProvider: true });
    expect(await readCopied(ctx, idOf(viewer), ids)).toHaveLength(1);
    await stranger.company.update({ isProvider: false });
  });

  it('skips an entry whose message goes at the same moment', async () => {
    const { owner, viewer } = await twoPeople();
    const all = await Promise.all(Array.from({ length: 20 }, () => receive(ctx, [owner])));
    const id = await give(owner, viewer);
    await Promise.all([
      workOnCopy(ctx, id),
      ...all.map(async ({ entryIds, messageId }) => {
        await remove(owner, entryIds);
        await removeMessageIfUnreferenced(ctx, messageId);
      }),
    ]);
    const rows = await CopiedEntry.findAll({ where: { copyId: id } });
    const messages = await Message.findAll({ where: { id: rows.map(({ messageId }) => messageId) } });
    expect(messages).toHaveLength(rows.length);
    for (const { blobKey } of messages) expect(await app.blobs.has(blobKey)).toBe(true);
    expect(await MailboxEntry.count({ where: { userId: idOf(owner), deleteStatus: false } })).toBe(0);
    expect((await stateOf(id)).receivedCount).toBe(rows.length);
  });
});
