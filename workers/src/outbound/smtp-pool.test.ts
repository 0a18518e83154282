import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../tests/support/certificates.ts';
import { trustedAuthority } from '../../../tests/support/policy-server.ts';
import { type RemoteServer, startRemoteServer } from '../../../tests/support/remote-server.ts';
import { until } from '../../../tests/support/until.ts';
import { SmtpPool } from './smtp-pool.ts';
import { type Outcome, TransferCut } from './outcome.ts';
import type { SessionOptions } from './session-options.ts';
import type { Envelope } from './smtp-session.ts';

type ServerOptions = NonNullable<Parameters<typeof startRemoteServer>[0]>;

/** For servers that answer: a crowded machine may keep them from it for seconds. */
const patient = { connect: 30_000, greeting: 30_000, silence: 30_000, judgement: 50_000, message: 50_000 };
const raw = Buffer.from('From: ana@host.test\r\nSubject: hello\r\n\r\nfirst line\r\n.a line with a dot\r\n');
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function failure(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

async function remote(options: ServerOptions = {}): Promise<RemoteServer> {
  const server = await startRemoteServer(options);
  closers.push(() => server.stop());
  return server;
}

function newPool(idleMs?: number): SmtpPool {
  const pool = new SmtpPool(idleMs === undefined ? {} : { idleMs });
  closers.push(() => pool.close());
  return pool;
}

function to(port: number, changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    address: '127.0.0.1',
    port,
    serverName: 'mx.remote.test',
    clientName: 'host.test',
    timeouts: patient,
    tls: 'opportunistic',
    ...changes,
  };
}

const envelope = { from: 'ana@host.test', to: ['bob@remote.test'], raw };

/** What came of a message with one recipient. */
async function sendOne(pool: SmtpPool, options: SessionOptions, message: Envelope): Promise<Outcome> {
  const [outcome, ...more] = await pool.send(options, message);
  if (!outcome || more.length > 0) throw new Error('one recipient has one outcome');
  return outcome;
}

/** A server of plain sockets, for what a correct server never does. */
async function rawServer(onConnection: (socket: Socket, count: number) => void): Promise<{ port: number }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    count += 1;
    onConnection(socket, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
}

