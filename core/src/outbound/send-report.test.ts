import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { dayMs, periodOfDay, utcDayAt } from '../utc-day.ts';
import { type AttemptResult, recordAttempts } from './record-attempt.ts';
import { submitMessage } from './submit-message.ts';

const refused = {
  kind: 'refused',
  reason: 'remote_refused',
  lastReply: 'mx.remote.test: 550 5.1.1 unknown',
  remoteHost: 'mx.remote.test',
} as const;
const deferred = { ...refused, kind: 'deferred', reason: 'remote_deferred', lastReply: null } as const;

/** A person has sent a message, and a worker has claimed its delivery. */
async function claimedOf({ user }: Mailbox) {
  const ctx = systemContext(await testApp());
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\ntext ${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  const delivery = await claimOne(ctx, String(row.id));
  if (delivery === null) throw new Error('nothing to claim');
  return { ctx, delivery, row };
}

const reportsFor = ({ user }: Mailbox) => MailboxEntry.count({ where: { userId: user.id, receivedStatus: true } });

describe('a report', () => {
  it.each<[string, (mailbox: Mailbox) => Promise<unknown>]>([
    ['mailbox', ({ user }) => user.update({ activeStatus: false })],
    ['domain', ({ domain }) => domain.update({ activeStatus: false })],
    ['company', ({ company }) => company.update({ activeStatus: false })],
  ])('reaches a sender whose %s is switched off', async (_what, switchOff) => {
    const mailbox = await buildMailbox(await testApp());
    const { ctx, delivery, row } = await claimedOf(mailbox);
    await switchOff(mailbox);
    await recordAttempts(ctx, [{ delivery, result: refused }]);
    expect((await row.reload()).state).toBe('bounced');
    expect(await reportsFor(mailbox)).toBe(1);
  });

  it('of a delay reaches a sender who is switched off', async () => {
    const mailbox = await buildMailbox(await testApp());
    const { ctx, delivery, row } = await claimedOf(mailbox);
    await mailbox.user.update({ activeStatus: false });
    await recordAttempts(ctx, [{ delivery: { ...delivery, createdAt: new Date(0) }, result: deferred }]);
    expect(await row.reload()).toMatchObject({ state: 'queued', delayReportedAt: expect.any(Date) });
    expect(await reportsFor(mailbox)).toBe(1);
  });

  it('of a delay is made once, however often its attempt is recorded', async () => {
    const mailbox = await buildMailbox(await testApp());
    const { ctx, delivery, row } = await claimedOf(mailbox);
    const attempted = [{ delivery: { ...delivery, createdAt: new Date(0) }, result: deferred }];
    await recordAttempts(ctx, attempted);
    await recordAttempts(ctx, attempted);
    expect(await row.reload()).toMatchObject({ state: 'queued', attempts: 1 });
    expect(await reportsFor(mailbox)).toBe(1);
  });

  it('is not made for a mailbox that is deleted', async () => {
    const mailbox = await buildMailbox(await testApp());
    const { ctx, delivery, row } = await claimedOf(mailbox);
    await mailbox.user.update({ deletedAt: new Date() });
    await recordAttempts(ctx, [{ delivery, result: refused }]);
    expect((await row.reload()).state).toBe('bounced');
    expect(await reportsFor(mailbox)).toBe(0);
  });
});

/** A person forwards their mail to an address; each copy is tried once and comes to the result. */
async function buildForwarder() {
  const app = await testApp();
  const ctx = systemContext(app);
  const target = `${randomUUID()}@remote.test`;
  const mailbox = await buildMailbox(app, { user: { forwardTo: target, forwardConfirmedAt: new Date() } });
  const copy = async () => {
    const { messageId } = await receive(ctx, [mailbox]);
    return await Delivery.findOne({ where: { messageId, recipient: target }, rejectOnEmpty: true });
  };
  const claim = async ({ id }: Delivery) => {
    const delivery = await claimOne(ctx, String(id));
    if (delivery === null) throw new Error('nothing to claim');
    return delivery;
  };
  const attempt = async (row: Delivery, result: AttemptResult) =>
    await recordAttempts(ctx, [{ delivery: await claim(row), result }]);
  /** Beside the messages themselves. */
  const reports = async () => {
    const copies = await Delivery.count({ where: { recipient: target } });
    return (await reportsFor(mailbox)) - copies;
  };
  return { app, ctx, copy, claim, attempt, reports };
}

describe('a report that copies could not be forwarded', () => {
  it('is made once a day, also of copies that were tried for the whole schedule', async () => {
    const { app, copy, attempt, reports } = await buildForwarder();
    const { retryScheduleSeconds: schedule } = app.config;
    const began = Date.now() - schedule.reduce((sum, seconds) => sum + seconds, 0) * 1000;
    for (const hour of [0, 1, 2]) {
      const row = await copy();
      await app.db.query('UPDATE deliveries SET created_at = :createdAt, attempts = :attempts WHERE id = :id', {
        replacements: { createdAt: new Date(began + hour * 3_600_000), attempts: schedule.length, id: String(row.id) },
      });
      await attempt(row, deferred);
      expect(await row.reload()).toMatchObject({ state: 'bounced', reason: 'expired' });
    }
    expect(await reports()).toBe(1);
  });

  it('is made again the next day, however short the night was', async () => {
    const { app, copy, attempt, reports } = await buildForwarder();
    const first = await copy();
    await attempt(first, refused);
    const today = periodOfDay(utcDayAt(Date.now())).from;
    const yesterday = { endedAt: new Date(today.getTime() - 1), createdAt: new Date(today.getTime() - dayMs / 2) };
    await app.db.query('UPDATE deliveries SET updated_at = :endedAt, created_at = :createdAt WHERE id = :id', {
      replacements: { ...yesterday, id: String(first.id) },
    });
    await attempt(await copy(), refused);
    await attempt(await copy(), refused);
    expect(await reports()).toBe(2);
  });

  it('is made once of copies that fail at the same moment', async () => {
    const { ctx, copy, claim, reports } = await buildForwarder();
    const claimed = [];
    for (let copies = 0; copies < 4; copies++) claimed.push(await claim(await copy()));
    await Promise.all(claimed.map((delivery) => recordAttempts(ctx, [{ delivery, result: refused }])));
    expect(await reports()).toBe(1);
  });

  it('is made although the copy of a report, which is never reported on, failed before', async () => {
    const { copy, attempt, reports } = await buildForwarder();
    const ofReport = await copy();
    await ofReport.update({ envelopeFrom: '' });
    await attempt(ofReport, refused);
    expect(await reports()).toBe(0);
    await attempt(await copy(), refused);
    expect(await reports()).toBe(1);
  });
});
