import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { recordAttempts } from './record-attempt.ts';
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

  it('is not made for a mailbox that is deleted', async () => {
    const mailbox = await buildMailbox(await testApp());
    const { ctx, delivery, row } = await claimedOf(mailbox);
    await mailbox.user.update({ deletedAt: new Date() });
    await recordAttempts(ctx, [{ delivery, result: refused }]);
    expect((await row.reload()).state).toBe('bounced');
    expect(await reportsFor(mailbox)).toBe(0);
  });
});
