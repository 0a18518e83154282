import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { longestText } from '../contracts/mail.ts';
import { type ComposedAttachment, composeMessage } from '../mail/compose-message.ts';
import { Delivery } from '../models/delivery.ts';
import { DraftAttachment } from '../models/draft-attachment.ts';
import { Draft } from '../models/draft.ts';
import { Folder } from '../models/folder.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { inTransaction, systemContext } from '../context/context.ts';
import { accountForMail } from '../ledger/account-for-mail.ts';
import { changeStatus } from '../mailstore/change-status.ts';
import { verifyStorage } from '../mailstore/check-storage.ts';
import { verifyTotals } from '../mailstore/verify-totals.ts';
import { removeDraft } from '../mailstore/remove-draft.ts';
import { removeMessageIfUnreferenced } from '../mailstore/remove-unreferenced.ts';
import { readTotals } from '../mailstore/totals.ts';
import { queueAndFindDue } from './find-due.ts';
import type { Submitted } from './submission.ts';
import { recipientsPerHour } from './submission-checks.ts';
import { submitMessage } from './submit-message.ts';
import { undoSend } from './undo-send.ts';

const file = Buffer.from('the content of the file');
const note = { filename: 'note.txt', contentType: 'text/plain', content: file };

/** What differs of the message. */
interface Parts {
  html?: string;
  attachments?: ComposedAttachment[];
  holdMs?: number;
}

async function sendOne({ html = '<p>Dear <b>Bob</b></p>', attachments = [note], holdMs = 60_000 }: Parts = {}) {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user, company } = await buildMailbox(app);
  const raw = await composeMessage({
    from: { name: 'Ana', address: user.email },
    to: [{ name: '', address: 'bob@remote.test' }],
    cc: [{ name: '', address: 'carl@remote.test' }],
    subject: 'A second thought',
    html,
    attachments,
    messageId: `<${randomUUID()}@host.test>`,
    date: new Date(),
  });
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: ['eve@secret.test'], holdMs });
  return { app, ctx, user, company, sent, userId: String(user.id) };
}

