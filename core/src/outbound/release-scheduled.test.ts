import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { blobStoreWith } from '../../../tests/support/blob-store-with.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { settleRestored, releaseOutgoing } from '../backup/settle-restored.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { eraseUserRows } from '../directory/erase-rows.ts';
import { accountForMail } from '../ledger/account-for-mail.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { composeMessage } from '../mail/compose-message.ts';
import { listFolder } from '../mailstore/list-folder.ts';
import { readBlob } from '../mailstore/read-blob.ts';
import { readReminder } from '../mailstore/snoozes-and-reminders.ts';
import { verifyTotals } from '../mailstore/verify-totals.ts';
import { Delivery } from '../models/delivery.ts';
import { Draft } from '../models/draft.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { Message } from '../models/message.ts';
import { Role } from '../models/role.ts';
import { User } from '../models/user.ts';
import { UserPermission } from '../models/user-permission.ts';
import { addReminder, remindSenders } from './answer-reminders.ts';
import { type ClaimedDelivery, underWaySince } from './deliveries.ts';
import { queueAndFindDue } from './find-due.ts';
import { recordAttempts } from './record-attempt.ts';
import { releaseScheduled } from './release-scheduled.ts';
import { reschedule } from './reschedule.ts';
import { listScheduled } from './scheduled.ts';
import { consumeRecipients, recipientsPerHour } from './submission-checks.ts';
import { submitMessage } from './submit-message.ts';
import { undoSend } from './undo-send.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

/** What holds for both recipients. */
const twice = <T>(value: T): T[] => [value, value];
const inAnHour = () => new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000);

async function schedule({ user }: Mailbox, { sendAt = inAnHour(), from = user.email } = {}) {
  const raw = await composeMessage({
    from: { name: 'Ana', address: from },
    to: [{ name: '', address: 'bob@remote.test' }],
    subject: 'Later',
    html: '<p>Dear <b>Bob</b></p>',
    messageId: `<${randomUUID()}@host.test>`,
    date: sendAt,
  });
  const recipients = ['bob@remote.test', 'eve@secret.test'];
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients, sendAt });
  return { ...sent, sendAt };
}

const entryOf = (id: string) => MailboxEntry.findByPk(id);
const rowsOf = (entryId: string) => Delivery.findAll({ where: { entryId, direction: 'out' } });
const total = async (user: User, filter: 'send_status' | 'received_status') =>
  (await listFolder(ctx, { userId: String(user.id), filter, page: 1, limit: 10 })).total;

/** Puts a message's time into the past, as if the time had come. */
async function comeDue(entryId: string, past = new Date(Date.now() - 1000)): Promise<void> {
  await MailboxEntry.update({ undoUntil: past }, { where: { id: entryId } });
  await Delivery.update({ nextAttemptAt: past }, { where: { entryId } });
}

/** Lets go all that is due. */
async function release(): Promise<void> {
  while (await releaseScheduled(ctx));
}

