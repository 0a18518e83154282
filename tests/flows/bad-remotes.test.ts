import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SMTPServerOptions } from 'smtp-server';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { speak, startOddServer, takeMessage } from '../support/odd-server.ts';
import { type RemoteServer, startRemoteServer } from '../support/remote-server.ts';
import { prepareSigning, verifySignatures } from '../support/signing.ts';
import { SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;
const servers: RemoteServer[] = [];

beforeAll(async () => {
  // A server that answers may take a while on a busy machine
  host = await startTestHost({
    UNDO_MS: '0',
    OUTBOUND_TIMEOUT_SECONDS: '5',
    OUTBOUND_JUDGEMENT_SECONDS: '5',
    DELAY_REPORT_AFTER: '0',
  });
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

let lastAddress = 1;

/** All remote hosts have the same port, so each has an address of its own. */
function newAddress(): string {
  lastAddress += 1;
  return `127.0.1.${lastAddress}`;
}

/** Mail for the domain goes to these addresses, the first one preferred. */
function publish(domain: string, addresses: string[]): void {
  const names = addresses.map((address, index) => ({ address, exchange: `mx${index}.${domain}`, preference: index }));
  host.dns.addRecords(domain, { MX: names.map(({ preference, exchange }) => ({ preference, exchange })) });
  for (const { exchange, address } of names) host.dns.addRecords(exchange, { A: [address] });
}

async function remote(address: string, options: SMTPServerOptions = {}): Promise<RemoteServer> {
  const server = await startRemoteServer(options, host.remote.port, address);
  servers.push(server);
  return server;
}

const odd = (address: string, onConnection: Parameters<typeof startOddServer>[2]) =>
  startOddServer(host.remote.port, address, onConnection);

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Sends from the web app. Returns a way to read the ledger's row. */
async function send(domain: string, subject = `to ${domain}`) {
  const form = new FormData();
  form.append('recipient_emails_to[]', `bob@${domain}`);
  form.append('subject', subject);
  form.append('body', '<p>x</p>');
  const { _id } = await client.data<{ _id: string }>('POST', '/mail/send', form);
  const row = async () => (await client.email(_id)).deliveries[0];
  return {
    row,
    until: (state: string) =>
      until(`the ledger says ${state}`, async () => {
        const now = await row();
        return now?.state === state && now;
      }),
  };
}

/**
 * The result of each attempt at a domain's server, from the log, since the ledger has only the
 * latest.
 */
async function reasonsOf(domain: string): Promise<unknown[]> {
  const lines = (await readFile(join(host.dataDir, 'workers.log'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const own = entries.filter(({ msg, remoteHost }) => msg === 'delivery attempted' && remoteHost === `mx0.${domain}`);
  return own.map(({ reason }) => reason);
}

/** The texts of the reports about a domain that have come so far. */
async function reportsOf(domain: string): Promise<{ subject: string; body: string }[]> {
  const emails = await Promise.all((await client.folder()).map(({ _id }) => client.email(_id)));
  return emails.filter(({ body }) => body.includes(`bob@${domain}`));
}

const polite = { EHLO: '250 mx.odd.test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', QUIT: '221 bye' };

describe('a remote server that refuses', () => {
  const refusal = answer(550, '5.7.1 not from you');
  it.each<[string, SMTPServerOptions]>([
    ['MAIL', { onMailFrom: (_address, _session, done) => done(refusal) }],
    ['RCPT', { onRcptTo: (_address, _session, done) => done(refusal) }],
    ['DATA', { onData: (stream, _session, done) => void stream.resume().on('end', () => done(refusal)) }],
  ])('at %s is told to the sender in its own words, once', async (command, options) => {
    const domain = `refuses-${command.toLowerCase()}.test`;
    const address = newAddress();
    publish(domain, [address]);
    await remote(address, options);
    const sent = await send(domain);
    expect(await sent.until('bounced')).toMatchObject({
      reason: 'remote_refused',
      last_reply: `mx0.${domain}: 550 5.7.1 not from you`,
    });
    const [report, ...more] = await until('the report is there', async () => {
      const found = await reportsOf(domain);
      return found.length > 0 && found;
    });
    expect(report?.body).toContain('550 5.7.1 not from you');
    expect(more).toEqual([]);
  });

  it('forges no line of a log with its words, and no sender does with a subject', async () => {
    const domain = 'forges.test';
    const address = newAddress();
    publish(domain, [address]);
    const forged = '{"level":"error","msg":"forged"}';
    const escape = '\u001b[2J';
    await odd(address, (socket) => {
      speak(socket, { ...polite, RCPT: `550-5.7.1 no\r\n550 5.7.1 ${forged}${escape}` });
    });
    const sent = await send(domain, `wool\r\n${forged}\n${escape}`);
    expect((await sent.until('bounced')).last_reply).toContain('"forged"');
    await until('the report is there', async () => (await reportsOf(domain)).length > 0);
    const names = (await readdir(host.dataDir)).filter((name) => name.endsWith('.log'));
    expect(names).toContain('workers.log');
    for (const name of names) {
      const lines = (await readFile(join(host.dataDir, name), 'utf8')).split('\n');
      const entries = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { msg?: string });
      expect(entries.filter(({ msg }) => msg === 'forged')).toEqual([]);
      expect([name, lines.filter((line) => line.includes(escape))]).toEqual([name, []]);
    }
  });

  it('by its null MX is never asked', async () => {
    host.dns.addRecords('no-mail.test', { MX: [{ preference: 0, exchange: '.' }] });
    const sent = await send('no-mail.test');
    expect(await sent.until('bounced')).toMatchObject({ reason: 'null_mx' });
    await until('the report is there', async () => (await reportsOf('no-mail.test')).length === 1);
  });
});

describe('a remote server that is not ready', () => {
  it('gets the message later, after one report of the delay', async () => {
    const address = newAddress();
    publish('defers.test', [address]);
    let asked = 0;
    const server = await remote(address, {
      onRcptTo: (_address, _session, done) => {
        asked += 1;
        done(asked > 2 ? null : answer(451, '4.7.1 greylisted'));
      },
    });
    const sent = await send('defers.test');
    await sent.until('relayed');
    const reasons = ['remote_deferred', 'remote_deferred', 'remote_accepted'];
    await expect.poll(() => reasonsOf('defers.test')).toEqual(reasons);
    expect(server.received).toHaveLength(1);
    const reports = await reportsOf('defers.test');
    expect(reports.map(({ subject }) => subject)).toEqual(['Delayed Mail (still being retried)']);
    expect(reports[0]?.body).toContain('451 4.7.1 greylisted');
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['hangs before its greeting', () => undefined, 'timeout'],
    ['hangs after the message', (socket) => speak(socket, polite, () => undefined), 'timeout'],
    ['hangs up within the message', (socket) => speak(socket, polite, () => socket.destroy()), 'connection_failed'],
  ])('because it %s is asked again, and gets the message once', async (what, misbehave, reason) => {
    const domain = `${what.replaceAll(' ', '-')}.test`;
    const address = newAddress();
    publish(domain, [address]);
    let taken = 0;
    await odd(address, (socket, count) => {
      if (count === 1) return misbehave(socket);
      speak(socket, polite, (peer, message) => {
        if (takeMessage(peer, message)) taken += 1;
      });
    });
    const sent = await send(domain);
    expect(await sent.until('relayed')).toMatchObject({ attempts: 2 });
    await expect.poll(() => reasonsOf(domain)).toEqual([reason, 'remote_accepted']);
    expect(taken).toBe(1);
  });

  it('because it greets late is waited for longer at the next attempt', async () => {
    const address = newAddress();
    publish('greets-late.test', [address]);
    // One attempt gives it five seconds
    await odd(address, (socket) => void setTimeout(() => speak(socket, polite), 7000));
    const sent = await send('greets-late.test');
    expect(await sent.until('relayed')).toMatchObject({ attempts: 2 });
    await expect.poll(() => reasonsOf('greets-late.test')).toEqual(['timeout', 'remote_accepted']);
  });

  it.each<[string, (address: string) => Promise<unknown>]>([
    ['is not there', () => Promise.resolve()],
    ['refuses to greet', (address) => odd(address, (socket) => socket.end('421 4.3.2 busy\r\n'))],
    [
      'defers the recipient',
      (address) => remote(address, { onRcptTo: (_address, _session, done) => done(answer(450, '4.2.0 not now')) }),
    ],
  ])('is skipped at once for the next one when it %s', async (what, start) => {
    const domain = `${what.replaceAll(' ', '-')}.test`;
    const [first, second] = [newAddress(), newAddress()];
    publish(domain, [first, second]);
    await start(first);
    const server = await remote(second);
    const sent = await send(domain);
    expect(await sent.until('relayed')).toMatchObject({ attempts: 1, last_reply: expect.stringContaining('mx1.') });
    expect(server.received).toHaveLength(1);
  });
});

describe('name servers that do not answer', () => {
  it('hold up mail to a domain until they answer', async () => {
    host.dns.addRecords('dns-away.test', 'SERVFAIL');
    const sent = await send('dns-away.test');
    await until('it was tried', async () => {
      const row = await sent.row();
      return row && row.attempts > 0 && row.reason === 'dns_failure';
    });
    expect((await sent.row())?.state).toBe('queued');
    const address = newAddress();
    const server = await remote(address);
    publish('dns-away.test', [address]);
    await sent.until('relayed');
    expect(server.received).toHaveLength(1);
  });

  it('cause no refusal of mail from a domain', async () => {
    host.dns.addRecords('unsure.test', 'SERVFAIL');
    host.dns.addRecords('_dmarc.unsure.test', 'SERVFAIL');
    const peer = await SmtpPeer.open(host.ports.smtp);
    const subject = 'whoever I am';
    const message = `From: <a@unsure.test>\r\nTo: <${ana.user.email}>\r\nSubject: ${subject}\r\n\r\nhello\r\n`;
    expect(await peer.deliver('a@unsure.test', ana.user.email, message)).toMatch(/^250 /);
    peer.close();
    const found = await client.awaitMessage(subject);
    expect((await client.email(found._id)).authenticity?.spf).toBe('temperror');
  });
});

describe('encryption', () => {
  it('needs no valid certificate', async () => {
    const address = newAddress();
    publish('self-signed.test', [address]);
    const server = await remote(address);
    await (await send('self-signed.test')).until('relayed');
    expect(server.received[0]?.secure).toBe(true);
  });

  it('is skipped with a server whose handshake is broken', async () => {
    const address = newAddress();
    publish('broken-tls.test', [address]);
    let taken = '';
    await odd(address, (socket) => {
      const words = { ...polite, EHLO: '250-mx.odd.test\r\n250 STARTTLS', STARTTLS: '220 go on\r\nthis is no TLS' };
      speak(socket, words, (peer, message) => {
        taken = message;
        takeMessage(peer, message);
      });
    });
    await (await send('broken-tls.test')).until('relayed');
    expect(taken).toContain('Subject: to broken-tls.test');
  });
});

describe('OUTBOUND_RELAY', () => {
  it('gets everything that leaves, signed, without a look-up of its domain', async () => {
    const address = newAddress();
    const server = await remote(address);
    await host.end('workers', 'SIGTERM');
    await host.start('workers', { OUTBOUND_RELAY: `smtp://${address}:${server.port}` });
    await (await send('nobody-knows-me.test')).until('relayed');
    expect(server.received.map(({ to }) => to)).toEqual([['bob@nobody-knows-me.test']]);
    expect(await verifySignatures(host, server.received[0]?.raw ?? Buffer.alloc(0))).toEqual([
      { result: 'pass', domain: ana.domain.domainName },
    ]);
    expect(host.dns.questions.filter((question) => question.includes('nobody-knows-me'))).toEqual([]);
    await host.end('workers', 'SIGTERM');
    await host.start('workers');
  });
});