describe('undoSend', () => {
  it('is too late once the time is up, and the message waits as one that was accepted', async () => {
    const { ctx, sent, userId } = await sendOne();
    const past = new Date(Date.now() - 1000);
    await MailboxEntry.update({ undoUntil: past }, { where: { id: sent.entryId } });
    await Delivery.update({ nextAttemptAt: past }, { where: { mailId: sent.mailId } });
    await queueAndFindDue(ctx, { withRunOutLeases: true });
    const rows = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual(rows.map(() => ['queued', 'accepted']));
    expect(await MailboxEntry.findByPk(sent.entryId)).toMatchObject({ deliveryState: 'queued' });
    await expect(undoSend(ctx, { userId, entryId: sent.entryId })).rejects.toMatchObject({ status: 409 });
  });

  it('is no concern of mail that an administrator holds, which stays held when the time is up', async () => {
    const { ctx, sent } = await sendOne();
    const past = new Date(Date.now() - 1000);
    // As it may be found when it is held just then
    await Delivery.update({ nextAttemptAt: past, reason: 'held_by_administrator' }, { where: { mailId: sent.mailId } });
    await queueAndFindDue(ctx, { withRunOutLeases: true });
    const rows = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['held']));
  });

  it('turns a held message back into a draft with its recipients, text and files', async () => {
    const { app, ctx, sent, userId, company } = await sendOne();
    const draftId = await undoSend(ctx, { userId, entryId: sent.entryId });
    const draft = await Draft.findByPk(draftId);
    expect(draft).toMatchObject({
      toList: ['bob@remote.test'],
      ccList: ['carl@remote.test'],
      bccList: ['eve@secret.test'],
      subject: 'A second thought',
    });
    expect(draft?.body).toContain('<b>Bob</b>');
    const [attachment] = await DraftAttachment.findAll({ where: { draftId } });
    expect(attachment).toMatchObject({ filename: 'note.txt', size: file.length });
    expect(Buffer.concat(await app.blobs.get(attachment?.blobKey ?? '').toArray())).toEqual(file);
    // Its files have bytes of their own
    expect(await verifyStorage(ctx, userId)).toBe(true);
    // The bytes that were to be sent are those of the draft
    expect(draft?.entryId).toBe(sent.entryId);
    expect(await MailboxEntry.findByPk(sent.entryId)).toMatchObject({
      folder: 'draft',
      draftStatus: true,
      sendStatus: false,
      messageId: sent.messageId,
    });
    const totals = await Folder.findAll({ where: { userId } });
    expect(Object.fromEntries(totals.map(({ role, total }) => [role, total]))).toMatchObject({ sent: 0, draft: 1 });
    const { out } = await accountForMail(ctx, { kind: 'company', companyId: String(company.id) });
    expect(out).toMatchObject({ accepted: 0, cancelled: 3, isBalanced: true });
  });

  it('keeps pictures of the text that its draft could not be saved with as files', async () => {
    const names = ['1', '2', '3', '4', '5', 'large', 'plain'];
    const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const contentOf = (name: string) =>
      Buffer.concat([head, Buffer.alloc(name === 'large' ? 2_000_000 : 800_000, name)]);
    const { app, ctx, sent, userId } = await sendOne({
      html: names.map((name) => `<img src="cid:${name}@host.test">`).join(''),
      attachments: names.map((name) => ({
        filename: `${name}.png`,
        contentType: name === 'plain' ? 'image/bmp' : 'image/png',
        content: contentOf(name),
        contentId: `${name}@host.test`,
      })),
    });
    const draftId = await undoSend(ctx, { userId, entryId: sent.entryId });
    const draft = await Draft.findByPk(draftId, { rejectOnEmpty: true });
    expect(draft.body.length).toBeLessThan(longestText);
    const saved = await app.content.keepWriting(draft.body, new Map(), userId);
    const shown = names.filter((name) => saved.html.includes(contentOf(name).toString('base64')));
    expect(shown).toEqual(['1', '2', '3', '4']);
    const files = await DraftAttachment.findAll({ where: { draftId }, order: ['id'] });
    expect(files.map(({ filename, size }) => [filename, size])).toEqual([
      ['5.png', 800_008],
      ['large.png', 2_000_008],
      ['plain.png', 800_008],
    ]);
  });

  it.each([
    ['the trash', { trashStatus: true }],
    ['where its sender has deleted it for good', { trashStatus: true, deleteStatus: true }],
    ['Archive', { archiveStatus: true }],
  ])('takes a message back from %s', async (_where, flags) => {
    const { ctx, sent, userId } = await sendOne();
    await changeStatus(ctx, { userId, entryIds: [sent.entryId], flags });
    const draftId = await undoSend(ctx, { userId, entryId: sent.entryId });
    expect(await MailboxEntry.findByPk(sent.entryId)).toMatchObject({ folder: 'draft', deleteStatus: false });
    expect(await verifyTotals(ctx, userId)).toBe(true);
    // The job that the deletion has asked for
    expect(await removeMessageIfUnreferenced(ctx, sent.messageId)).toBe('still_used');
    await inTransaction(ctx, async (tx) => {
      await removeDraft(tx, await Draft.findByPk(draftId, { rejectOnEmpty: true, transaction: tx.tx }));
    });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('makes no unread draft of a message that its sender has marked unread', async () => {
    const { ctx, sent, userId } = await sendOne();
    await changeStatus(ctx, { userId, entryIds: [sent.entryId], flags: { readStatus: false } });
    await undoSend(ctx, { userId, entryId: sent.entryId });
    expect(await readTotals(ctx, userId)).toMatchObject({
      draft: { total: 1, unread: 0 },
      sent: { total: 0, unread: 0 },
    });
    expect(await verifyTotals(ctx, userId)).toBe(true);
  });

  it('keeps a file whose bytes are removed as those of a message just then', async () => {
    const { app, sent, userId } = await sendOne();
    let puts = 0;
    const blobs = blobStoreWith(app.blobs, {
      put: async (source) => {
        const stored = await app.blobs.put(source);
        if (puts++ === 0) await app.blobs.remove(stored.key);
        return stored;
      },
    });
    const racing = { ...app, blobs };
    const draftId = await undoSend(systemContext(racing), { userId, entryId: sent.entryId });
    const [attachment] = await DraftAttachment.findAll({ where: { draftId } });
    expect(await app.blobs.has(attachment?.blobKey ?? '')).toBe(true);
    expect(puts).toBeGreaterThan(1);
  });

  it('leaves nothing that a worker could still send', async () => {
    const { ctx, sent, userId } = await sendOne();
    await undoSend(ctx, { userId, entryId: sent.entryId });
    const later = new Date(Date.now() + 120_000);
    for (const { id } of await Delivery.findAll({ where: { mailId: sent.mailId } })) {
      expect(await claimOne(ctx, String(id), later)).toBeNull();
    }
  });

  it('is too late once a worker has taken one of the deliveries', async () => {
    const { ctx, sent, userId } = await sendOne();
    const [first] = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(await claimOne(ctx, String(first?.id), new Date(Date.now() + 120_000))).not.toBeNull();
    await expect(undoSend(ctx, { userId, entryId: sent.entryId })).rejects.toMatchObject({ status: 409 });
    const states = await Delivery.findAll({ where: { mailId: sent.mailId } });
    expect(states.map(({ state }) => state).toSorted()).toEqual(['queued', 'queued', 'queued']);
  });

  it('leaves no file of a message that is taken by a worker while it is read', async () => {
    const { app, ctx, sent, userId } = await sendOne();
    const content = Buffer.from(`files of ${sent.mailId}`);
    const { key } = await app.blobs.put(content);
    const blobs = blobStoreWith(app.blobs, {
      put: async () => {
        const [first] = await Delivery.findAll({ where: { mailId: sent.mailId } });
        await claimOne(ctx, String(first?.id), new Date(Date.now() + 120_000));
        return await app.blobs.put(content);
      },
    });
    const undoing = undoSend(systemContext({ ...app, blobs }), { userId, entryId: sent.entryId });
    await expect(undoing).rejects.toMatchObject({ status: 409 });
    expect(await app.blobs.has(key)).toBe(false);
  });

  it('is too late when the time is up, and was never possible without one', async () => {
    const { ctx, sent, userId } = await sendOne({ holdMs: 1 });
    await expect(undoSend(ctx, { userId, entryId: sent.entryId })).rejects.toMatchObject({ status: 409 });
    const direct = await sendOne({ holdMs: 0 });
    const request = { userId: direct.userId, entryId: direct.sent.entryId };
    await expect(undoSend(ctx, request)).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ['sent', { holdMs: 60_000 }],
    ['scheduled', { sendAt: new Date(Date.now() + 3_600_000) }],
  ])('gives the recipients of the hour back of a message that was %s within it', async (_how, when) => {
    const given = await testApp();
    const { user } = await buildMailbox(given);
    const ctx = systemContext({ ...given, config: { ...given.config, maxRecipients: recipientsPerHour } });
    const recipients = Array.from({ length: recipientsPerHour }, (_, i) => `p${i}@remote.test`);
    const send = () => {
      const raw = Buffer.from(`From: ${user.email}\r\nSubject: to all\r\n\r\n${randomUUID()}\r\n`);
      return submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients, ...when });
    };
    const undo = ({ entryId }: Submitted) => undoSend(ctx, { userId: String(user.id), entryId });
    await undo(await send());
    const again = await send();
    await expect(send()).rejects.toMatchObject({ status: 429 });
    // Its hour is over
    await MailboxEntry.update({ createdAt: new Date(Date.now() - 3_600_000) }, { where: { id: again.entryId } });
    await undo(again);
    await expect(send()).rejects.toMatchObject({ status: 429 });
  });

  it("answers 404 for another person's message", async () => {
    const { app, ctx, sent } = await sendOne();
    const { user } = await buildMailbox(app);
    const request = { userId: String(user.id), entryId: sent.entryId };
    await expect(undoSend(ctx, request)).rejects.toMatchObject({ status: 404 });
  });

  it('of two at the same time one wins', async () => {
    const { ctx, sent, userId } = await sendOne();
    const both = await Promise.allSettled([1, 2].map(() => undoSend(ctx, { userId, entryId: sent.entryId })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await Draft.count({ where: { userId } })).toBe(1);
  });
});
