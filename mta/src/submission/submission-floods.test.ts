import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { Flood } from '../../../tests/support/flood.ts';
import { plainMessage, SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

let door: Door;
let ana: Mailbox;
let own: string;

/** How long the door waits for a silent peer. Honest ones may be slow on a busy machine. */
const patienceSeconds = 10;

beforeAll(async () => {
  door = await startDoor('main-submission.ts', {
    environment: {
      FIRST_COMMAND_SECONDS: String(patienceSeconds),
      TLS_HANDSHAKE_SECONDS: String(patienceSeconds),
      LOGIN_SECONDS: String(2 * patienceSeconds),
    },
  });
  ana = await buildMailbox(door.app);
  own = ana.user.email;
});

/**
 * Sends a message from an address; gives the reply and the milliseconds from the connection to it.
 */
async function submitTimed(address: string): Promise<{ reply: string; ms: number }> {
  const start = performance.now();
  const peer = await SmtpPeer.open(door.securePort, { tls: true, from: address });
  await peer.signIn(own, ana.password);
  const message = plainMessage({ from: own, to: 'r@remote.test', subject: `from ${address}` });
  const reply = await peer.deliver(own, 'r@remote.test', message);
  peer.close();
  return { reply, ms: performance.now() - start };
}

/** The first bytes of a TLS handshake: a record that announces 512 bytes and brings one. */
const startOfHandshake = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]);

describe('a flood of the submission doors', { timeout: 180_000 }, () => {
  it.each([
    ['465', 'securePort', null],
    ['465, each with the start of a handshake', 'securePort', startOfHandshake],
    ['587', 'port', null],
  ] as const)(
    'leaves mail programs their way in when one address opens a thousand connections to %s',
    async (_what, port, bytes) => {
      await submitTimed('127.0.0.1');
      const flood = await Flood.start(door[port], 1000, '127.0.0.2');
      if (bytes) flood.write(bytes);
      const { reply, ms } = await submitTimed('127.0.0.1');
      expect(reply).toMatch(/^250 /);
      // It does not wait for the end of the silent ones
      expect(ms).toBeLessThan(patienceSeconds * 1000);
      await until('the silent ones are gone', () => flood.open === 0);
      flood.close();
    },
  );

  it('ends a STARTTLS handshake that does not come to its end', async () => {
    const peer = await SmtpPeer.open(door.port, { from: '127.3.0.1' });
    expect(await peer.command('STARTTLS')).toMatch(/^220 /);
    const start = performance.now();
    expect(await peer.reply()).toBe('');
    expect(performance.now() - start).toBeLessThan(40_000);
  });

  it('ends a session that does not log in', async () => {
    const peer = await SmtpPeer.open(door.securePort, { tls: true, from: '127.3.0.1' });
    expect(await peer.reply()).toMatch(/^421 4\.4\.2 /);
  });

  it.each(
    ['EHLO hasty.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<a@b.test>'].flatMap((line) => [
      { line, port: 'port', number: 587, tls: false } as const,
      { line, port: 'securePort', number: 465, tls: true } as const,
    ]),
  )('ends no more than the session of a peer that says $line to $number before it is greeted', async (hasty) => {
    const options = { from: '127.3.0.1', helo: null, tls: hasty.tls, hasty: `${hasty.line}\r\n` };
    // On a busy machine the door may greet before this process has sent anything
    await until('the door ends it', async () => {
      const peer = await SmtpPeer.open(door[hasty.port], options);
      const reply = await peer.reply();
      peer.close();
      return reply === '';
    });
    expect((await submitTimed('127.3.0.1')).reply).toMatch(/^250 /);
  });

  it('counts what is logged in by account: an address may have as many as its people', async () => {
    const people = [ana, await buildMailbox(door.app), await buildMailbox(door.app)];
    const peers: SmtpPeer[] = [];
    for (const { user, password } of people) {
      const own = await Promise.all(
        Array.from({ length: 30 }, () => SmtpPeer.open(door.securePort, { tls: true, from: '127.6.0.1' })),
      );
      for (const peer of own) expect(await peer.signIn(user.email, password)).toMatch(/^235 /);
      peers.push(...own);
    }
    for (const peer of peers) peer.close();
  });
});

describe('a mail program that reconnects', { timeout: 180_000 }, () => {
  it('gets in with twenty connections at once however often it comes back', async () => {
    const comeBack = async () => {
      const peers = await Promise.all(
        Array.from({ length: 20 }, () => SmtpPeer.open(door.securePort, { tls: true, from: '127.7.0.1' })),
      );
      const replies = await Promise.all(peers.map((peer) => peer.signIn(own, ana.password)));
      for (const peer of peers) peer.close();
      return replies.filter((reply) => reply.startsWith('235 ')).length;
    };
    // More often than there are guesses in the window
    for (let restart = 0; restart < 15; restart += 1) expect(await comeBack()).toBe(20);
    expect(await door.app.redis.keys('rate:submission-*')).toEqual([]);
  });
});