describe('a scheduled message', () => {
  it('is in no Sent list and in no queue before its time, and names that time as its own', async () => {
    const ana = await buildMailbox(app);
    const { entryId, messageId, sendAt } = await schedule(ana);
    expect(await entryOf(entryId)).toMatchObject({ folder: 'scheduled', sendStatus: false, undoUntil: sendAt });
    expect(await total(ana.user, 'send_status')).toBe(0);
    const message = await Message.findByPk(messageId);
    expect(message?.sentAt).toEqual(sendAt);
    expect(message?.traceHeaders).toContain(sendAt.toUTCString().replace('GMT', '+0000'));
    await release();
    expect((await rowsOf(entryId)).map(({ state, reason }) => [state, reason])).toEqual(twice(['held', 'scheduled']));
    const { nextAt } = await queueAndFindDue(ctx, { withRunOutLeases: true });
    expect(nextAt?.getTime()).toBeLessThanOrEqual(sendAt.getTime());
    expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
  });

  it('comes into Sent and into the queue when its time has come, once for all workers', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await comeDue(entryId);
    await Promise.all([release(), release()]);
    expect(await entryOf(entryId)).toMatchObject({
      folder: 'sent',
      sendStatus: true,
      scheduledStatus: false,
      deliveryState: 'queued',
      undoUntil: null,
    });
    const rows = await rowsOf(entryId);
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual(twice(['queued', 'accepted']));
    expect(await total(ana.user, 'send_status')).toBe(1);
    expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
    const request = { userId: String(ana.user.id), entryId };
    await expect(undoSend(ctx, request)).rejects.toMatchObject({ status: 409 });
    await expect(reschedule(ctx, { ...request, sendAt: inAnHour() })).rejects.toMatchObject({ status: 404 });
  });

  it('is not late before it was released', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await comeDue(entryId);
    const lastMonth = new Date(Date.now() - 30 * 86_400_000);
    await app.db.query('UPDATE deliveries SET created_at = :lastMonth WHERE entry_id = :entryId', {
      replacements: { lastMonth, entryId },
    });
    await release();
    const [row] = await rowsOf(entryId);
    if (!row) throw new Error('no delivery');
    expect(Date.now() - underWaySince(row).getTime()).toBeLessThan(60_000);
    await row.update({ claimId: 'claim', attempts: 1, leaseUntil: inAnHour() });
    const delivery = { ...row.get(), claimId: 'claim' } as ClaimedDelivery;
    const result = { kind: 'deferred', reason: 'timeout', lastReply: null, remoteHost: null } as const;
    await recordAttempts(ctx, [{ delivery, result }]);
    expect(await row.reload()).toMatchObject({ state: 'queued', reason: 'timeout', delayReportedAt: null });
    expect(await total(ana.user, 'received_status')).toBe(0);
  });

  it('becomes a draft when it is cancelled', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    const draftId = await undoSend(ctx, { userId: String(ana.user.id), entryId });
    expect(await Draft.findByPk(draftId)).toMatchObject({ subject: 'Later', bccList: ['eve@secret.test'] });
    expect(await entryOf(entryId)).toMatchObject({ folder: 'draft', scheduledStatus: false, undoUntil: null });
    expect((await rowsOf(entryId)).map(({ reason }) => reason)).toEqual(twice('cancelled_by_sender'));
    await comeDue(entryId);
    await release();
    expect((await rowsOf(entryId)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
  });

  it('leaves at another time with another Date, and its former bytes are gone', async () => {
    const ana = await buildMailbox(app);
    const { entryId, messageId } = await schedule(ana);
    const before = await Message.findByPk(messageId);
    const sendAt = new Date(inAnHour().getTime() + 86_400_000);
    await reschedule(ctx, { userId: String(ana.user.id), entryId, sendAt });
    const after = await Message.findByPk(messageId);
    const raw = (await readBlob(app.blobs, after?.blobKey ?? '')).toString();
    expect(raw).toContain(`Date: ${sendAt.toUTCString().replace('GMT', '+0000')}\r\n`);
    expect(after).toMatchObject({ sentAt: sendAt, size: before?.size, messageIdHeader: before?.messageIdHeader });
    expect(await app.blobs.has(before?.blobKey ?? '')).toBe(false);
    expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([sendAt, sendAt]);
    expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
  });

  it('belongs to its sender alone', async () => {
    const [ana, ben] = [await buildMailbox(app), await buildMailbox(app)];
    const { entryId } = await schedule(ana);
    const request = { userId: String(ben.user.id), entryId };
    await expect(reschedule(ctx, { ...request, sendAt: inAnHour() })).rejects.toMatchObject({ status: 404 });
    await expect(undoSend(ctx, request)).rejects.toMatchObject({ status: 404 });
    expect(await listScheduled(ctx, { userId: request.userId, page: 1, limit: 10 })).toEqual({ rows: [], total: 0 });
  });
});

