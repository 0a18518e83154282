import { describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { Delivery } from '../models/delivery.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { claimDelivery, deferDelivery, endDelivery, leaseMs, type Settlement } from './deliveries.ts';
import { submitMessage } from './submit-message.ts';

const said: Settlement = { reason: 'remote_deferred', lastReply: 'mx.test: 451 later', remoteHost: 'mx.test' };

/** A delivery that a slow worker claimed, lost, and that another one holds now. */
async function claimTwice(): Promise<{ ctx: Ctx; slow: Delivery; read: () => Promise<Delivery> }> {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\nSubject: hello\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const { id } = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  const schedule = app.config.retryScheduleSeconds[0] ?? 0;
  const slow = await claimDelivery(ctx, id);
  const later = await claimDelivery(ctx, id, new Date(Date.now() + leaseMs + schedule * 1000 + 1000));
  if (!slow || later?.attempts !== 2) throw new Error('the delivery was not claimed twice');
  return { ctx, slow, read: async () => await Delivery.findByPk(id, { rejectOnEmpty: true }) };
}

describe('a worker that lost its claim', () => {
  it('neither defers nor bounces what another worker has claimed', async () => {
    const { ctx, slow, read } = await claimTwice();
    const before = await read();
    expect(await inTransaction(ctx, (tx) => deferDelivery(tx, slow, said))).toBe(false);
    expect(await inTransaction(ctx, (tx) => endDelivery(tx, slow, 'bounced', said))).toBe(false);
    expect((await read()).toJSON()).toEqual(before.toJSON());
  });

  it('still records that the message arrived', async () => {
    const { ctx, slow, read } = await claimTwice();
    expect(await inTransaction(ctx, (tx) => endDelivery(tx, slow, 'relayed', said))).toBe(true);
    expect(await read()).toMatchObject({ state: 'relayed', leaseUntil: null, nextAttemptAt: null });
  });
});
