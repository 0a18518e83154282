import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { DoorGuard } from './door-guard.ts';
import { guardServer } from './guard-server.ts';

it('ends a connection that the server fails to take, and goes on with others', async () => {
  let taken = 0;
  const server = createServer((socket) => {
    taken += 1;
    // What Haraka does where no more files can be opened
    if (taken === 1) throw new Error('EMFILE: too many open files');
    socket.end('welcome');
  });
  const limits = { perAddress: 3, perNetwork: 5, total: 8 };
  const guard = new DoorGuard({ name: 'test', limits, patience: {}, transferBytesPerSecond: 0 });
  guardServer(server, guard, { first: 'silent', lastWords: null });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await text(connect(port, '127.0.0.1'))).toBe('');
  expect(await text(connect(port, '127.0.0.1'))).toBe('welcome');
  server.close();
  guard.stop();
});
