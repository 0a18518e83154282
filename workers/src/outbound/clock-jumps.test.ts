import { randomUUID } from 'node:crypto';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { leaseMs } from '@selvage/core/outbound/deliveries';
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

it('sends nothing a second time when the clock jumps while it is under way', { timeout: 60_000 }, async () => {
  const answers: (() => void)[] = [];
  const server = await startRemoteServer({ onRcptTo: (_address, _session, done) => answers.push(done) });
  const host = await testApp();
  const config = { ...host.config, outboundSmtpPort: server.port, retryScheduleSeconds: [60] };
  const app: App = Object.assign(Object.create(host), { resolver: toLoopback, config });
  const ctx = systemContext(app);
  const { user, domain } = await buildMailbox(host);
  await makeDkimKey(ctx, { domainId: String(domain.id), selector: 's1' });
  const runner = () => new DeliveryRunner({ perDomain: 5, concurrency: 10, takeOverAfterMs: 1 });
  const [first, second] = [runner(), runner()];
  onTestFinished(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    for (const done of answers) done();
    await Promise.all([first.close(), second.close()]);
    await server.stop();
  });

  const raw = Buffer.from(`From: ${user.email}\r\nTo: bob@remote.test\r\n\r\n${randomUUID()}\r\n`);
  const { mailId } = await submitMessage(ctx, { user, raw, door: 'web', bcc: [] });
  await first.pass(ctx);
  await until('the server is asked', () => answers.length > 0);
  await second.pass(ctx);

  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 3_600_000);
  expect((await second.pass(ctx)).begun).toBe(0);
  // By the end a worker that lives has renewed its claim. This one was not given the time to
  const [start, now] = [Date.now(), performance.now()];
  for (const ms of [leaseMs / 3, (leaseMs * 2) / 3, leaseMs]) {
    vi.setSystemTime(start + ms);
    vi.spyOn(performance, 'now').mockReturnValue(now + ms);
    expect((await second.pass(ctx)).begun).toBe(ms === leaseMs ? 1 : 0);
  }
  expect(await Delivery.findOne({ where: { mailId } })).toMatchObject({ attempts: 2 });
  vi.useRealTimers();
  vi.restoreAllMocks();
  await until('the server is asked once more', () => answers.length > 1);
});
