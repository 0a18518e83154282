import { readFileSync } from 'node:fs';
import { Delivery } from '@selvage/core/models/delivery';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
const megabyte = 1_048_576;
const limits = { MAX_MESSAGE_BYTES: String(8 * megabyte), MESSAGE_MEMORY_BYTES: String(64 * megabyte) };
let door: Door;
let to: string;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', { environment: limits });
  to = (await buildMailbox(door.app)).user.email;
});

const body = `${'x'.repeat(76)}\r\n`;
const sevenMegabytes = body.repeat((7 * megabyte) / body.length);

/** A peer in the middle of a message: it has sent seven megabytes and goes on no more. */
async function holdMessage(address: string): Promise<SmtpPeer> {
  const peer = await SmtpPeer.open(door.port, { from: address });
  for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) await peer.command(line);
  await peer.write(plainMessage({ from, to, subject: 'held', body: sevenMegabytes }));
  return peer;
}

/** Waits until the door has read all that was sent to it: the kernel may hold megabytes. */
async function untilAllIsRead(): Promise<void> {
  const port = `:${door.port.toString(16).toUpperCase().padStart(4, '0')}`;
  await until('the door has read everything', () => {
    const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'));
    const queues = rows.filter((row) => row.includes(port)).map((row) => row.trim().split(/\s+/)[4]);
    return queues.every((bytes) => bytes === '00000000:00000000');
  });
}

async function deliver(address: string, text?: string): Promise<string> {
  const peer = await SmtpPeer.open(door.port, { from: address });
  const reply = await peer.deliver(from, to, plainMessage({ from, to, subject: 'sent', ...(text && { body: text }) }));
  peer.close();
  return reply;
}

describe('messages that are held in the middle', { timeout: 240_000 }, () => {
  it('take a share of the memory, and leave the rest to other networks', async () => {
    const held = await Promise.all(Array.from({ length: 9 }, () => holdMessage('127.1.0.1')));
    await untilAllIsRead();
    expect(await deliver('127.1.0.2', sevenMegabytes)).toMatch(/^452 4\.3\.1 /);
    expect(await deliver('127.2.0.1', sevenMegabytes)).toMatch(/^250 /);
    // Two of them fit into the share; the others hold nothing any more
    const replies = await Promise.all(held.map((peer) => peer.send('\r\n.\r\n')));
    expect(replies.filter((reply) => reply.startsWith('250 '))).toHaveLength(2);
    expect(replies.filter((reply) => reply.startsWith('452 4.3.1 '))).toHaveLength(7);
    for (const peer of held) peer.close();
  });

  it('give way to the message of another network when many networks fill the memory', async () => {
    const networks = [3, 4, 5, 6, 7].flatMap((network) => [`127.${network}.0.1`, `127.${network}.0.2`]);
    const held = await Promise.all(networks.map((address) => holdMessage(address)));
    expect(await deliver('127.8.0.1', sevenMegabytes)).toMatch(/^250 /);
    for (const peer of held) peer.close();
  });

  it('end when they take too long, and their memory is free', async () => {
    door = await startDoor('main-inbound.ts', { environment: { ...limits, TRANSFER_SECONDS: '15' } });
    to = (await buildMailbox(door.app)).user.email;
    const peer = await holdMessage('127.9.0.1');
    expect(await peer.reply()).toMatch(/^421 4\.4\.2 /);
    expect(await peer.reply()).toBe('');
    const row = await until('the ledger row', () => Delivery.findOne({ where: { remoteHost: '127.9.0.1' } }));
    expect(row).toMatchObject({
      state: 'refused',
      reason: 'timeout',
      lastReply: expect.stringMatching(/^421 4\.4\.2 /),
    });
    await until('room', async () => (await deliver('127.9.0.1', sevenMegabytes)).startsWith('250 '));
  });
});
