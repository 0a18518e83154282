import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import Koa from 'koa';
import { expect, it } from 'vitest';
import { readSmallBody } from './read-small-body.ts';

it('calls a body unreadable whose sender hangs up', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const app = new Koa().use((koa) => readSmallBody(koa, { bytes: 1000, ms: 20_000 }).then(resolve, resolve));
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: host.test\r\nContent-Length: 500\r\n\r\n<half of');
  await once(server, 'request');
  socket.resetAndDestroy();
  expect(await promise).toMatchObject({ status: 400, code: 'malformed_body' });
  server.close();
});
