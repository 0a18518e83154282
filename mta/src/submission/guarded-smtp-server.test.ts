import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { DoorGuard } from '@selvage/core/access/door-guard';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { shuttingDown } from '../reply.ts';
import { GuardedSmtpServer, type NoteOwnRefusal } from './guarded-smtp-server.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function startServer(note: NoteOwnRefusal = () => undefined, options: SMTPServerOptions = {}) {
  const guard = new DoorGuard({
    name: 'submission',
    limits: { perAddress: 10, perNetwork: 10, total: 10 },
    patience: {},
    transferBytesPerSecond: 0,
  });
  const fixed = { disabledCommands: ['STARTTLS'], disableReverseLookup: true };
  const server = new GuardedSmtpServer(guard, note, { ...fixed, ...options });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  ends.push(() => {
    guard.stop();
    server.close();
  });
  return { server, port: (server.server.address() as AddressInfo).port };
}

describe('the server of the submission door', () => {
  it('answers a command whose refusal can not be noted', async () => {
    const { port } = await startServer(() => {
      throw new Error('no room to note it');
    });
    const peer = await SmtpPeer.open(port);
    expect(await peer.command('MAIL FROM:<a@b.test>')).toMatch(/^530 /);
    expect(await peer.command('NOOP')).toMatch(/^250 /);
  });

  it('reads a command as long as smtp-server allows without holding the others up', async () => {
    const { port } = await startServer(undefined, { authOptional: true });
    const peer = await SmtpPeer.open(port);
    for (const path of [`a@${'_'.repeat(16_000)}`, ':'.repeat(16_000)]) {
      for (const name of ['MAIL FROM', 'RCPT TO']) {
        const start = cpuTimeMs();
        expect(await peer.command(`${name}:<${path}\rx`)).toMatch(/^50[13] /);
        expect(cpuTimeMs() - start).toBeLessThan(100);
      }
    }
  });

  it('answers recipients that come at once in one write, in their order', async () => {
    const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) =>
      done(address.startsWith('no') ? Object.assign(new Error(`5.1.1 ${address}`), { responseCode: 550 }) : null);
    const { server, port } = await startServer(undefined, { authOptional: true, onRcptTo });
    const peer = await SmtpPeer.open(port);
    const socket = [...server.connections][0]?._socket;
    if (!socket) throw new Error('the server has no socket of the peer');
    const single = vi.spyOn(socket, '_write');
    const many = vi.spyOn(socket, '_writev');
    expect(await peer.command('MAIL FROM:<a@b.test>')).toMatch(/^250 /);
    expect(single).toHaveBeenCalledTimes(1);
    const names = Array.from({ length: 50 }, (_, index) => `${index % 2 === 0 ? 'yes' : 'no'}-${index}@c.test`);
    const replies = [await peer.send(`${names.map((name) => `RCPT TO:<${name}>\r\n`).join('')}DATA\r\n`)];
    while (replies.length < 51) replies.push(await peer.reply());
    names.forEach((name, index) => {
      expect(replies[index]).toMatch(index % 2 === 0 ? /^250 / : new RegExp(`^550 5\\.1\\.1 ${name}$`));
    });
    expect(replies[50]).toMatch(/^354 /);
    expect([single.mock.calls.length, many.mock.calls.length]).toEqual([1, 1]);
    // Nothing is held back from the replies that come later
    expect(await peer.send('Subject: a\r\n\r\ntext\r\n.\r\n')).toMatch(/^250 /);
  });

  it('says goodbye to a connection that is not greeted yet', async () => {
    const { server, port } = await startServer();
    const peer = SmtpPeer.open(port, { helo: null });
    // Each turn of the event loop: a moment later it would be greeted
    while (server.connections.size === 0) await setImmediate();
    expect([...server.connections][0]?.session).not.toHaveProperty('envelope');
    server.endIdle(shuttingDown);
    expect(await (await peer).reply()).toBe('');
    expect(server.connections.size).toBe(0);
  });
});
