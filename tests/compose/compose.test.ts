/**
 * The appliance of docker-compose.yml on a real engine: TEST_COMPOSE=1 npx vitest run --project
 * compose It builds the image, which takes minutes, so it runs only on request.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { encodePassword } from '@selvage/core/contracts/fields';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { print } from '../../ops/print.ts';
import { mailDoors, probeDoors, webDoor } from '../support/door-probe.ts';
import { freePorts } from '../support/free-ports.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
const project = `selvage-test-${randomBytes(4).toString('hex')}`;
const hostname = 'mail.localhost';
const admin = `admin@${hostname}`;
/** Each runs a primary, which docker restarts, and its one process. */
const programs = ['admin-api', 'mta-inbound', 'mta-submission', 'workers'];
const services = ['admin-api', 'certificate', 'database', 'mta-inbound', 'mta-submission', 'queue', 'web', 'workers'];

let environment: NodeJS.ProcessEnv;
/** The root certificate of Caddy's own authority, which signs names that are not public. */
let authority: string;
let ports: { http: number; https: number; smtp: number; submission: number; submissions: number };

function whyNot(): string | null {
  if (process.env['TEST_COMPOSE'] !== '1') return 'not asked for: set TEST_COMPOSE=1';
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'pipe' });
    execFileSync('docker', ['info'], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return `no container engine: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function compose(...words: string[]): Promise<string> {
  const args = ['compose', '--project-name', project, ...words];
  const { stdout } = await promisify(execFile)('docker', args, { cwd: root, env: environment, maxBuffer: 1 << 26 });
  return stdout.trim();
}

interface Container {
  Service: string;
  State: string;
  Health: string;
  ExitCode: number;
  ID: string;
}

async function containers(): Promise<Container[]> {
  const lines = (await compose('ps', '--all', '--format', 'json')).split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Container);
}

async function container(service: string): Promise<Container> {
  const found = (await containers()).find((one) => one.Service === service);
  if (!found) throw new Error(`no container of ${service}`);
  return found;
}

async function inspect(service: string, format: string): Promise<string> {
  const { ID } = await container(service);
  return (await promisify(execFile)('docker', ['inspect', '--format', format, ID])).stdout.trim();
}

/** The processes that do the work of a service: children of its primary, which is docker-init's. */
async function membersOf(service: string): Promise<string[]> {
  const script = 'p=$(tr -d " " </proc/1/task/1/children); cat /proc/$p/task/$p/children';
  return (await compose('exec', '-T', service, 'sh', '-c', script)).split(' ').filter(Boolean);
}

/** The certificate of the authority that Caddy makes at its first start. */
async function readAuthority(): Promise<string> {
  return await compose('exec', '-T', 'web', 'cat', '/data/caddy/pki/authorities/local/root.crt');
}

/** The one-time password, as the operator finds it. */
async function readPassword(): Promise<string> {
  const log = await compose('logs', '--no-log-prefix', 'migrate');
  // compose puts the commands that clear a line of a terminal before it
  const answer = /\{"migrated".*"password":"[^"]+".*\}/.exec(log)?.[0] ?? '{}';
  return (JSON.parse(answer) as { admin: { password: string } }).admin.password;
}

/** One call through Caddy, which must show a certificate of its own authority for the name. */
function call(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
  const headers = {
    host: hostname,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const options = { method, path, headers, host: '127.0.0.1', port: ports.https, servername: hostname, ca: authority };
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        resolve(isJson ? (JSON.parse(text) as Record<string, unknown>) : { text });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function signIn(password: string): Promise<string> {
  const { captcha_token } = await call('GET', '/api/v1/captcha');
  const captcha_text = await compose(
    'exec',
    '-T',
    'queue',
    'valkey-cli',
    '--raw',
    'get',
    `captcha:${String(captcha_token)}`,
  );
  const body = { email: admin, password: encodePassword(password), captcha_token, captcha_text };
  const answer = await call('POST', '/api/v1/user/login', body);
  expect(answer).toMatchObject({ success: true });
  return String(answer['token']);
}

/** Sets another password, which is all that the one of the first start is good for. */
async function changePassword(token: string, from: string, to: string): Promise<void> {
  const early = await call('GET', '/api/v1/mail/totals', undefined, token);
  expect(early).toMatchObject({ success: false, code: 'password_change_required' });
  const [old_password, new_password] = [encodePassword(from), encodePassword(to)];
  const body = { old_password, new_password, confirm_password: new_password };
  expect(await call('POST', '/api/v1/user/change_password', body, token)).toMatchObject({ success: true });
}

function awaitMessage(subject: string, token: string): Promise<boolean> {
  return until(`a message "${subject}"`, async () => {
    const answer = await call('GET', '/api/v1/mail/get/sent/by_user?received_status=true&limit=100', undefined, token);
    return (answer['data'] as { subject: string }[]).some((row) => row.subject === subject);
  });
}

/** True when a door shows a certificate that Caddy's authority signed. Throws on any other. */
function verifiedByAuthority(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: hostname, ca: authority }, () => {
      resolve(socket.authorized);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

async function deliver(subject: string): Promise<string> {
  const peer = await SmtpPeer.open(ports.smtp);
  const reply = await peer.deliver(
    'foreign@remote.test',
    admin,
    plainMessage({ from: 'foreign@remote.test', to: admin, subject }),
  );
  peer.close();
  return reply;
}

const reason = whyNot();
// Says why the test is skipped
if (reason) print(`compose: skipped; ${reason}`);

describe.skipIf(reason !== null)('docker compose', () => {
  let password: string;
  let token: string;

  beforeAll(async () => {
    const [http, https, smtp, submission, submissions] = (await freePorts(5)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    ports = { http, https, smtp, submission, submissions };
    environment = {
      ...process.env,
      SELVAGE_HOSTNAME: hostname,
      HTTP_PORT: String(http),
      HTTPS_PORT: String(https),
      SMTP_PORT: String(smtp),
      SUBMISSION_PORT: String(submission),
      SUBMISSIONS_PORT: String(submissions),
    };
    await compose('up', '--detach', '--build', '--wait', '--wait-timeout', '300');
    authority = await readAuthority();
    const given = await readPassword();
    password = 'seven purple elephants';
    await changePassword(await signIn(given), given, password);
    token = await signIn(password);
  }, 900_000);

  afterAll(async () => {
    await compose('down', '--volumes', '--timeout', '30');
  }, 180_000);

  it('brings every service up healthy', async () => {
    const running = (await containers()).filter((one) => one.State === 'running');
    expect(running.map((one) => one.Service).toSorted((a, b) => a.localeCompare(b))).toEqual(services);
    expect(running.filter((one) => one.Health !== 'healthy' && one.Service !== 'certificate')).toEqual([]);
  });

  it('bounds what each container logs, so that logs fill no disk', async () => {
    const { services: all } = JSON.parse(await compose('config', '--format', 'json')) as {
      services: Record<string, { logging?: object }>;
    };
    const bounded = { driver: 'local', options: { 'max-size': '10m', 'max-file': '4' } };
    for (const [name, { logging }] of Object.entries(all)) expect([name, logging]).toEqual([name, bounded]);
    const used = await inspect('database', '{{json .HostConfig.LogConfig}}');
    expect(JSON.parse(used)).toEqual({ Type: bounded.driver, Config: bounded.options });
  });

  it('publishes ports on IPv4 alone, since Docker would hide the addresses of IPv6 peers', async () => {
    const { services: all } = JSON.parse(await compose('config', '--format', 'json')) as {
      services: Record<string, { ports?: { host_ip?: string; published: string }[] }>;
    };
    const published = Object.values(all).flatMap((service) => service.ports ?? []);
    expect(published).toHaveLength(6);
    expect(published.filter((port) => port.host_ip !== '0.0.0.0')).toEqual([]);
  });

  it('serves the public site and the login page over HTTPS', async () => {
    expect(await call('GET', '/')).toMatchObject({ text: expect.stringContaining('href="/auth/sign-in"') });
    expect(await call('GET', '/auth/sign-in')).toMatchObject({ text: expect.stringContaining('<div id="root">') });
  });

  it('takes a message by SMTP and shows it to its reader', async () => {
    expect(await deliver('Into the containers')).toMatch(/^250 /);
    await awaitMessage('Into the containers', token);
  });

  it("shows Caddy's certificate at the mail doors and takes a submission over it", async () => {
    await until('the certificate is taken', () => verifiedByAuthority(ports.submissions), 90_000);
    const transport = createTransport({
      host: '127.0.0.1',
      port: ports.submission,
      requireTLS: true,
      auth: { user: admin, pass: password },
      tls: { servername: hostname, ca: authority },
    });
    await transport.sendMail({ from: admin, to: admin, subject: 'By submission', text: 'Hello.' });
    await awaitMessage('By submission', token);
    const inbound = createTransport({
      host: '127.0.0.1',
      port: ports.smtp,
      requireTLS: true,
      tls: { servername: hostname, ca: authority },
    });
    await inbound.sendMail({ from: 'foreign@remote.test', to: admin, subject: 'By STARTTLS', text: 'Hello.' });
    await awaitMessage('By STARTTLS', token);
  });

  it('runs the processes without root and with a read-only root file system', async () => {
    for (const service of ['admin-api', 'certificate', 'mta-inbound', 'mta-submission', 'web', 'workers']) {
      expect(await inspect(service, '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}}')).toBe('true [ALL]');
      expect(await compose('exec', '-T', service, 'id', '-u')).toBe('1000');
    }
  });

  it('is restarted from the console, one process after the other, which refuses no peer and loses nothing', async () => {
    const startedAt = () =>
      Promise.all(programs.map((service) => inspect(service, '{{.State.StartedAt}} {{.RestartCount}}')));
    const allMembers = () => Promise.all(programs.map(membersOf));
    const [containersBefore, before] = [await startedAt(), await allMembers()];
    expect(before.map((members) => members.length)).toEqual([1, 1, 1, 1]);
    const state = async () => {
      const answer = await call('GET', '/api/v1/env/restart', undefined, token);
      return (answer['data'] as { state: string }).state;
    };
    const taken: string[] = [];
    const restart = async (): Promise<void> => {
      const asked = await call('POST', '/api/v1/env/restart/pm2', {}, token);
      expect(asked).toMatchObject({ success: true, data: { state: 'running', total: 4, single: [] } });
      const end = Date.now() + 240_000;
      while ((await state()) === 'running') {
        expect(Date.now()).toBeLessThan(end);
        taken.push(`While it restarts ${taken.length}`);
        expect(await deliver(taken.at(-1) ?? '')).toMatch(/^250 /);
        await wait(1000);
      }
    };
    const doors = [webDoor(ports.https, { host: hostname, isTls: true }), ...mailDoors(ports)];
    const seen = await probeDoors(doors, restart);
    expect(seen.failures).toEqual([]);
    for (const count of Object.values(seen.answered)) expect(count).toBeGreaterThan(20);
    expect(await state()).toBe('done');
    const after = await allMembers();
    expect(after.map((members) => members.length)).toEqual([1, 1, 1, 1]);
    expect(after.flat().filter((pid, index) => pid === before.flat()[index])).toEqual([]);
    expect(await startedAt()).toEqual(containersBefore);
    for (const subject of taken.slice(-90)) await awaitMessage(subject, token);
  }, 400_000);

  it('restarts a process that died', async () => {
    const [member = ''] = await membersOf('mta-inbound');
    await compose('exec', '-T', 'mta-inbound', 'sh', '-c', `kill -9 ${member}`);
    await until('another one is there', async () => {
      const members = await membersOf('mta-inbound');
      return members.length === 1 && !members.includes(member);
    });
    await until(
      'mail is taken',
      async () => (await deliver('After the death of a process')).startsWith('250 '),
      60_000,
    );
    expect(await inspect('mta-inbound', '{{.RestartCount}}')).toBe('0');
    await compose('exec', '-T', 'mta-inbound', 'sh', '-c', 'kill -9 $(cat /proc/1/task/1/children)');
    await until('restarted', async () => (await inspect('mta-inbound', '{{.RestartCount}}')) === '1', 30_000);
    await until('healthy', async () => (await container('mta-inbound')).Health === 'healthy', 60_000);
    expect(await deliver('After a death')).toMatch(/^250 /);
  });

  it('drains on stop and keeps everything for the next start', async () => {
    await compose('stop');
    const stopped = (await containers()).filter((one) => services.includes(one.Service));
    expect(stopped.filter((one) => one.ExitCode !== 0).map((one) => [one.Service, one.ExitCode])).toEqual([]);
    await compose('up', '--detach', '--wait', '--wait-timeout', '300');
    token = await signIn(password);
    await awaitMessage('After a death', token);
    await awaitMessage('Into the containers', token);
  });

  it('is backed up while it runs, and restored where there is nothing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'selvage-backup-'));
    await chown(directory, 1000, 1000);
    const inside = ['run', '--rm', '--no-deps', '-v', `${directory}:/backup`, 'workers', 'node'];
    expect(await compose(...inside, 'ops/backup.ts', '/backup')).toContain('every row of the backup has its bytes');
    await compose('down', '--volumes', '--timeout', '30');
    await compose('up', '--detach', '--wait', 'database');
    expect(await compose(...inside, 'ops/restore.ts', '/backup')).toContain('every row has its bytes');
    await compose('up', '--detach', '--wait', '--wait-timeout', '300');
    authority = await readAuthority();
    token = await signIn(password);
    await awaitMessage('Into the containers', token);
    expect(await deliver('After the restore')).toMatch(/^250 /);
    await awaitMessage('After the restore', token);
    await rm(directory, { recursive: true });
  });
});
