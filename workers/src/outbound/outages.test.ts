import { randomUUID } from 'node:crypto';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { expect, it, onTestFinished, vi } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { makeDkimKey } from '../domains/generate-dkim.ts';
import { DeliveryRunner } from './delivery-runner.ts';

const toLoopback = {
  mx: async () => [{ exchange: 'mx.remote.test', priority: 10 }],
  a: async () => ['127.0.0.1'],
  aaaa: async () => [],
} as unknown as DnsResolver;

/** The host as one worker process sees it, whose database can be away. */
function workerOf(host: App, outboundSmtpPort: number) {
  const outage = { isOn: false, asked: 0 };
  const connectionManager = new Proxy(host.db.connectionManager, {
    get: (manager, name) => {
      if (name !== 'getConnection' || !outage.isOn) return Reflect.get(manager, name);
      outage.asked += 1;
      throw Object.assign(new Error('connect ECONNREFUSED'), { name: 'SequelizeConnectionRefusedError' });
    },
  });
  const db = Object.assign(Object.create(host.db), { connectionManager });
  const config = { ...host.config, outboundSmtpPort, retryScheduleSeconds: [60] };
  const app: App = Object.assign(Object.create(host), { resolver: toLoopback, config, db });
  return { ctx: systemContext(app), outage, runner: new DeliveryRunner({ perDomain: 5, concurrency: 10 }) };
}

it('sends nothing a second time after the database was away for longer than a lease', {
  timeout: 120_000,
}, async () => {
  const answers: (() => void)[] = [];
  const server = await startRemoteServer({ onRcptTo: (_address, _session, done) => answers.push(done) });
  const host = await testApp();
  const [sending, idle] = [workerOf(host, server.port), workerOf(host, server.port)];
  onTestFinished(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    for (const { outage } of [sending, idle]) outage.isOn = false;
    for (const done of answers) done();
    await Promise.all([sending.runner.close(), idle.runner.close()]);
    await server.stop();
  });
  const { user, domain } = await buildMailbox(host);
  await makeDkimKey(sending.ctx, { domainId: String(domain.id), selector: 's1' });
  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\n${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(sending.ctx, { user, raw, door: 'web', bcc: [] });
  await sending.runner.pass(sending.ctx);
  await until('the server is asked', () => answers.length > 0);
  await idle.runner.pass(idle.ctx);

  vi.useFakeTimers({ toFake: ['Date'] });
  const ahead = Date.now() - performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - ahead);
  const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);
  for (const { outage } of [sending, idle]) outage.isOn = true;
  passTime(90_000);
  await expect(idle.runner.pass(idle.ctx)).rejects.toThrow('ECONNREFUSED');
  // The worker that sends tries to renew its claim, and goes on trying
  await vi.waitFor(() => expect(sending.outage.asked).toBeGreaterThan(2), { timeout: 18_000 });
  for (const { outage } of [sending, idle]) outage.isOn = false;
  expect((await idle.runner.pass(idle.ctx)).begun).toBe(0);
  const renewed = () => Delivery.findOne({ where: { mailId }, rejectOnEmpty: true });
  await vi.waitFor(async () => expect((await renewed()).leaseUntil?.getTime()).toBeGreaterThan(Date.now()), 20_000);
  passTime(9000);
  expect((await idle.runner.pass(idle.ctx)).begun).toBe(0);
  expect(await renewed()).toMatchObject({ state: 'queued', attempts: 1 });
  expect(answers).toHaveLength(1);
});
