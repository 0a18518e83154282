import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { encodePassword } from '@selvage/core/contracts/fields';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { makeSelfSigned } from '@selvage/core/secrets/self-signed-certificate';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { servedCertificate } from '../support/served-certificate.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { type ProgramName, startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost({ LOG_LEVEL: 'debug', UNDO_MS: '0' });
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

const boundary = 'b0undary';
const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Begins to send a message from the web app, and leaves the form incomplete. */
function beginWriting(subject: string): ClientRequest {
  const begun = request(`${host.url}/api/v1/mail/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  begun.on('error', () => undefined);
  begun.write(field('recipient_emails_to[]', 'b@remote.test') + field('subject', subject) + field('body', '<p>x</p>'));
  begun.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="attachments"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhalf`,
  );
  return begun;
}

const uploads = () => readdir(join(host.dataDir, 'tmp', 'uploads'));

async function statusOf(begun: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Begins the DATA of a message. */
async function beginMessage(peer: SmtpPeer, from: string, to: string): Promise<void> {
  for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
    expect(await peer.command(line)).toMatch(/^[23]/);
  }
}

function isClosed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false));
    socket.on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });
}

describe('SIGTERM', () => {
  it('accepts no new connections, and finishes what is under way', async () => {
    const own = ana.user.email;
    const inbound = await SmtpPeer.open(host.ports.smtp);
    await beginMessage(inbound, 'a@remote.test', own);
    const submission = await SmtpPeer.open(host.ports.submissions, { tls: true });
    await submission.signIn(own, ana.password);
    await beginMessage(submission, own, 'b@remote.test');
    const writing = beginWriting('last words, written');
    const answered = statusOf(writing);
    await until('the upload has begun', async () => (await uploads()).length > 0);

    const names: ProgramName[] = ['inbound', 'submission', 'api'];
    const gone = Promise.all(names.map((name) => host.end(name, 'SIGTERM')));
    const { http, smtp, submissions } = host.ports;
    for (const port of [http, smtp, submissions]) await until('the door is closed', () => isClosed(port));

    const last = (from: string, to: string) => `${plainMessage({ from, to, subject: 'last words' })}\r\n.\r\n`;
    expect(await inbound.send(last('a@remote.test', own))).toMatch(/^250/);
    expect(await submission.send(last(own, 'b@remote.test'))).toMatch(/^250/);
    inbound.close();
    submission.close();
    writing.end(`\r\n--${boundary}--\r\n`);
    expect(await answered).toBe(200);
    expect(await gone).toEqual([0, 0, 0]);
    await Promise.all(names.map((name) => host.start(name)));
    await client.awaitMessage('last words');
    expect((await client.folder('send_status')).map(({ subject }) => subject).toSorted()).toEqual([
      'last words',
      'last words, written',
    ]);
  });
});

describe('a new certificate', () => {
  it('is shown at all three doors without a restart', async () => {
    const { smtp, submission, submissions } = host.ports;
    const served = () =>
      Promise.all([
        servedCertificate(smtp, { startTls: true }),
        servedCertificate(submission, { startTls: true }),
        servedCertificate(submissions, { startTls: false }),
      ]);
    const open = await SmtpPeer.open(smtp);
    const { key, cert } = await makeSelfSigned('host.test');
    const { fingerprint256 } = new X509Certificate(cert);
    expect(await served()).not.toContain(fingerprint256);
    await writeFile(join(host.dataDir, 'tls/key.pem'), key);
    await writeFile(join(host.dataDir, 'tls/cert.pem'), cert);
    await until('every door shows it', async () => (await served()).every((shown) => shown === fingerprint256));
    // The process is the same, and its connections stay open
    expect(await open.command('NOOP')).toMatch(/^250/);
    open.close();
  });
});

