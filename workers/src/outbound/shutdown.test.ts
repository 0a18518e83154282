import { randomUUID } from 'node:crypto';
import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { Delivery } from '@selvage/core/models/delivery';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { afterEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { freePorts } from '../../../tests/support/free-ports.ts';
import { speak, startOddServer, takeMessage } from '../../../tests/support/odd-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  // What a test leaves comes due in a minute, and would go to the server of another test
  await Delivery.destroy({ where: { state: 'queued' } });
});

const resolver = {
  mx: async () => [{ exchange: 'mx.slow.test', priority: 10 }],
  a: async () => ['127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

const words = { EHLO: '250 mx.slow.test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', RSET: '250 ok' };

/** A worker, and a message on its way to a server whose last attempt this is. */
async function setUp(onConnection: Parameters<typeof startOddServer>[2]) {
  const [port = 0] = await freePorts(1);
  await startOddServer(port, '127.0.0.1', onConnection);
  const host = await testApp();
  const config = { ...host.config, outboundSmtpPort: port, retryScheduleSeconds: [60, 3600] };
  const ctx = systemContext(Object.assign(Object.create(host) as App, { resolver, config }));
  const { user, domain } = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(domain.id), selector: 's1' });
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@slow.test\r\n\r\n${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  const delivery = await Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  await delivery.update({ attempts: 2, reason: 'timeout' });
  return { ctx, delivery };
}

function newRunner(): DeliveryRunner {
  const runner = new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 0 });
  closers.push(() => runner.close(0));
  return runner;
}

async function endDuring(ctx: Ctx, what: string, isThere: () => boolean): Promise<void> {
  const runner = newRunner();
  await runner.pass(ctx);
  await until(what, isThere);
  await runner.close(0);
}

describe('an attempt that the end of its process cuts off', () => {
  const untouched = { state: 'queued', attempts: 2, reason: 'timeout', leaseUntil: null };

  it('before the server has greeted does not count, and is made again at once', async () => {
    let connections = 0;
    const { ctx, delivery } = await setUp((socket, count) => {
      connections = count;
      if (count > 1) speak(socket, words);
    });
    await endDuring(ctx, 'the server is reached', () => connections === 1);
    expect(await delivery.reload()).toMatchObject(untouched);
    const attempts = 'SELECT id FROM delivery_attempts WHERE delivery_id = ?';
    expect(await readRows(ctx, attempts, [String(delivery.id)])).toHaveLength(0);
    const next = newRunner();
    await next.pass(ctx);
    await next.idle();
    expect(await delivery.reload()).toMatchObject({ state: 'relayed', attempts: 3 });
  });

  it('while the server thinks about a recipient does not count, and is made again at once', async () => {
    let isAsked = false;
    const { RCPT: _RCPT, ...silent } = words;
    const { ctx, delivery } = await setUp((socket, count) => {
      socket.on('data', (bytes) => (isAsked ||= bytes.includes('RCPT')));
      speak(socket, count > 1 ? words : silent);
    });
    await endDuring(ctx, 'the server is asked', () => isAsked);
    expect(await delivery.reload()).toMatchObject(untouched);
    const next = newRunner();
    await next.pass(ctx);
    await next.idle();
    expect(await delivery.reload()).toMatchObject({ state: 'relayed', attempts: 3 });
  });

  it('after the server has the whole message does not count, and waits as long as after an attempt', async () => {
    let hasAll = false;
    const { ctx, delivery } = await setUp((socket) =>
      speak(socket, words, (_socket, message) => (hasAll ||= message.endsWith('\r\n.\r\n'))),
    );
    await endDuring(ctx, 'the server has the message', () => hasAll);
    expect(await delivery.reload()).toMatchObject(untouched);
    expect(delivery.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('is given back in time, also while a look at the queue waits for the database', async () => {
    let connections = 0;
    const { ctx, delivery } = await setUp((_socket, count) => {
      connections = count;
    });
    const runner = newRunner();
    await runner.pass(ctx);
    await until('the server is reached', () => connections === 1);
    const stuck = Promise.withResolvers<void>();
    const { connectionManager: manager } = ctx.app.db;
    const getConnection: typeof manager.getConnection = async (options) => {
      await stuck.promise;
      return await manager.getConnection(options);
    };
    const connectionManager = Object.assign(Object.create(manager), { getConnection });
    const db = Object.assign(Object.create(ctx.app.db), { connectionManager });
    const looked = runner.pass({ ...ctx, app: Object.assign(Object.create(ctx.app), { db }) });
    const closed = runner.close(0);
    await until('the delivery is given back', async () => (await delivery.reload()).leaseUntil === null);
    expect(delivery).toMatchObject(untouched);
    stuck.resolve();
    expect((await looked).begun).toBe(0);
    await closed;
  });

  it('still keeps the answer of a server that is slow to end the transaction', async () => {
    let isRefused = false;
    const { RSET: _RSET, ...silent } = { ...words, RCPT: '550 5.1.1 there is no such person' };
    const { ctx, delivery } = await setUp((socket) => {
      socket.on('data', (bytes) => (isRefused ||= bytes.includes('RSET')));
      speak(socket, silent, takeMessage);
    });
    await endDuring(ctx, 'the server has refused', () => isRefused);
    expect(await delivery.reload()).toMatchObject({ state: 'bounced', reason: 'remote_refused' });
  });
});
