import type { App } from '@selvage/core/context/app';
import { type Ctx, inTransaction, systemContext } from '@selvage/core/context/context';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { Delivery } from '@selvage/core/models/delivery';
import { claimDeliveries } from '@selvage/core/outbound/claim-deliveries';
import { leaseMs } from '@selvage/core/outbound/deliveries';
import { queueAndFindDue } from '@selvage/core/outbound/find-due';
import { mendTimes } from '@selvage/core/outbound/mend-times';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { addTransfers, countTransfers, forgetOldTransfers } from '@selvage/core/outbound/transfers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ampleRoom } from '../../../tests/support/claim-one.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const resolver = {
  mx: async (name: string) => [{ exchange: `mx.${name}`, priority: 10 }],
  a: async () => ['127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

async function setUp(options: ServerOptions = {}) {
  const server = await startRemoteServer(options);
  closers.push(() => server.stop());
  const host = await testApp();
  const config = { ...host.config, outboundSmtpPort: server.port };
  const app: App = Object.assign(Object.create(host) as App, { resolver, config });
  const ctx = systemContext(app);
  const mailbox = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  return { ctx, mailbox, runner: newRunner() };
}

function newRunner(changes: Partial<ConstructorParameters<typeof DeliveryRunner>[0]> = {}): DeliveryRunner {
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 20, takeOverAfterMs: 0, ...changes });
  closers.push(() => runner.close(0));
  return runner;
}