describe('a request that takes too long', () => {
  beforeAll(async () => {
    await host.end('api', 'SIGTERM');
    await host.start('api', { REQUEST_TIMEOUT_SECONDS: '4' });
  });

  afterAll(async () => {
    await host.end('api', 'SIGTERM');
    await host.start('api');
  });

  it('to arrive is answered 408', async () => {
    const slow = request(`${host.url}/api/v1/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '100' },
    });
    slow.on('error', () => undefined);
    slow.write('{');
    expect(await statusOf(slow)).toBe(408);
    slow.destroy();
  });

  it('to be done is answered 503, and is done nevertheless', async () => {
    const peer = await SmtpPeer.open(host.ports.smtp);
    const message = plainMessage({ from: 'a@remote.test', to: ana.user.email, subject: 'held' });
    expect(await peer.deliver('a@remote.test', ana.user.email, message)).toMatch(/^250/);
    peer.close();
    const { _id } = await client.awaitMessage('held');
    const hold = await host.app.db.transaction();
    await MailboxEntry.findByPk(_id, { lock: true, transaction: hold });
    const change = { email_id: [_id], star_status: true };
    try {
      const answer = await client.call('PUT', '/mail/status_change', change);
      expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'timeout' } });
    } finally {
      await hold.rollback();
    }
    await until('the change is done', async () => (await client.email(_id)).star_status);
  });

  it('for its caller, which hangs up, leaves only a line in the log', async () => {
    const given = beginWriting('never mind');
    await until('the upload has begun', async () => (await uploads()).length > 0);
    given.destroy();
    await until('the upload is gone', async () => (await uploads()).length === 0);
    await until('the log says so', async () => (await logOf('api')).includes('"status":499'));
    // On a busy machine even this read may take longer than a request may here
    const rows = await until('Sent is read', () => client.folder('send_status'));
    expect(rows.map(({ subject }) => subject)).not.toContain('never mind');
  });
});

const logOf = (name: ProgramName) => readFile(join(host.dataDir, `${name}.log`), 'utf8');

describe('the logs', () => {
  it('of every process, at the level debug, hold no password, token, key or text of a message', async () => {
    const someone = new ApiClient(host);
    await someone.signIn(ana.user.email, ana.password);
    const captcha = await someone.captcha();
    await someone.call('POST', '/user/login', {
      email: ana.user.email,
      password: encodePassword('a wrong password'),
      ...captcha,
    });
    const usedUp = someone.refreshToken;
    const refreshed = await someone.call('POST', '/user/refresh', { refreshToken: usedUp });
    const { refreshToken } = refreshed.body as unknown as { refreshToken: string };
    await someone.call('POST', '/user/refresh', { refreshToken });
    await someone.call('POST', '/user/refresh', { refreshToken: usedUp });
    const peer = await SmtpPeer.open(host.ports.submissions, { tls: true });
    await peer.signIn(ana.user.email, 'another wrong password');
    await peer.signIn(ana.user.email, ana.password);
    const text = { subject: 'private subject', body: 'private words' };
    await peer.deliver(
      ana.user.email,
      'b@remote.test',
      plainMessage({ from: ana.user.email, to: 'b@remote.test', ...text }),
    );
    peer.close();
    await until('it is sent', () => host.remote.received.some(({ raw }) => raw.includes('private words')));

    const passwords = [ana.password, 'a wrong password', 'another wrong password', 'correct horse battery'];
    const { config } = host.app;
    const databasePassword = new URL(config.databaseUrl).password;
    const secrets = [
      ...passwords.flatMap((password) => [password, encodePassword(password)]),
      Buffer.from(`\0${ana.user.email}\0${ana.password}`).toString('base64'),
      client.token,
      someone.token,
      usedUp,
      refreshToken,
      (refreshed.body as unknown as { token: string }).token,
      captcha.captcha_token,
      captcha.captcha_text,
      databasePassword,
      config.secretKey.toString('hex'),
      'PRIVATE KEY',
      'private subject',
      'private words',
    ];
    for (const name of ['api', 'inbound', 'submission', 'workers'] as ProgramName[]) {
      const log = await logOf(name);
      expect(log).toContain('"level":"info"');
      expect(secrets.filter((secret) => secret !== '' && log.includes(secret))).toEqual([]);
    }
  });
});

describe('the totals of the folders', () => {
  it('are what a count would give', async () => {
    const answer = await client.call<unknown[]>('GET', '/mail/get/sent/by_user?received_status=true&limit=1');
    const counted = await MailboxEntry.count({ where: { userId: String(ana.user.id), folder: 'inbox' } });
    expect(counted).toBeGreaterThan(0);
    expect(answer.body.pagination?.totalData).toBe(counted);
  });
});
