import { describe, expect, it } from 'vitest';
import { ampleRoom, claimOne } from '../../../tests/support/claim-one.ts';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { Delivery } from '../models/delivery.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, systemContext } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { claimDeliveries, renewLeases } from './claim-deliveries.ts';
import { type ClaimedDelivery, leaseMs, type Settlement } from './deliveries.ts';
import { queueAndFindDue } from './find-due.ts';
import { postponeDeliveries, type Settled, settleDeliveries } from './settle-deliveries.ts';
import { submitMessage } from './submit-message.ts';

const said: Settlement = { reason: 'remote_deferred', lastReply: 'mx.test: 451 later', remoteHost: 'mx.test' };

/** A delivery that waits for its first attempt. */
async function submitOne(): Promise<{ app: App; ctx: Ctx; id: string; read: () => Promise<Delivery> }> {
  const app = await testApp();
  const ctx = systemContext(app);
  const { user } = await buildMailbox(app);
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\nSubject: hello\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const { id } = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  return { app, ctx, id, read: async () => await Delivery.findByPk(id, { rejectOnEmpty: true }) };
}

/** A delivery that a slow worker claimed, lost, and that another one holds now. */
async function claimTwice(): Promise<{ ctx: Ctx; slow: ClaimedDelivery; read: () => Promise<Delivery> }> {
  const { app, ctx, id, read } = await submitOne();
  const schedule = app.config.retryScheduleSeconds[0] ?? 0;
  const slow = await claimOne(ctx, id);
  const later = await claimOne(ctx, id, new Date(Date.now() + leaseMs + schedule * 1000 + 1000));
  if (!slow || later?.attempts !== 2) throw new Error('the delivery was not claimed twice');
  return { ctx, slow, read };
}

async function settle(ctx: Ctx, settled: Settled): Promise<number> {
  return (await inTransaction(ctx, (tx) => settleDeliveries(tx, [settled]))).size;
}

describe('a delivery that is put off again and again', () => {
  it('waits as the schedule says, or up to a tenth less, after each attempt longer', async () => {
    const { app, ctx, id } = await submitOne();
    const waits: number[] = [];
    let now = new Date();
    for (const _step of app.config.retryScheduleSeconds) {
      const claimed = await claimOne(ctx, id, now);
      if (!claimed?.nextAttemptAt) throw new Error('the delivery was not due at the time that was set for it');
      expect(await settle(ctx, { delivery: claimed, state: 'queued', ...said })).toBe(1);
      waits.push((claimed.nextAttemptAt.getTime() - now.getTime()) / 1000);
      now = claimed.nextAttemptAt;
    }
    const parts = waits.map((seconds, step) => seconds / (app.config.retryScheduleSeconds[step] ?? 0));
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0.9);
    expect(Math.max(...parts)).toBeLessThanOrEqual(1);
  });

  it('parts from other deliveries that were claimed with it, but not from those of its own transfer', async () => {
    const app = await testApp();
    const ctx = systemContext(app);
    const { user } = await buildMailbox(app);
    const domains = Array.from({ length: 10 }, (_, n) => `parted${n}.test`);
    const recipients = domains.flatMap((domain) => [`a@${domain}`, `b@${domain}`]);
    const raw = Buffer.from(`From: ${user.email}\r\nSubject: to all\r\n\r\ntext\r\n`);
    const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
    const claims = { withRunOutLeases: false };
    const { due } = await queueAndFindDue(ctx, claims);
    const own = due.filter(({ messageId }) => String(messageId) === sent.messageId);
    const groups = await claimDeliveries(ctx, own, { claims, room: ampleRoom });
    const times = groups.map(({ deliveries }) => deliveries.map(({ nextAttemptAt }) => nextAttemptAt?.getTime()));
    expect(times.map((group) => new Set(group).size)).toEqual(domains.map(() => 1));
    expect(new Set(times.flat()).size).toBeGreaterThan(5);
  });
});

describe('a worker that hears no answer to its commit', () => {
  const attemptsOf = async (ctx: Ctx, id: string) =>
    (await readRows<{ id: string }>(ctx, 'SELECT id FROM delivery_attempts WHERE delivery_id = ?', [id])).length;

  it('puts a delivery off once, and renews no lease of it', async () => {
    const { ctx, id, read } = await submitOne();
    const claimed = await claimOne(ctx, id);
    if (!claimed) throw new Error('the delivery was not due');
    expect(await settle(ctx, { delivery: claimed, state: 'queued', ...said })).toBe(1);
    await renewLeases(ctx, [{ transferId: 'of a worker', deliveries: [claimed] }]);
    expect(await settle(ctx, { delivery: claimed, state: 'queued', ...said })).toBe(0);
    expect(await read()).toMatchObject({ state: 'queued', attempts: 1, leaseUntil: null });
    expect(await attemptsOf(ctx, id)).toBe(1);
  });

  it('gives a claim back once', async () => {
    const { ctx, id, read } = await submitOne();
    const claimed = await claimOne(ctx, id);
    if (!claimed) throw new Error('the delivery was not due');
    const at = new Date(Date.now() + 30_000);
    for (const _time of [1, 2]) await postponeDeliveries(ctx, [claimed], { reason: 'waiting_for_key', at });
    expect(await read()).toMatchObject({ state: 'queued', attempts: 0, leaseUntil: null, nextAttemptAt: at });
    expect(await settle(ctx, { delivery: claimed, state: 'queued', ...said })).toBe(0);
  });
});

describe('a worker that lost its claim', () => {
  it('neither defers nor bounces what another worker has claimed', async () => {
    const { ctx, slow, read } = await claimTwice();
    const before = await read();
    expect(await settle(ctx, { delivery: slow, state: 'queued', ...said })).toBe(0);
    expect(await settle(ctx, { delivery: slow, state: 'bounced', ...said })).toBe(0);
    expect((await read()).toJSON()).toEqual(before.toJSON());
  });

  it('still records that the message arrived', async () => {
    const { ctx, slow, read } = await claimTwice();
    expect(await settle(ctx, { delivery: slow, state: 'relayed', ...said })).toBe(1);
    expect(await read()).toMatchObject({ state: 'relayed', leaseUntil: null, nextAttemptAt: null });
  });
});