/** A port whose queue of new connections is full, so the kernel drops whatever else comes. */
async function machineThatDropsConnections(): Promise<{ port: number }> {
  const program = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 },
    () => process.stdout.write(server.address().port + '\\n', () => process.kill(process.pid, 'SIGSTOP')))`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  closers.push(() => child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  closers.push(() => waiting.forEach((socket) => socket.destroy()));
  await until('the queue is full', () => waiting.filter(({ connecting }) => !connecting).length >= 2);
  return { port };
}

/** Answers each command line by its first word. A command that the script lacks gets no answer. */
function speak(socket: Socket, script: Record<string, string>, onData?: () => void): void {
  socket.write('220 mx.remote.test ready\r\n');
  let isData = false;
  socket.on('data', (chunk: Buffer) => {
    if (isData) {
      if (onData) onData();
      else if (chunk.toString().endsWith('\r\n.\r\n')) {
        isData = false;
        socket.write('250 2.0.0 taken\r\n');
      }
      return;
    }
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      const word = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
      const answer = script[word];
      if (answer) socket.write(`${answer}\r\n`);
      if (word === 'DATA' && answer?.startsWith('354')) isData = true;
    }
  });
}

const polite = { EHLO: '250 mx.remote.test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', RSET: '250 ok' };

describe('SmtpPool', () => {
  it('sends a message as it is and keeps the words of the server', async () => {
    const server = await remote();
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome).toMatchObject({ kind: 'accepted', reason: 'remote_accepted', host: 'mx.remote.test' });
    expect(outcome.reply).toMatch(/^250 /);
    expect(server.received[0]).toMatchObject({ from: 'ana@host.test', to: ['bob@remote.test'] });
    expect(server.received[0]?.raw.toString()).toBe(raw.toString());
  });

  it('gives up on a server that never ends its answer to EHLO', async () => {
    const { port } = await rawServer((socket) => {
      socket.write('220 mx.remote.test ready\r\n');
      const timer = setInterval(() => socket.write('250-mx.remote.test\r\n'), 200);
      socket.on('close', () => clearInterval(timer));
    });
    const options = to(port, { timeouts: { ...patient, message: 3000 } });
    const outcome = await sendOne(newPool(), options, envelope);
    expect(outcome).toMatchObject({ kind: 'next_server', reason: 'timeout' });
  });

  it.each(['\r\n', ' \r\n', '250-ok\r\n'])(
    'takes no more than a little of a server that says %j without an end',
    async (word) => {
      const block = word.repeat(20_000);
      let said = 0;
      const { port } = await rawServer((socket) => {
        const say = () => {
          while (said < 60_000_000 && !socket.destroyed) {
            said += block.length;
            if (!socket.write(block)) return;
          }
        };
        speak(socket, { ...polite, RCPT: '' });
        socket.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('RCPT')) say();
        });
        socket.on('drain', say);
      });
      const outcome = await sendOne(newPool(), to(port), envelope);
      expect(outcome).toMatchObject({ kind: 'next_server', reason: 'connection_failed' });
      expect(said).toBeLessThan(30_000_000);
    },
  );

  it('encrypts when the server offers it, whatever its certificate is worth', async () => {
    const server = await remote();
    await sendOne(newPool(), to(server.port), envelope);
    expect(server.received[0]?.secure).toBe(true);
  });

  it('refuses a server it cannot trust when encryption is required', async () => {
    const server = await remote();
    const outcome = await sendOne(newPool(), to(server.port, { tls: 'required' }), envelope);
    expect(outcome.kind).toBe('next_server');
    expect(server.received).toHaveLength(0);
  });

  it.each(['required', 'implicit'] as const)('says that a server was checked when %s TLS reached it', async (tls) => {
    const authority = trustedAuthority();
    const server = await remote({
      ...makeCertificate('mx.remote.test', { by: authority }),
      secure: tls === 'implicit',
    });
    const outcome = await sendOne(newPool(), to(server.port, { tls }), envelope);
    expect(outcome).toMatchObject({ kind: 'accepted', tls: { state: 'relay', protocol: 'TLSv1.3' } });
  });

  it('sends in the clear when the TLS handshake fails', async () => {
    let isSecond = false;
    const server = await rawServer((socket, count) => {
      isSecond = count === 2;
      speak(socket, { ...polite, EHLO: '250-mx.remote.test\r\n250 STARTTLS', STARTTLS: '220 go' });
      // What follows the 220 is no TLS
      if (count === 1) socket.on('data', (chunk: Buffer) => chunk[0] === 0x16 && socket.end('not TLS at all\r\n'));
    });
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    const tls = { state: 'none', protocol: null };
    expect(outcome).toMatchObject({ kind: 'accepted', reply: '250 2.0.0 taken', tls });
    expect(isSecond).toBe(true);
  });

  it('may ask again a server that takes nothing in the clear when the TLS handshake fails', async () => {
    const { port } = await rawServer((socket) => {
      const broken = () => socket.destroy();
      const words = { EHLO: '250-mx\r\n250 STARTTLS', STARTTLS: '220 go', MAIL: '530 5.7.0 STARTTLS first' };
      speak(socket, { ...polite, ...words });
      socket.on('data', (chunk) => chunk.toString().startsWith('STARTTLS') && setImmediate(broken));
    });
    const outcome = await sendOne(newPool(), to(port), envelope);
    expect(outcome).toMatchObject({ kind: 'next_server', reply: '530 5.7.0 STARTTLS first' });
  });

  it('sends several messages through one connection', async () => {
    let connections = 0;
    const server = await remote({ onConnect: (_session, done) => done(void (connections += 1)) });
    const pool = newPool();
    for (let i = 0; i < 3; i += 1) expect((await sendOne(pool, to(server.port), envelope)).kind).toBe('accepted');
    expect(connections).toBe(1);
    expect(server.received).toHaveLength(3);
  });

  it('sends nothing through an idle connection once it was told to cut its connections', async () => {
    const server = await remote();
    const pool = newPool();
    await sendOne(pool, to(server.port), envelope);
    pool.abandon();
    await expect(pool.send(to(server.port), envelope)).rejects.toEqual(new TransferCut(false));
    expect(server.received).toHaveLength(1);
  });

  it('does not begin to send what was still being made fit for the server when it had to cut', async () => {
    let said = '';
    const server = await rawServer((socket) => {
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
      speak(socket, polite);
    });
    const pool = newPool();
    const form = Promise.withResolvers<{ raw: Buffer }>();
    let isAsked = false;
    const sevenBit = () => {
      isAsked = true;
      return form.promise;
    };
    const sending = Promise.allSettled([pool.send(to(server.port), { ...envelope, sevenBit })]);
    await until('the message is being made fit', () => isAsked);
    pool.abandon();
    form.resolve({ raw });
    expect(await sending).toEqual([{ status: 'rejected', reason: new TransferCut(false) }]);
    expect(said).not.toContain('MAIL');
  });

  it('goes on through the same connection after a refused recipient', async () => {
    let connections = 0;
    const server = await remote({
      onConnect: (_session, done) => done(void (connections += 1)),
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('no') ? failure(550, '5.1.1 unknown') : null),
    });
    const pool = newPool();
    const refused = await sendOne(pool, to(server.port), { ...envelope, to: ['nobody@remote.test'] });
    expect(refused).toMatchObject({ kind: 'refused', reason: 'remote_refused', reply: '550 5.1.1 unknown' });
    expect((await sendOne(pool, to(server.port), envelope)).kind).toBe('accepted');
    expect(connections).toBe(1);
  });

  it.each([
    ['one after the other', '250 mx.remote.test'],
    ['ahead', '250-mx.remote.test\r\n250 PIPELINING'],
  ])('asks again on a new connection when an old one takes no further MAIL, commands %s', async (_how, greeting) => {
    const froms: string[][] = [];
    const { port } = await rawServer((socket) => {
      const own: string[] = [];
      froms.push(own);
      const words = { ...polite, EHLO: greeting };
      socket.prependListener('data', (chunk: Buffer) => {
        for (const [, from = ''] of chunk.toString().matchAll(/^MAIL FROM:<([^>]*)>/gm)) {
          own.push(from);
          const isMore = own.length > 1 || from.startsWith('banned');
          words.MAIL = isMore ? '550 5.7.0 Too many messages on this connection' : '250 ok';
          words.RCPT = isMore ? '503 5.5.1 MAIL first' : '250 ok';
          words.DATA = isMore ? '503 5.5.1 MAIL first' : '354 go on';
        }
      });
      speak(socket, words);
    });
    const pool = newPool();
    expect(await sendOne(pool, to(port), { ...envelope, from: 'first@host.test' })).toMatchObject({ kind: 'accepted' });
    expect(await sendOne(pool, to(port), { ...envelope, from: 'second@host.test' })).toMatchObject({
      kind: 'accepted',
    });
    const banned = await sendOne(pool, to(port), { ...envelope, from: 'banned@host.test' });
    expect(banned).toMatchObject({ kind: 'refused', reply: '550 5.7.0 Too many messages on this connection' });
    expect(froms).toEqual([
      ['first@host.test', 'second@host.test'],
      ['second@host.test', 'banned@host.test'],
      ['banned@host.test'],
    ]);
  });

  it('opens a new connection when the server hung up on the idle one', async () => {
    const sockets: Socket[] = [];
    const server = await rawServer((socket) => {
      sockets.push(socket);
      speak(socket, polite);
    });
    const pool = newPool();
    await sendOne(pool, to(server.port), envelope);
    sockets[0]?.destroy();
    expect((await sendOne(pool, to(server.port), envelope)).kind).toBe('accepted');
    expect(sockets).toHaveLength(2);
  });

  it('sends QUIT to a server that it has nothing more for', async () => {
    let closed = 0;
    const server = await remote({ onClose: () => void (closed += 1) });
    await sendOne(newPool(20), to(server.port), envelope);
    expect(await until('the idle connection is closed', () => closed === 1)).toBe(true);
  });

  it('lets another server be asked when this one defers before the data, but not when it defers after it', async () => {
    const before = await remote({ onMailFrom: (_address, _session, done) => done(failure(451, '4.7.1 greylisted')) });
    const early = await sendOne(newPool(), to(before.port), envelope);
    expect(early).toMatchObject({ kind: 'next_server', reason: 'remote_deferred', reply: '451 4.7.1 greylisted' });
    const after = await remote({
      onData: (stream, _session, done) => stream.resume().on('end', () => done(failure(452, '4.2.2 full'))),
    });
    const late = await sendOne(newPool(), to(after.port), envelope);
    expect(late).toMatchObject({ kind: 'deferred', reason: 'remote_deferred', reply: '452 4.2.2 full' });
  });

  it('takes a refusal after the data as final', async () => {
    const server = await remote({
      onData: (stream, _session, done) => stream.resume().on('end', () => done(failure(554, '5.7.1 spam'))),
    });
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome).toMatchObject({ kind: 'refused', reply: '554 5.7.1 spam' });
  });

  it('refuses a message larger than the server announces, without sending it', async () => {
    const server = await remote({ size: 50 });
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'message_too_large', host: null });
  });

  it('does not give up a message that a server may have taken with words that are no reply of SMTP', async () => {
    const server = await rawServer((socket) => speak(socket, polite, () => socket.write('Thank you\r\n')));
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome).toMatchObject({ kind: 'deferred', reply: 'Thank you' });
  });

  it('sends no message to a server whose replies are not those to its commands', async () => {
    let said = '';
    const server = await rawServer((socket) => {
      socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
      // It would refuse the message. Its reply to RCPT would be read as that to the message
      const refuse = () => socket.write('554 5.7.1 spam\r\n');
      speak(socket, { ...polite, MAIL: '250 ok\r\n250 ok\r\n250 ok' }, refuse);
    });
    const pool = newPool();
    for (let i = 0; i < 2; i += 1) {
      const outcome = await sendOne(pool, to(server.port), envelope);
      expect(outcome).toMatchObject({ kind: 'next_server', reply: 'Unexpected reply to DATA: 250 ok' });
    }
    expect(said).not.toContain('first line');
    expect(said.match(/EHLO/g)).toHaveLength(2);
  });

  it('counts a connection that breaks within the data as not delivered yet', async () => {
    const server = await rawServer((socket) => speak(socket, polite, () => socket.destroy()));
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome).toMatchObject({ kind: 'deferred', reason: 'connection_failed' });
  });

  it('gives up on a server that stops answering, and lets the next one be asked', async () => {
    const server = await rawServer((socket) => speak(socket, { EHLO: polite.EHLO, MAIL: polite.MAIL }));
    const options = to(server.port, { timeouts: { ...patient, silence: 3000 } });
    const outcome = await sendOne(newPool(), options, envelope);
    expect(outcome).toMatchObject({ kind: 'next_server', reason: 'timeout' });
  });

  it('lets the next server be asked when one hangs up before the message has begun to leave', async () => {
    const server = await rawServer((socket) => {
      speak(socket, { ...polite, RCPT: '' });
      socket.on('data', (chunk: Buffer) => chunk.toString().includes('RCPT') && socket.end());
    });
    expect(await sendOne(newPool(), to(server.port), envelope)).toMatchObject({ kind: 'next_server' });
  });

  it('asks no other server when one hangs up that may have the message', async () => {
    const server = await rawServer((socket) => speak(socket, polite, () => socket.end()));
    expect(await sendOne(newPool(), to(server.port), envelope)).toMatchObject({ kind: 'deferred' });
  });

  it('gives a large message the time that a slow line takes', async () => {
    const server = await remote({
      onData: (stream, _session, done) => {
        stream.on('end', () => done(null, 'kept'));
        // Longer than a small message may take
        setTimeout(() => stream.resume(), 4000);
      },
    });
    const large = { ...envelope, raw: Buffer.concat([raw, Buffer.alloc(30_000_000, 'a line\r\n')]) };
    const options = to(server.port, { tls: 'none', timeouts: { ...patient, message: 3000 } });
    expect(await sendOne(newPool(), options, large)).toMatchObject({ kind: 'accepted' });
  });

  it('waits for the answer to the message longer than for others', async () => {
    const server = await rawServer((socket) => {
      let isAnswered = false;
      speak(socket, polite, () => {
        if (!isAnswered) setTimeout(() => socket.write('250 2.0.0 taken\r\n'), 6000);
        isAnswered = true;
      });
    });
    const pool = newPool();
    const options = to(server.port, { timeouts: { ...patient, silence: 3000 } });
    expect(await sendOne(pool, options, envelope)).toMatchObject({ kind: 'accepted' });
    const hasty = to(server.port, { timeouts: { ...patient, silence: 3000, judgement: 4000 } });
    expect(await sendOne(newPool(), hasty, envelope)).toMatchObject({ kind: 'deferred', reason: 'timeout' });
  });

  it.each(['250 2.0.0 taken', '552 5.3.4 too large'])(
    'ends the connection of a server that says %j while it has not read all of the message',
    async (answer) => {
      let isGone = false;
      const server = await rawServer((socket) => {
        speak(socket, { ...polite, DATA: '' });
        socket.on('close', () => (isGone = true));
        socket.on('data', (chunk: Buffer) => {
          if (!chunk.toString().includes('DATA')) return;
          socket.pause();
          socket.write(`354 go on\r\n${answer}\r\n`);
          // It hears that the connection has ended only when it reads
          setTimeout(() => socket.resume(), 1000);
        });
      });
      const large = { ...envelope, raw: Buffer.concat([raw, Buffer.alloc(30_000_000, 'a line\r\n')]) };
      const outcome = await sendOne(newPool(), to(server.port), large);
      expect(outcome.kind).toBe(answer.startsWith('250') ? 'deferred' : 'refused');
      await until('the connection has ended', () => isGone);
    },
  );

  it('lets the next server be asked when one does not greet, refuses the connection or greets with 5xx', async () => {
    const silent = await rawServer(() => undefined);
    const hasty = to(silent.port, { timeouts: { ...patient, greeting: 1000, silence: 1000 } });
    expect(await sendOne(newPool(), hasty, envelope)).toMatchObject({
      kind: 'next_server',
      reason: 'timeout',
      reply: 'Greeting never received',
    });
    const rude = await rawServer((socket) => socket.end('554 5.3.2 not today\r\n'));
    expect(await sendOne(newPool(), to(rude.port), envelope)).toMatchObject({ kind: 'next_server' });
    const server = await startRemoteServer();
    await server.stop();
    const gone = await sendOne(newPool(), to(server.port), envelope);
    expect(gone).toMatchObject({ kind: 'next_server', reason: 'connection_failed' });
  });

  it('waits for a greeting as long as it may take, and no longer for a machine that does not answer', async () => {
    const late = await rawServer((socket) => setTimeout(() => speak(socket, polite), 7500));
    const connecting = (connect: number) => ({ timeouts: { ...patient, connect } });
    expect(await sendOne(newPool(), to(late.port, connecting(5000)), envelope)).toMatchObject({ kind: 'accepted' });
    const full = await machineThatDropsConnections();
    const outcome = await sendOne(newPool(), to(full.port, connecting(1000)), envelope);
    expect(outcome).toMatchObject({ kind: 'next_server', reason: 'timeout', reply: 'Connection timeout' });
  });

  it('does not offer an internationalised address to a server without SMTPUTF8', async () => {
    const server = await rawServer((socket) => speak(socket, polite));
    const outcome = await sendOne(newPool(), to(server.port), { ...envelope, to: ['bjørn@remote.test'] });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'remote_lacks_extension',
      reply: expect.stringContaining('5.6.7'),
      host: null,
    });
  });

  it('keeps control characters of a reply out of the ledger', async () => {
    const server = await rawServer((socket) =>
      speak(socket, { ...polite, RCPT: '550-first\u0007 line\r\n550 <img src=x onerror=alert(1)>\u202e' }),
    );
    const outcome = await sendOne(newPool(), to(server.port), envelope);
    expect(outcome.reply).toMatch(/^550-first line 550 <img src=x onerror=alert\(1\)>$/);
  });
});
