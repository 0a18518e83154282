import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { boundFor, readHeldLoop } from '../../../tests/support/event-loop.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { Flood } from '../../../tests/support/flood.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
let door: Door;
let ana: Mailbox;
let to: string;

/** How long the door waits for a silent peer. Honest ones may be slow on a busy machine. */
const patienceSeconds = 10;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', {
    environment: {
      SMTP_CONNECTIONS: '120',
      SMTP_CONNECTIONS_PER_NETWORK: '100',
      FIRST_COMMAND_SECONDS: String(patienceSeconds),
      TLS_HANDSHAKE_SECONDS: String(patienceSeconds),
    },
  });
  ana = await buildMailbox(door.app);
  to = ana.user.email;
});

/**
 * Delivers a message from an address; gives the reply and the milliseconds from the connection to
 * it.
 */
async function deliverTimed(address: string): Promise<{ reply: string; ms: number }> {
  const start = performance.now();
  const peer = await SmtpPeer.open(door.port, { from: address });
  const reply = await peer.deliver(from, to, plainMessage({ from, to, subject: `from ${address}` }));
  peer.close();
  return { reply, ms: performance.now() - start };
}

/** Peers of one network, each at its own address, that may send a message now. */
async function openInData(number: number, network: string): Promise<SmtpPeer[]> {
  const peers = await Promise.all(
    Array.from({ length: number }, (_, index) => SmtpPeer.open(door.port, { from: `${network}.${index + 1}` })),
  );
  for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
    await Promise.all(peers.map((peer) => peer.command(line)));
  }
  return peers;
}

async function hasEndedWithin(peer: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const handle = setTimeout(() => timer.resolve(false), ms);
  const ended = await Promise.race([peer.then(() => true), timer.promise]);
  clearTimeout(handle);
  return ended;
}

/** Bytes of memory that a process has of the machine. */
function memoryOf({ pid }: ChildProcess): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/**
 * What the door says to a peer that does not wait, until it ends the connection or a second is
 * over.
 */
