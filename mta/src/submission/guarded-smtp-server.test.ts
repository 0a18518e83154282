import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { DoorGuard } from '@selvage/core/access/door-guard';
import { afterEach, describe, expect, it } from 'vitest';
import { SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { shuttingDown } from '../reply.ts';
import { GuardedSmtpServer, type NoteOwnRefusal } from './guarded-smtp-server.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function startServer(note: NoteOwnRefusal = () => undefined) {
  const guard = new DoorGuard({
    name: 'submission',
    limits: { perAddress: 10, perNetwork: 10, total: 10 },
    patience: {},
    transferBytesPerSecond: 0,
  });
  const server = new GuardedSmtpServer(guard, note, { disabledCommands: ['STARTTLS'], disableReverseLookup: true });
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
