import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { leaseMs } from './deliveries.ts';
import { queueAndFindDue } from './find-due.ts';
import { mendChangedAhead, mendTimes } from './mend-times.ts';
import { submitMessage } from './submit-message.ts';
import type { Submission } from './submission.ts';
import { addTransfers, countTransfers } from './transfers.ts';

const yearMs = 365 * 86_400_000;
let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  ctx = systemContext(app);
});

/** A message to one person, with other facts in its delivery. */
async function submitted(facts: Partial<Delivery['dataValues']>, how: Partial<Submission> = {}): Promise<Delivery> {
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\nSubject: hello\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], ...how });
  const delivery = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  return await delivery.update(facts);
}

describe('mail that was queued while the clock was ahead', () => {
  it('leaves now, also when it waited to be taken back', async () => {
    const ahead = new Date(Date.now() + yearMs);
    const queued = await submitted({ nextAttemptAt: ahead });
    const held = await submitted({ nextAttemptAt: ahead }, { holdMs: 3500 });
    await MailboxEntry.update({ undoUntil: ahead }, { where: { id: held.entryId ?? '' } });
    expect((await queueAndFindDue(ctx, { withRunOutLeases: true })).due).toEqual([]);
    expect(await mendTimes(ctx)).toBe(2);
    const { due } = await queueAndFindDue(ctx, { withRunOutLeases: true });
    expect(due.map(({ id }) => String(id)).toSorted()).toEqual([queued, held].map(({ id }) => String(id)).toSorted());
    const entry = await MailboxEntry.findByPk(held.entryId ?? '', { rejectOnEmpty: true });
    expect(entry.undoUntil?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('does not wait to be taken back for the hour by which the clock was ahead', async () => {
    const ahead = new Date(Date.now() + 3_590_000);
    const held = await submitted({ nextAttemptAt: ahead }, { holdMs: 3500 });
    const still = await submitted({}, { holdMs: 60_000 });
    expect(await mendTimes(ctx)).toBe(1);
    expect((await held.reload()).nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await still.reload()).nextAttemptAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('leaves now too when the hours by which the clock was ahead are less than the longest wait', async () => {
    const ahead = Date.now() + 6 * 3_600_000;
    const tried = { attempts: 1, nextAttemptAt: new Date(ahead + 60_000), reason: 'temporary_failure' };
    const deferred = await submitted(tried);
    const changedAhead = 'UPDATE deliveries SET updated_at = ? WHERE id = ?';
    await changeRows(ctx, changedAhead, [new Date(ahead), String(deferred.id)]);
    const waiting = await submitted(tried);
    const { ctx: explained, plans } = explaining(app);
    expect(await mendChangedAhead(explained)).toBe(1);
    const keys = plans.flat().flatMap(({ table, key }) => (table === 'deliveries' ? [key] : []));
    expect(new Set(keys)).toEqual(new Set(['deliveries_due', 'PRIMARY']));
    expect((await waiting.reload()).nextAttemptAt).toEqual(tried.nextAttemptAt);
    expect((await queueAndFindDue(ctx, { withRunOutLeases: true })).due.map(({ id }) => String(id))).toContain(
      String(deferred.id),
    );
  });

  it('is not confused with what waits for the longest time between two attempts', async () => {
    const longest = Math.max(...app.config.retryScheduleSeconds) * 1000;
    const waiting = await submitted({ nextAttemptAt: new Date(Date.now() + longest), attempts: 12 });
    expect(await mendTimes(ctx)).toBe(0);
    expect((await waiting.reload()).attempts).toBe(12);
  });

  it('is not confused with what people let wait', async () => {
    const sendAt = new Date(Date.now() + 300 * 86_400_000);
    const scheduled = await submitted({}, { sendAt });
    const heldBack = await submitted({ state: 'held', reason: 'held_by_administrator', nextAttemptAt: null });
    expect(await mendTimes(ctx)).toBe(0);
    expect((await scheduled.reload()).nextAttemptAt).toEqual(sendAt);
    expect((await heldBack.reload()).nextAttemptAt).toBeNull();
  });

  it('is free again soon when a worker had claimed it and has died', async () => {
    const leaseUntil = new Date(Date.now() + yearMs);
    const claimed = await submitted({ leaseUntil, nextAttemptAt: new Date() });
    const transfer = { id: 'of a dead worker', messageId: claimed.messageId, domain: 'remote.test' };
    await inTransaction(ctx, (tx) => addTransfers(tx, [transfer], leaseUntil));
    const now = new Date();
    const { ctx: explained, plans } = explaining(app);
    await mendTimes(explained, now);
    const [byTransfer = []] = plans;
    expect(byTransfer.find(({ table }) => table === 'd')).toMatchObject({ type: 'ref', key: 'deliveries_message' });
    const mended = new Date(now.getTime() + leaseMs);
    expect((await claimed.reload()).leaseUntil).toEqual(mended);
    // It makes room for others to its domain at the same time
    const counted = (at: Date) => inTransaction(ctx, (tx) => countTransfers(tx, at));
    expect((await counted(now)).get('remote.test')).toBe(1);
    expect((await counted(mended)).get('remote.test')).toBeUndefined();
  });
});
