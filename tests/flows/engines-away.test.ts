import { enqueue } from '@selvage/core/jobs/enqueue';
import { generateDkim } from '@selvage/core/jobs/generate-dkim';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { print } from '../../ops/print.ts';
import { ApiClient } from '../support/api-client.ts';
import { buildCompany, buildMailbox, type Mailbox } from '../support/factories.ts';
import { survive } from '../support/load.ts';
import { type OwnEngines, startOwnEngines } from '../support/own-engines.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let engines: OwnEngines;
let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  engines = await startOwnEngines();
  host = await startTestHost({ DATABASE_URL: engines.databaseUrl, REDIS_URL: engines.redisUrl, UNDO_MS: '0' });
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

const programs: ProgramName[] = ['api', 'inbound', 'submission', 'workers'];
const readiness = () => Promise.all(programs.map(async (name) => (await fetch(`${host.health[name]}/ready`)).status));

async function offer(subject: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const message = plainMessage({ from: 'a@remote.test', to: ana.user.email, subject });
  const reply = await peer.deliver('a@remote.test', ana.user.email, message);
  peer.close();
  return reply;
}

async function submit(peer: SmtpPeer, subject: string): Promise<string> {
  const message = plainMessage({ from: ana.user.email, to: 'b@remote.test', subject });
  return await peer.deliver(ana.user.email, 'b@remote.test', message);
}

async function signedInPeer(): Promise<SmtpPeer> {
  const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
  expect(await peer.signIn(ana.user.email, ana.password)).toMatch(/^235/);
  return peer;
}

function writing(subject: string): FormData {
  const form = new FormData();
  form.append('recipient_emails_to[]', 'b@remote.test');
  form.append('subject', subject);
  form.append('body', '<p>x</p>');
  return form;
}

const hasArrived = (subject: string) =>
  until(`${subject} arrives`, () => host.remote.received.some(({ raw }) => raw.includes(`Subject: ${subject}\r\n`)));

describe('while the database is away', () => {
  it('asks every peer to try again, reports not ready, and recovers by itself', async () => {
    const early = await signedInPeer();
    await engines.mariadb.stop();

    expect(await offer('too early')).toMatch(/^451 4\.3\.0 /);
    expect(await submit(early, 'too early, sent')).toMatch(/^451 4\.3\.0 /);
    early.close();
    // More often than a password may be guessed: a login that can't be decided is not counted
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const late = await SmtpPeer.open(host.ports.submissions, { tls: true });
      expect(await late.signIn(ana.user.email, ana.password)).toMatch(/^454 4\.7\.0 Login is not possible/);
      late.close();
    }
    for (const answer of await Promise.all([readFolder(), send('too early, written')])) {
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    }
    expect(await readiness()).toEqual([503, 503, 503, 503]);
    expect((await fetch(`${host.health.api}/live`)).status).toBe(200);

    await engines.mariadb.start();
    await until('every process is ready', async () => (await readiness()).every((status) => status === 200));
    expect(await offer('in time')).toMatch(/^250/);
    expect((await send('in time, written')).status).toBe(200);
    (await signedInPeer()).close();
    await client.awaitMessage('in time');
    await hasArrived('in time, written');
    expect((await client.folder()).map(({ subject }) => subject)).not.toContain('too early');
    expect((await client.folder('send_status')).map(({ subject }) => subject)).toEqual(['in time, written']);
  });
});

describe('while Redis is away', () => {
  it('stores, shows and sends mail; only logging in to the web app waits', async () => {
    await engines.redis.stop();
    expect(await offer('without Redis')).toMatch(/^250/);
    await client.awaitMessage('without Redis');
    expect((await send('without Redis, written')).status).toBe(200);
    const peer = await signedInPeer();
    expect(await submit(peer, 'without Redis, submitted')).toMatch(/^250/);
    peer.close();
    await hasArrived('without Redis, written');
    await hasArrived('without Redis, submitted');
    // The captcha is in Redis (D10)
    const captcha = await fetch(`${host.url}/api/v1/captcha`);
    expect([captcha.status, captcha.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await readiness()).toEqual([200, 200, 200, 200]);
    // In order: a process that has to be killed ends with 1
    expect(await host.end('workers', 'SIGTERM')).toBe(0);
    await host.start('workers');

    await engines.redis.start();
    const another = new ApiClient(host);
    await until('logging in works again', async () => {
      const answer = await another.signIn(ana.user.email, ana.password);
      return answer['success'] === true;
    });
  });
});

/**
 * TEST_KILLS=50 shows that the host recovers each time, and how fast. The supervisor waits longer
 * after each death.
 */
const kills = Number(process.env['TEST_KILLS'] ?? 1);

describe('kill -9 under load', () => {
  it(
    'of MariaDB loses nothing that was answered, and doubles nothing',
    async () => {
      const recoveries: number[] = [];
      for (let kill = 1; kill <= kills; kill += 1) {
        recoveries.push(await survive({ host, tenant: ana }, `killed MariaDB ${kill}`, () => engines.mariadb.kill()));
      }
      if (kills > 1) print(`load flowed again after ms: ${recoveries.join(' ')}`);
    },
    kills * 400_000,
  );

  it('of Redis, with all its data, loses nothing that was answered and duplicates nothing', async () => {
    await survive({ host, tenant: ana }, 'killed Redis', () => engines.redis.kill());
  });
});

describe('a signing key', () => {
  it('is made though Redis lost the job right after it was announced', async () => {
    await host.end('workers', 'SIGTERM');
    const { domain } = await buildCompany(host.app);
    const domainId = String(domain.id);
    await inTransaction(systemContext(host.app), (ctx) =>
      enqueue(ctx, generateDkim, { domainId, selector: 'default' }),
    );
    await host.app.relay.idle();
    await engines.redis.kill();
    await Domain.update({ createdAt: new Date(Date.now() - 120_000) }, { where: { id: domainId }, silent: true });
    await host.start('workers');
    const key = await until('the key is made', () => DkimKey.findOne({ where: { domainId } }));
    expect(key).toMatchObject({ selector: 'default', isActive: true });
  });
});

async function send(subject: string): Promise<{ status: number; retryAfter: string | null }> {
  return await ask('POST', '/mail/send', writing(subject));
}

async function readFolder(): Promise<{ status: number; retryAfter: string | null }> {
  return await ask('GET', '/mail/get/sent/by_user?received_status=true');
}

async function ask(method: string, path: string, body?: FormData) {
  const headers = { authorization: `Bearer ${client.token}` };
  const response = await fetch(`${host.url}/api/v1${path}`, { method, headers, ...(body ? { body } : {}) });
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}