describe('a scheduled message of a person', () => {
  const reasonsOf = async (entryId: string) => (await rowsOf(entryId)).map(({ state, reason }) => [state, reason]);

  it.each([{ activeStatus: false }, { deletedAt: new Date() }])('is not sent once it is %o', async (change) => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await User.update(change, { where: { id: ana.user.id } });
    await comeDue(entryId);
    await release();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_not_in_use']));
    expect(await Draft.count({ where: { userId: ana.user.id } })).toBe(1);
    expect(await Delivery.count({ where: { recipient: ana.user.email, direction: 'out' } })).toBe(0);
    const told = await listFolder(ctx, { userId: String(ana.user.id), filter: 'received_status', page: 1, limit: 10 });
    const isDeleted = 'deletedAt' in change;
    expect(told.rows.map(({ message }) => message.subject)).toEqual(
      isDeleted ? [] : ['Your scheduled message was not sent'],
    );
    expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
  });

  async function takeRightToSend({ company, user }: Mailbox): Promise<void> {
    const own = { companyId: String(company.id), userId: String(user.id), model: 'sent' };
    await UserPermission.create({ ...own, canView: true });
  }

  it('is not sent without the right to send, and the person is told', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await takeRightToSend(ana);
    await comeDue(entryId);
    await release();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_may_not_send']));
    expect(await Draft.findOne({ where: { userId: ana.user.id } })).toMatchObject({ subject: 'Later' });
    expect(await Delivery.findOne({ where: { recipient: ana.user.email } })).toMatchObject({ state: 'queued' });
  });

  it.each([
    ['who may not log in any more', ({ user }: Mailbox) => user.update({ loginAllowed: false })],
    [
      'whose role is switched off',
      ({ user }: Mailbox) => Role.update({ activeStatus: false }, { where: { id: user.roleId } }),
    ],
  ])('is not sent for a person %s', async (_what, bar) => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await bar(ana);
    await comeDue(entryId);
    await release();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_may_not_send']));
    expect(await Draft.count({ where: { userId: ana.user.id } })).toBe(1);
  });

  it('becomes a draft beside the pass that finds it, and in one process alone', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await takeRightToSend(ana);
    await comeDue(entryId);
    const taken: (() => Promise<void>)[] = [];
    await releaseScheduled(ctx, new Date(), (work) => taken.push(work) > 0);
    await release();
    expect(taken).toHaveLength(1);
    expect(await reasonsOf(entryId)).toEqual(twice(['held', 'scheduled']));
    await taken[0]?.();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_may_not_send']));
    expect(await Draft.count({ where: { userId: ana.user.id } })).toBe(1);
  });

  it('waits a minute where a process can not take it up', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await takeRightToSend(ana);
    await comeDue(entryId);
    await releaseScheduled(ctx, new Date(), () => false);
    const [row] = await rowsOf(entryId);
    expect(row?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(row?.nextAttemptAt?.getTime()).toBeLessThan(Date.now() + 70_000);
  });

  it('becomes a draft only together with the notice that says so', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await takeRightToSend(ana);
    await comeDue(entryId);
    // The message has no files, so the first bytes that are put are those of the notice
    const blobs = blobStoreWith(app.blobs, { put: () => Promise.reject(new Error('the disk is away')) });
    await releaseScheduled(systemContext({ ...app, blobs }));
    expect(await reasonsOf(entryId)).toEqual(twice(['held', 'scheduled']));
    expect(await Draft.count({ where: { userId: ana.user.id } })).toBe(0);
    await comeDue(entryId);
    await release();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_may_not_send']));
    expect(await Delivery.count({ where: { recipient: ana.user.email } })).toBe(1);
  });

  it('is not sent from an address that the sender no longer has', async () => {
    const ana = await buildMailbox(app);
    const { entryId, messageId } = await schedule(ana);
    await Message.update({ fromAddress: `alias-${ana.user.email}` }, { where: { id: messageId } });
    await comeDue(entryId);
    await release();
    expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'sender_address_gone']));
  });

  describe('that can be neither sent nor edited', () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    const tooDeep = Buffer.from(`From: a@remote.test\r\nMIME-Version: 1.0\r\n${levels.join('')}\r\nx`);

    async function refuse(ana: Mailbox, entryId: string): Promise<void> {
      await takeRightToSend(ana);
      await comeDue(entryId);
      await Promise.all([release(), release()]);
    }

    it.each(['lost', 'too complex'])('comes back to its sender once, when it is %s', async (what) => {
      const ana = await buildMailbox(app);
      const { entryId, messageId } = await schedule(ana);
      const { key, size } = await app.blobs.put(tooDeep);
      const blobKey = what === 'lost' ? '0'.repeat(64) : key;
      await Message.update({ blobKey, size }, { where: { id: messageId } });
      await refuse(ana, entryId);
      expect(await reasonsOf(entryId)).toEqual(twice(['bounced', 'sender_may_not_send']));
      expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
      expect(await entryOf(entryId)).toMatchObject({ folder: 'sent', deliveryState: 'bounced', undoUntil: null });
      expect(await Draft.count({ where: { userId: ana.user.id } })).toBe(0);
      const received = await MailboxEntry.findAll({ where: { userId: ana.user.id, receivedStatus: true } });
      expect(received).toHaveLength(1);
      const report = await Message.findByPk(received[0]?.messageId ?? '', { rejectOnEmpty: true });
      expect(report).toMatchObject({ envelopeFrom: '', subject: 'Undelivered Mail Returned to Sender' });
      const text = (await readBlob(app.blobs, report.blobKey)).toString();
      expect(text).toContain('<bob@remote.test>: you may no longer send mail.');
      expect(text).toContain('<eve@secret.test>: you may no longer send mail.');
      expect(await verifyTotals(ctx, String(ana.user.id))).toBe(true);
      const day = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
      expect(await accountForMail(ctx, { kind: 'company', companyId: String(ana.company.id) })).toMatchObject({
        out: { bounced: 2, isBalanced: true },
      });
      expect((await checkLedger(ctx, day)).problems).toEqual([]);
    });
  });

  it('is not sent when the person is deleted for good', async () => {
    const ana = await buildMailbox(app);
    const { mailId } = await schedule(ana);
    const now = new Date();
    await User.update({ deletedAt: now, erasedAt: now }, { where: { id: ana.user.id } });
    await eraseUserRows(ctx, String(ana.user.id));
    const rows = await Delivery.findAll({ where: { mailId } });
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual(twice(['cancelled', 'sender_not_in_use']));
  });

  it('waits for the next hour when the person has written to too many people in this one', async () => {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    await comeDue(entryId);
    await consumeRecipients(ctx, ana.user, recipientsPerHour, 'send');
    await release();
    const entry = await entryOf(entryId);
    expect(entry).toMatchObject({ folder: 'scheduled' });
    expect(entry?.undoUntil?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(twice(entry?.undoUntil));
  });

  it('is not released before its time by the operator of a restored host', async () => {
    const ana = await buildMailbox(app);
    const { entryId, sendAt } = await schedule(ana);
    await settleRestored(ctx, { sendsOutgoing: false });
    expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
    await releaseOutgoing(ctx);
    expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([sendAt, sendAt]);
  });

  describe('whose time passed on the old host while a restore holds it back', () => {
    async function restoreLate() {
      const ana = await buildMailbox(app);
      const { entryId } = await schedule(ana);
      await comeDue(entryId);
      await settleRestored(ctx, { sendsOutgoing: false });
      return { entryId, request: { userId: String(ana.user.id), entryId } };
    }

    it('can be withdrawn, so that it is not sent twice', async () => {
      const { entryId, request } = await restoreLate();
      const draftId = await undoSend(ctx, request);
      expect(await Draft.findByPk(draftId)).toMatchObject({ subject: 'Later' });
      await releaseOutgoing(ctx);
      await release();
      expect(await reasonsOf(entryId)).toEqual(twice(['cancelled', 'cancelled_by_sender']));
    });

    it('can get another time', async () => {
      const { entryId, request } = await restoreLate();
      const sendAt = inAnHour();
      await reschedule(ctx, { ...request, sendAt });
      expect(await entryOf(entryId)).toMatchObject({ folder: 'scheduled', undoUntil: sendAt });
      await releaseOutgoing(ctx);
      expect((await rowsOf(entryId)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([sendAt, sendAt]);
    });

    it('is on its way once the operator lets it go', async () => {
      const { request } = await restoreLate();
      await releaseOutgoing(ctx);
      await expect(undoSend(ctx, request)).rejects.toMatchObject({ code: 'too_late_to_undo' });
      const later = reschedule(ctx, { ...request, sendAt: inAnHour() });
      await expect(later).rejects.toMatchObject({ code: 'too_late_to_undo' });
    });
  });
});

describe('the reminder of a scheduled message that leaves late', () => {
  const halfHourMs = 1_800_000;

  /** It was to leave two hours ago, and its sender was to be reminded half an hour later. */
  async function scheduleLate() {
    const ana = await buildMailbox(app);
    const { entryId } = await schedule(ana);
    const planned = new Date(Date.now() - 4 * halfHourMs);
    await comeDue(entryId, planned);
    await addReminder(ctx, {
      userId: String(ana.user.id),
      entryId,
      at: new Date(planned.getTime() + halfHourMs),
    });
    const entry = () => MailboxEntry.findByPk(entryId, { rejectOnEmpty: true });
    const remindAt = async () => (await readReminder(ctx, await entry()))?.getTime() ?? 0;
    const notices = () => Delivery.count({ where: { recipient: ana.user.email } });
    return { ana, planned, entry, remindAt, notices };
  }

  it('waits until the message has left, and keeps its distance', async () => {
    const { planned, entry, remindAt, notices } = await scheduleLate();
    await remindSenders(ctx);
    expect([await notices(), await remindAt()]).toEqual([0, planned.getTime() + halfHourMs]);
    await release();
    const { folder, arrivedAt } = await entry();
    expect([folder, await remindAt()]).toEqual(['sent', arrivedAt.getTime() + halfHourMs]);
    await remindSenders(ctx, undefined, new Date(Date.now() + 2 * halfHourMs));
    expect([await notices(), await remindAt()]).toEqual([1, 0]);
  });

  it('goes along with it into the next hour', async () => {
    const { ana, entry, remindAt } = await scheduleLate();
    await consumeRecipients(ctx, ana.user, recipientsPerHour, 'send');
    await release();
    const { folder, undoUntil } = await entry();
    expect([folder, await remindAt()]).toEqual(['scheduled', (undoUntil?.getTime() ?? 0) + halfHourMs]);
  });
});