async function answerTo(hasty: string): Promise<string> {
  const socket = connect({ port: door.port, host: '127.0.0.1', localAddress: '127.5.0.1' });
  socket.setTimeout(1000, () => socket.destroy());
  socket.write(hasty, 'latin1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  await once(socket, 'close');
  return heard;
}

describe('a flood of the inbound door', { timeout: 120_000 }, () => {
  it('leaves the door to the others when one address opens a thousand connections', async () => {
    const flood = await Flood.start(door.port, 1000, '127.0.0.2');
    const { reply, ms } = await deliverTimed('127.0.0.1');
    expect(reply).toMatch(/^250 /);
    // It does not wait for the end of the silent ones
    expect(ms).toBeLessThan(patienceSeconds * 1000);
    await until('all but the address may hold are gone', () => flood.open <= 50);
    await until('the silent ones are gone', () => flood.open === 0);
    flood.close();
  });

  it('makes room in a full door at the expense of the network with the most connections', async () => {
    const floods = [await Flood.start(door.port, 50, '127.0.1.1'), await Flood.start(door.port, 50, '127.0.1.2')];
    const quiet = await Promise.all(
      Array.from({ length: 30 }, (_, number) => SmtpPeer.open(door.port, { from: `127.1.${number}.1` })),
    );
    for (const peer of quiet) expect(await peer.command('NOOP')).toMatch(/^250 /);
    expect((await deliverTimed('127.2.0.1')).reply).toMatch(/^250 /);
    for (const peer of quiet) expect(await peer.command('NOOP')).toMatch(/^250 /);
    for (const peer of [...quiet, ...floods]) peer.close();
  });

  it('ends a TLS handshake that does not come to its end', async () => {
    const peer = await SmtpPeer.open(door.port, { from: '127.3.0.1' });
    expect(await peer.command('STARTTLS')).toMatch(/^220 /);
    expect(await hasEndedWithin(peer.reply(), 40_000)).toBe(true);
    peer.close();
  });

  it('counts a connection out that used TLS', async () => {
    for (let round = 0; round < 60; round += 1) {
      const peer = await SmtpPeer.open(door.port, { from: '127.4.0.1' });
      expect(await peer.command('STARTTLS')).toMatch(/^220 /);
      peer.close();
    }
    expect((await deliverTimed('127.4.0.1')).reply).toMatch(/^250 /);
  });

  it.each([
    ['greetings, and reads no answer', 'EHLO flood.test\r\n'],
    ['recipients, and reads no answer', 'RCPT TO:<nobody@nowhere.test>\r\n'],
  ])('goes on with others while a peer sends nothing but %s', async (_what, command) => {
    const health = `http://127.0.0.1:${door.healthPort}/health`;
    const before = await readHeldLoop(health);
    const memory = memoryOf(door.process);
    const flood = connect({ port: door.port, host: '127.0.0.1', localAddress: '127.6.0.1' });
    flood.on('error', () => undefined);
    await once(flood, 'data');
    flood.pause();
    flood.write('EHLO flood.test\r\n');
    const block = Buffer.from(command.repeat(10_000));
    for (let sent = 0; sent < 40_000_000; sent += block.length) flood.write(block);
    for (let round = 0; round < 10; round += 1) expect((await deliverTimed('127.0.0.1')).reply).toMatch(/^250 /);
    const bound = boundFor(0.1);
    expect((await readHeldLoop(health)).longerThan(bound)).toBe(before.longerThan(bound));
    expect(memoryOf(door.process) - memory).toBeLessThan(100_000_000);
    flood.destroy();
  });

  it('goes on with others while many peers send lines of dots', async () => {
    const health = `http://127.0.0.1:${door.healthPort}/health`;
    const peers = await openInData(30, '127.9.0');
    const before = await readHeldLoop(health);
    const dots = '..\r\n'.repeat(300_000);
    const answers = Promise.all(peers.map((peer) => peer.send(`From: ${from}\r\n\r\n${dots}.\r\n`)));
    for (let round = 0; round < 5; round += 1) expect((await deliverTimed('127.0.0.1')).reply).toMatch(/^250 /);
    // Less than all of the memory is for so many at once
    for (const answer of await answers) expect(answer).toMatch(/^(?:250|452) /);
    const bound = boundFor(0.25);
    expect((await readHeldLoop(health)).longerThan(bound)).toBe(before.longerThan(bound));
    for (const one of peers) one.close();
  });

  it('goes on with others while many peers send a line without an end, and refuses their messages', async () => {
    const health = `http://127.0.0.1:${door.healthPort}/health`;
    const peers = await openInData(40, '127.8.0');
    const before = await readHeldLoop(health);
    const written = Promise.all(peers.map((peer) => peer.write(`From: ${from}\r\n\r\n${'a'.repeat(5_000_000)}`)));
    for (let round = 0; round < 5; round += 1) expect((await deliverTimed('127.0.0.1')).reply).toMatch(/^250 /);
    await written;
    const bound = boundFor(0.1);
    expect((await readHeldLoop(health)).longerThan(bound)).toBe(before.longerThan(bound));
    const [peer, other] = peers;
    // The end of the line in two pieces
    await peer?.write('\r');
    expect(await peer?.send('\n.\r\n')).toMatch(/^550 5\.6\.0 A line of the message is too long/);
    expect(await peer?.deliver(from, to, plainMessage({ from, to, subject: 'after it' }))).toMatch(/^250 /);
    expect(await other?.send('.\n.\r\n')).toMatch(/^550 5\.6\.0 Bare LF/);
    for (const one of peers) one.close();
  });

  it.each([
    ['a command', 'EHLO hasty.test\r\n'],
    ['several commands', 'EHLO hasty.test\r\nMAIL FROM:<a@b.test>\r\n'],
    ['the beginning of a command', 'EHL'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01'],
  ])('ends the session of a peer that sends %s before it is greeted', async (_what, hasty) => {
    // On a busy machine the door may greet before this process has sent anything
    await until('the door ends it', async () => /^554 5\.5\.1 [^\r\n]*\r\n$/.test(await answerTo(hasty)));
  });
});
