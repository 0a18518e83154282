import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Delivery } from '@selvage/core/models/delivery';
import { IdempotencyKey } from '@selvage/core/models/idempotency-key';
import { leaseMs } from '@selvage/core/outbound/deliveries';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { systemContext } from '@selvage/core/context/context';
import { afterEach, describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '../../tests/support/database-proxy.ts';
import { startDnsServer } from '../../tests/support/dns-server.ts';
import { buildMailbox } from '../../tests/support/factories.ts';
import { freePorts } from '../../tests/support/free-ports.ts';
import { startProcess } from '../../tests/support/start-process.ts';
import { startRemoteServer } from '../../tests/support/remote-server.ts';
import { startTestApp, testEnvironment } from '../../tests/support/test-app.ts';
import { until } from '../../tests/support/until.ts';
import { makeDkimKey } from './domains/generate-dkim.ts';

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A host with name server and remote mail server, and a way to start its workers. */
async function startWorld(overrides: NodeJS.ProcessEnv = {}, server: ServerOptions = {}) {
  const remote = await startRemoteServer(server);
  const dns = await startDnsServer({
    'remote.test': { MX: [{ preference: 10, exchange: 'mx.remote.test' }] },
    'mx.remote.test': { A: ['127.0.0.1'] },
  });
  closers.push(
    () => remote.stop(),
    () => dns.stop(),
  );
  const [port = 0] = await freePorts(1);
  const environment = await testEnvironment({
    WORKERS_HEALTH_PORT: String(port),
    DNS_SERVERS: dns.address,
    OUTBOUND_SMTP_PORT: String(remote.port),
    RETRY_SCHEDULE: '1,1,1,1,1,1',
    SWEEP_SECONDS: '0.2',
    ...overrides,
  });
  const app = await startTestApp(environment);
  const mailbox = await buildMailbox(app);
  const ctx = systemContext(app);
  await makeDkimKey(ctx, { domainId: String(mailbox.domain.id), selector: 's1' });
  const send = async (count: number, prefix: string) => {
    for (let i = 0; i < count; i += 1) {
      const raw = Buffer.from(`From: ${mailbox.user.email}\r\nSubject: ${prefix}${i}\r\n\r\ntext\r\n`);
      const recipients = [`${prefix}${i}@remote.test`];
      await submitMessage(ctx, { user: mailbox.user, raw, door: 'web', bcc: [], recipients });
    }
  };
  const states = () => Delivery.count({ where: { direction: 'out', state: 'relayed' } });
  const start = (changes: NodeJS.ProcessEnv = {}) => startWorkers({ ...environment, ...changes }, port);
  return { app, mailbox, remote, send, states, start };
}

async function startWorkers(environment: NodeJS.ProcessEnv, port: number): Promise<ChildProcess> {
  const { child, untilReady } = startProcess({
    program: 'workers/src/main.ts',
    environment,
    log: join(environment['SELVAGE_DATA'] ?? '', 'workers.log'),
    health: `http://127.0.0.1:${port}/health`,
  });
  closers.push(() => child.kill('SIGKILL'));
  await untilReady();
  return child;
}

// They start a process, some of them twice, which takes half a minute on a crowded machine
describe('the workers', { timeout: 180_000 }, () => {
  it('deliver what is submitted, and exit with 0 when asked to stop', async () => {
    const { remote, send, states, start } = await startWorld();
    const child = await start();
    await send(5, 'a');
    await until('all are delivered', async () => (await states()) === 5);
    expect(new Set(remote.received.map(({ to }) => to[0])).size).toBe(5);
    expect(remote.received).toHaveLength(5);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('that are killed within a transfer to many lose none of them and send to none twice', async () => {
    const offered = Promise.withResolvers<void>();
    const taken: string[][] = [];
    let transfers = 0;
    const onData: ServerOptions['onData'] = (stream, { envelope }, done) => {
      transfers += 1;
      const to = envelope.rcptTo.map(({ address }) => address);
      stream.resume().on('end', () => {
        // The first one is never answered
        if (transfers === 1) return offered.resolve();
        taken.push(to);
        done(null, 'kept');
      });
    };
    const { app, mailbox, states, start } = await startWorld({}, { onData });
    const child = await start();
    const raw = Buffer.from(`From: ${mailbox.user.email}\r\nSubject: to all\r\n\r\ntext\r\n`);
    const recipients = Array.from({ length: 20 }, (_, index) => `r${index}@remote.test`);
    await submitMessage(systemContext(app), { user: mailbox.user, raw, door: 'web', bcc: [], recipients });
    await offered.promise;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const claimed = await Delivery.findAll({ where: { direction: 'out' } });
    expect(claimed.map(({ state, attempts }) => [state, attempts])).toEqual(claimed.map(() => ['queued', 1]));
    // stands for the time that a claim holds
    await Delivery.update({ leaseUntil: new Date(0), nextAttemptAt: new Date(0) }, { where: { state: 'queued' } });
    await start();
    // A new process takes claims over only after the time of a lease
    await until('all are delivered', async () => (await states()) === 20, leaseMs + 40_000);
    expect(taken.flat().toSorted()).toEqual(recipients.toSorted());
    expect(taken).toHaveLength(1);
  });

  it('deliver while Redis is away', async () => {
    const [nobody = 0] = await freePorts(1);
    const { remote, send, states, start } = await startWorld({ REDIS_URL: `redis://127.0.0.1:${nobody}/0` });
    await send(5, 'r');
    await start();
    await until('all are delivered', async () => (await states()) === 5);
    expect(remote.received).toHaveLength(5);
  });

  it('remove idempotency keys that are past their time', async () => {
    const { mailbox, start } = await startWorld();
    const owner = { companyId: String(mailbox.company.id), userId: String(mailbox.user.id) };
    const ages = { '34 days': 34, '36 days': 36 };
    for (const [idempotencyKey, days] of Object.entries(ages)) {
      const createdAt = new Date(Date.now() - days * 86_400_000);
      const key = { ...owner, idempotencyKey, fingerprint: 'x', claimedUntil: createdAt };
      await IdempotencyKey.create({ ...key, createdAt }, { silent: true });
    }
    await start();
    const kept = async () => (await IdempotencyKey.findAll()).map(({ idempotencyKey }) => idempotencyKey);
    await until('the old one is gone', async () => (await kept()).length === 1);
    expect(await kept()).toEqual(['34 days']);
  });

  it('send nothing twice over an outage of the database, however long', async () => {
    const taken = Promise.withResolvers<() => void>();
    let messages = 0;
    const onData: ServerOptions['onData'] = (stream, _session, done) => {
      messages += 1;
      stream.resume().on('end', () => taken.resolve(() => done(null, 'kept')));
    };
    const { app, send, states, start } = await startWorld({}, { onData });
    const proxy = await startDatabaseProxy(app.config.databaseUrl);
    await start({ DATABASE_URL: proxy.databaseUrl });
    await send(1, 'd');
    const answer = await taken.promise;
    const refused = proxy.refuse();
    answer();
    // Stands for a long outage, in which no worker could renew the claim
    await Delivery.update({ leaseUntil: new Date(0), nextAttemptAt: new Date(0) }, { where: { state: 'queued' } });
    await until('the worker has tried again and again', () => refused() > 60);
    proxy.recover();
    await until('it is written down', async () => (await states()) === 1);
    expect(messages).toBe(1);
  });
});
