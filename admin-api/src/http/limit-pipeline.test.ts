import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import { limitPipeline } from './limit-pipeline.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server with the limit, and a connection to it. */
async function open(listener: (...given: Parameters<RequestListener>) => unknown) {
  const server = createServer((request, response) => void listener(request, response));
  limitPipeline(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  ends.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;

describe('the requests of a connection', () => {
  it('are begun one after another, also one with a body, and answered in their order', async () => {
    let underWay = 0;
    let most = 0;
    const socket = await open(async (request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const body = await text(request);
      await new Promise((resolve) => setImmediate(resolve));
      response.once('finish', () => {
        underWay -= 1;
      });
      response.end(`<${request.url}${body}>`);
    });
    const body = 'x'.repeat(200_000);
    const post = `POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(`${get('/a')}${post}${get('/c')}${get('/d', 'Connection: close\r\n')}`);
    const heard = await text(socket);
    expect([...heard.matchAll(/<(\/\w)/g)].map(([, path]) => path)).toEqual(['/a', '/b', '/c', '/d']);
    expect(heard).toContain(`/b${body}`);
    expect(most).toBe(1);
  });

  it('that still wait when it ends are not begun', async () => {
    const begun: string[] = [];
    let isFirstGone = false;
    const socket = await open((request, response) => {
      begun.push(request.url ?? '');
      response.once('close', () => {
        isFirstGone = true;
      });
    });
    socket.write(get('/a') + get('/b'));
    await until('the first is begun', () => begun.length > 0);
    socket.destroy();
    await until('the first is gone', () => isFirstGone);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['/a']);
  });
});