/** A message of its own to these recipients. */
async function send(ctx: Ctx, { user }: Mailbox, recipients: string[]) {
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: for ${recipients.length}\r\n\r\ntext\r\n`);
  const sent = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], recipients });
  const states = async () => {
    const rows = await Delivery.findAll({ where: { mailId: sent.mailId } });
    return rows.map(({ state, reason }) => `${state} ${reason}`);
  };
  return { mailId: sent.mailId, states };
}

/** Takes messages and answers each of them only when told to. */
function slowServer() {
  const seen = { peak: 0, ended: 0 };
  const waiting: (() => void)[] = [];
  let running = 0;
  const onData: ServerOptions['onData'] = (stream, _session, done) => {
    running += 1;
    seen.peak = Math.max(seen.peak, running);
    stream.resume().on('end', () =>
      waiting.push(() => {
        running -= 1;
        seen.ended += 1;
        done(null, 'kept');
      }),
    );
  };
  const answerAll = () => waiting.splice(0).forEach((end) => end());
  return { onData, seen, waiting, answerAll };
}

describe('transfers at a time', () => {
  it('are no more than the process may have, whatever is due', async () => {
    const { onData, seen, waiting, answerAll } = slowServer();
    const { ctx, mailbox } = await setUp({ onData });
    const runner = newRunner({ concurrency: 4, perDomain: 4 });
    for (let i = 0; i < 12; i += 1) await send(ctx, mailbox, [`a@at-most-${i}.test`]);
    while (seen.ended < 12) {
      await runner.pass(ctx);
      await until('as many wait as may run', () => waiting.length === 4);
      answerAll();
      await runner.idle();
    }
    expect(seen.peak).toBe(4);
  });

  it('to one domain are no more than its limit, counted over all processes', async () => {
    const { onData, seen, waiting, answerAll } = slowServer();
    const { ctx, mailbox } = await setUp({ onData });
    const runners = [1, 2, 3].map(() => newRunner({ perDomain: 2 }));
    const claimed = async () => {
      const rows = await Delivery.findAll({ where: { recipientDomain: 'shared-limit.test' } });
      return rows.filter(({ leaseUntil }) => leaseUntil !== null);
    };
    for (let i = 0; i < 6; i += 1) await send(ctx, mailbox, ['a@shared-limit.test']);
    while (seen.ended < 6) {
      for (const runner of runners) await runner.pass(ctx);
      expect(await claimed()).toHaveLength(2);
      await until('as many wait as may run', () => waiting.length === 2);
      answerAll();
      await Promise.all(runners.map((runner) => runner.idle()));
    }
    expect(seen.peak).toBe(2);
  });
});

describe('a transfer', () => {
  const counted = async (ctx: Ctx, domain: string, at = new Date()) =>
    (await inTransaction(ctx, (tx) => countTransfers(tx, at))).get(domain) ?? 0;

  it('of many recipients counts once, until it ends', async () => {
    const { onData, waiting, answerAll } = slowServer();
    const { ctx, mailbox, runner } = await setUp({ onData });
    await send(
      ctx,
      mailbox,
      Array.from({ length: 30 }, (_, index) => `r${index}@counted-once.test`),
    );
    await runner.pass(ctx);
    await until('it is under way', () => waiting.length === 1);
    expect(await counted(ctx, 'counted-once.test')).toBe(1);
    answerAll();
    await runner.idle();
    expect(await counted(ctx, 'counted-once.test')).toBe(0);
  });

  it('that ends while its process stops counts no longer', async () => {
    const { onData, waiting, answerAll } = slowServer();
    const { ctx, mailbox, runner } = await setUp({ onData });
    const sent = await send(ctx, mailbox, ['a@stopping.test']);
    await runner.pass(ctx);
    await until('it is under way', () => waiting.length === 1);
    const closed = runner.close();
    answerAll();
    await closed;
    expect(await sent.states()).toEqual(['relayed remote_accepted']);
    expect(await counted(ctx, 'stopping.test')).toBe(0);
  });

  it('whose deliveries others have ended before it begins leaves none counted', async () => {
    const { ctx, mailbox } = await setUp();
    const sent = await send(ctx, mailbox, ['a@taken-back.test']);
    const claims = { withRunOutLeases: false };
    const { due } = await queueAndFindDue(ctx, claims);
    await Delivery.update({ state: 'cancelled' }, { where: { mailId: sent.mailId } });
    const own = due.filter(({ recipientDomain }) => recipientDomain === 'taken-back.test');
    expect(own).toHaveLength(1);
    expect(await claimDeliveries(ctx, own, { claims, room: ampleRoom })).toEqual([]);
    expect(await counted(ctx, 'taken-back.test')).toBe(0);
  });

  it('whose results could not be recorded counts as long as its leases, so that these can be mended', async () => {
    const { onData, waiting, answerAll } = slowServer();
    const { ctx, mailbox, runner } = await setUp({ onData });
    const sent = await send(ctx, mailbox, ['a@not-recorded.test']);
    closers.push(() => Delivery.destroy({ where: { mailId: sent.mailId } }));
    await runner.pass(ctx);
    await until('it is under way', () => waiting.length === 1);
    const transaction = vi.spyOn(ctx.app.db, 'transaction').mockRejectedValue(new Error('a value does not fit'));
    closers.push(() => transaction.mockRestore());
    answerAll();
    await runner.idle();
    transaction.mockRestore();
    const find = () => Delivery.findOne({ where: { mailId: sent.mailId }, rejectOnEmpty: true });
    expect((await find()).leaseUntil).not.toBeNull();
    expect(await counted(ctx, 'not-recorded.test')).toBe(1);
    // As if the clock had been ahead at that time
    const ahead = new Date(Date.now() + 365 * 86_400_000);
    await Delivery.update({ leaseUntil: ahead }, { where: { mailId: sent.mailId } });
    await inTransaction(ctx, (tx) => changeRows(tx, 'UPDATE outbound_transfers SET lease_until = ?', [ahead]));
    await mendTimes(ctx);
    expect((await find()).leaseUntil?.getTime()).toBeLessThanOrEqual(Date.now() + leaseMs);
  });

  it('is counted among those under way alone, and not among all that have ended since a dump began', async () => {
    const { ctx } = await setUp();
    const { ctx: explained, plans } = explaining(ctx.app);
    await countTransfers(explained, new Date());
    expect(plans).toEqual([[expect.objectContaining({ type: 'range', key: 'outbound_transfers_lease' })]]);
  });

  it('of a worker that died counts until its lease runs out, and is forgotten later', async () => {
    const { ctx } = await setUp();
    const leaseUntil = new Date(Date.now() + 30_000);
    const transfer = { id: 'of a dead worker', messageId: null, domain: 'left-behind.test' };
    await inTransaction(ctx, (tx) => addTransfers(tx, [transfer], leaseUntil));
    expect(await counted(ctx, 'left-behind.test')).toBe(1);
    expect(await counted(ctx, 'left-behind.test', leaseUntil)).toBe(0);
    const rows = () => readRows(ctx, 'SELECT id FROM outbound_transfers WHERE id = ?', [transfer.id]);
    await forgetOldTransfers(ctx, leaseUntil);
    expect(await rows()).toHaveLength(1);
    await forgetOldTransfers(ctx, new Date(leaseUntil.getTime() + 3_600_001));
    expect(await rows()).toEqual([]);
  });
});
