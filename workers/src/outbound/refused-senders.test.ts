import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Outcome } from './outcome.ts';
import { SmtpPool } from './smtp-pool.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/**
 * Offers a message to a server with PIPELINING that says these words to MAIL. It has all commands
 * of the envelope by then, and hangs up without a word to the others.
 */
async function offerTo(words: string): Promise<Outcome[]> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mx.remote.test ready\r\n');
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      if (text.startsWith('EHLO')) socket.write('250-mx.remote.test\r\n250 PIPELINING\r\n');
      if (text.startsWith('MAIL')) socket.end(`${words}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const pool = new SmtpPool();
  closers.push(() => pool.close());
  const patience = 30_000;
  const options = {
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    serverName: 'mx.remote.test',
    clientName: 'host.test',
    timeouts: { connect: patience, greeting: patience, silence: patience, judgement: patience, message: patience },
    tls: 'opportunistic',
  } as const;
  const raw = Buffer.from('From: ana@host.test\r\n\r\ntext\r\n');
  return await pool.send(options, { from: 'ana@host.test', to: ['bob@remote.test', 'cai@remote.test'], raw });
}

it('takes the refusal of a sender as final, though the server hangs up right after it', async () => {
  const reply = '550 5.7.1 ana@host.test is blocked here';
  const refused = { kind: 'refused', reason: 'remote_refused', reply, host: 'mx.remote.test' };
  expect(await offerTo(reply)).toMatchObject([refused, refused]);
});

it('keeps the words of a server that puts a sender off and hangs up', async () => {
  const reply = '451 4.7.1 ana@host.test has sent too much, come back later';
  const deferred = { kind: 'next_server', reason: 'remote_deferred', reply };
  expect(await offerTo(reply)).toMatchObject([deferred, deferred]);
});
