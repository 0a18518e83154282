import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { Delivery } from '@selvage/core/models/delivery';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { createRedis } from '@selvage/core/process/create-redis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { DeliveryRunner, type Pass } from './delivery-runner.ts';
import { hearDue } from './due-feed.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await Delivery.destroy({ where: { state: ['queued', 'held'] } });
});

const resolver = {
  mx: async (name: string) => [{ exchange: `mx.${name}`, priority: 10 }],
  a: async () => ['127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

/** A host whose worker processes look at the queue by themselves in an hour only. */
async function setUp() {
  const host = await testApp();
  const { user, domain } = await buildMailbox(host);
  await makeDkimKey(systemContext(host), { domainId: String(domain.id), selector: 's1' });
  /** Transfers to people called slow, whose server answers none of them. */
  const slow: (() => void)[] = [];
  const server = await startRemoteServer({
    onRcptTo: ({ address }, _session, done) => (address.startsWith('slow') ? void slow.push(done) : done()),
  });
  closers.push(() => server.stop());
  const appOf = (outboundConcurrency: number): App => {
    const config = { ...host.config, outboundSmtpPort: server.port, sweepSeconds: 3600, outboundConcurrency };
    return Object.assign(Object.create(host) as App, { resolver, config });
  };
  /** A worker process with room for so many transfers. */
  const startLoop = (room: number): DeliveryLoop => {
    const loop = new DeliveryLoop(appOf(room));
    closers.push(() => loop.close());
    closers.push(() => slow.splice(0).forEach((done) => done()));
    return loop;
  };
  const send = async (to: string, holdMs = 0) => {
    const raw = Buffer.from(`From: ${user.email}\r\nTo: ${to}\r\n\r\ntext ${randomUUID()}\r\n`);
    const ctx = systemContext(appOf(1));
    const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [], holdMs });
    const row = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
    return async () => (await row.reload()).state === 'relayed';
  };
  /** A worker process with room for one transfer, which is under way. */
  const startFull = async () => {
    const loop = startLoop(1);
    const before = slow.length;
    await send(`slow@${randomUUID()}.test`);
    loop.wake();
    await until('the process is full', () => slow.length > before);
    return loop;
  };
  /** A worker process that has nothing to do, and hears the others. */
  const startIdle = async () => {
    const loop = startLoop(20);
    const isRelayed = await send('bob@first.test');
    loop.wake();
    await until('the process works', isRelayed);
    await until('it hears the others', async () => {
      const [, count] = (await host.redis.pubsub('NUMSUB', channel(host))) as [string, number];
      return Number(count) >= 1;
    });
    return loop;
  };
  return { host, slow, send, startLoop, startFull, startIdle };
}

const channel = ({ redis }: App) => `deliveries-due:${redis.options.db ?? 0}`;

it('gives its transfers their last seconds at once, also while it waits for the database', async () => {
  const { startLoop } = await setUp();
  const stuck = Promise.withResolvers<Pass>();
  closers.push(() => vi.restoreAllMocks());
  const pass = vi.spyOn(DeliveryRunner.prototype, 'pass').mockReturnValue(stuck.promise);
  const close = vi.spyOn(DeliveryRunner.prototype, 'close');
  const loop = startLoop(1);
  closers.push(() => stuck.resolve({ begun: 0, hasMore: false, nextAt: null }));
  await until('it looks', () => pass.mock.calls.length > 0);
  const closed = loop.close();
  expect(close).toHaveBeenCalledOnce();
  stuck.resolve({ begun: 0, hasMore: false, nextAt: null });
  await closed;
});

it('pauses before it looks on when a pass has begun nothing', async () => {
  const { startLoop } = await setUp();
  closers.push(() => vi.restoreAllMocks());
  const nothing: Pass = { begun: 0, hasMore: true, nextAt: null };
  const times: number[] = [];
  vi.spyOn(DeliveryRunner.prototype, 'pass').mockImplementation(async () => {
    times.push(performance.now());
    return times.length < 5 ? nothing : { ...nothing, hasMore: false };
  });
  startLoop(1);
  await until('it has looked at all', () => times.length === 5);
  // Timers may be a millisecond early
  expect((times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(4 * 45);
});

describe('a worker process without room', () => {
  it('lets another one take the mail that it was woken for', async () => {
    const { send, startFull, startIdle } = await setUp();
    await startIdle();
    const full = await startFull();
    for (const domain of ['one.test', 'two.test', 'three.test']) {
      const isRelayed = await send(`bob@${domain}`);
      full.wake();
      await until('another process has sent it', isRelayed);
    }
  });

  it('lets another one take mail that comes due when it is full', async () => {
    const { slow, send, startLoop, startIdle } = await setUp();
    await startIdle();
    const small = startLoop(1);
    await send('slow@one.test', 500);
    await send('slow@two.test', 500);
    small.wake();
    await until('both are under way', () => slow.length === 2);
  });

  it('tells the others twice a second at most, and of the last wake-up too', async () => {
    const { host, startFull } = await setUp();
    const full = await startFull();
    const subscriber = createRedis(host.config, { role: 'worker' });
    closers.push(() => subscriber.disconnect());
    const told: number[] = [];
    await hearDue(subscriber, () => told.push(performance.now()));
    const startedAt = performance.now();
    let wokenAt = startedAt;
    for (let count = 0; count < 100; count += 1) {
      wokenAt = performance.now();
      full.wake();
      await host.redis.ping();
    }
    await until('the last wake-up is told', () => (told.at(-1) ?? 0) > wokenAt);
    expect(told.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 400);
  });
});
