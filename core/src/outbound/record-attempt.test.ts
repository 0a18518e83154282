import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import type { AttemptResult } from './record-attempt.ts';
import { recordAttempts } from './record-attempt.ts';
import { submitMessage } from './submit-message.ts';

const taken: AttemptResult = {
  kind: 'relayed',
  reason: 'remote_accepted',
  lastReply: 'mx.remote.test: 250 2.0.0 taken',
  remoteHost: 'mx.remote.test',
  tls: { state: 'encrypted', protocol: 'TLSv1.3' },
};
const refused: AttemptResult = { ...taken, kind: 'refused', reason: 'remote_refused' };
const deferred: AttemptResult = { ...taken, kind: 'deferred', reason: 'remote_deferred' };

/**
 * A person has sent a message, and a worker has claimed its delivery, perhaps while the clock was
 * ahead.
 */
async function claimed(aheadMs = 0) {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\ntext ${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  const delivery = await claimOne(ctx, String(row.id), new Date(Date.now() + aheadMs));
  if (delivery === null) throw new Error('nothing to claim');
  const reports = () => MailboxEntry.count({ where: { userId: user.id, receivedStatus: true } });
  return { app, ctx, delivery, row, reports };
}

/** Until the end of the test the database refuses some rows that are written. */
async function refuseRows(event: string, which: string): Promise<void> {
  const { db } = await testApp();
  await db.query(
    `CREATE TRIGGER refused_rows BEFORE ${event} FOR EACH ROW
      IF NEW.${which} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a bad row'; END IF`,
  );
  onTestFinished(async () => void (await db.query('DROP TRIGGER refused_rows')));
}

describe('the result of an attempt', () => {
  it.each(['\u{1F9F6}'.repeat(900), '\ud83e', '\0 \u202e', 'x'.repeat(1000), "'; -- \\"])(
    'is recorded with odd words of the server: %#',
    async (lastReply) => {
      for (const result of [taken, deferred, refused]) {
        const { ctx, delivery, row } = await claimed();
        await recordAttempts(ctx, [{ delivery, result: { ...result, lastReply } }]);
        expect((await row.reload()).lastReply).toBe(lastReply.toWellFormed());
      }
    },
  );

  it.each([
    { result: taken, state: 'relayed', reportsThen: 0 },
    { result: deferred, state: 'queued', reportsThen: 0 },
    { result: refused, state: 'bounced', reportsThen: 1 },
  ])('is recorded without words that the database refuses: $state', async ({ result, state, reportsThen }) => {
    const { ctx, delivery, row, reports } = await claimed();
    await refuseRows('UPDATE ON deliveries', "last_reply LIKE '% odd'");
    await recordAttempts(ctx, [{ delivery, result: { ...result, lastReply: `${result.lastReply} odd` } }]);
    const { reason } = result;
    expect(await row.reload()).toMatchObject({ state, reason, lastReply: null, remoteHost: null, leaseUntil: null });
    expect(await reports()).toBe(reportsThen);
  });

  it('leaves no wait longer than the schedule where the clock was ahead at the claim', async () => {
    const { app, ctx, delivery, row } = await claimed(6 * 3_600_000);
    await recordAttempts(ctx, [{ delivery, result: deferred }]);
    const { state, nextAttemptAt } = await row.reload();
    expect(state).toBe('queued');
    const wait = (nextAttemptAt?.getTime() ?? 0) - Date.now();
    const first = (app.config.retryScheduleSeconds[0] ?? 0) * 1000;
    expect(wait).toBeLessThanOrEqual(first);
    expect(wait).toBeGreaterThan(first / 2);
  });

  it('ends a delivery without a report that can not be stored, once the schedule is over', async () => {
    const { app, ctx, delivery, row, reports } = await claimed();
    await refuseRows('INSERT ON messages', "subject LIKE 'Undelivered%'");
    await expect(recordAttempts(ctx, [{ delivery, result: refused }])).rejects.toThrow('a bad row');
    expect((await row.reload()).state).toBe('queued');
    const attempts = app.config.retryScheduleSeconds.length + 2;
    await changeRows(ctx, 'UPDATE deliveries SET attempts = ? WHERE id = ?', [attempts, String(row.id)]);
    await recordAttempts(ctx, [{ delivery: { ...delivery, attempts }, result: refused }]);
    expect(await row.reload()).toMatchObject({ state: 'bounced', lastReply: refused.lastReply });
    expect(await reports()).toBe(0);
  });
});
