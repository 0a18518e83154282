import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askStranger, type StrangersRequest } from './ask-stranger.ts';

let port = 0;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  asked.length = 0;
  answer = (_request, response) => response.end('hello');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const loopback = { a: () => Promise.resolve(['127.0.0.1']), aaaa: () => Promise.resolve([]) };

async function ask(url: string, changes: Partial<StrangersRequest> = {}) {
  return await askStranger({
    url: url.replace('PORT', String(port)),
    signal: AbortSignal.timeout(30_000),
    mayBePlain: true,
    redirects: 3,
    headers: {},
    resolver: loopback,
    mayBePrivate: true,
    ...changes,
  });
}

describe('askStranger', () => {
  it('tells a server nothing of the person for whom it is asked', async () => {
    const response = await ask('http://a.test:PORT/x?y=1#z');
    expect(response.statusCode).toBe(200);
    response.destroy();
    const [request] = asked;
    expect([request?.method, request?.url]).toEqual(['GET', '/x?y=1']);
    const names = Object.keys(request?.headers ?? {}).toSorted();
    expect(names).toEqual(['accept-encoding', 'connection', 'host', 'user-agent']);
    expect(request?.headers.host).toBe(`a.test:${port}`);
  });

  it('posts a form when there is one', async () => {
    let body = '';
    answer = async (request, response) => {
      for await (const piece of request) body += String(piece);
      response.end();
    };
    (await ask('http://a.test:PORT/', { form: 'List-Unsubscribe=One-Click' })).resume();
    expect([asked[0]?.method, body]).toEqual(['POST', 'List-Unsubscribe=One-Click']);
    expect(asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://169.254.169.254/latest/meta-data',
    'http://a.test/',
    'http://a.test./',
    'https://a.test/',
  ])('does not ask %s, which leads into this network', async (url) => {
    await expect(ask(url, { mayBePrivate: false })).rejects.toThrow('private address');
  });

  it.each([
    ['ftp://a.test/', 'not an address of the web'],
    ['file:///etc/passwd', 'not an address of the web'],
    ['http://a.test:25/', 'not a port of the web'],
    ['https://a.test:6379/', 'not a port of the web'],
    ['http://me:secret@a.test/', 'has a password'],
  ])('does not ask %s', async (url, reason) => {
    await expect(ask(url, { mayBePrivate: false })).rejects.toThrow(reason);
  });

  it('asks no server plainly where that will not do', async () => {
    await expect(ask('http://a.test:PORT/', { mayBePlain: false })).rejects.toThrow('not an address of the web');
  });

  it('follows three redirects and judges each of them', async () => {
    answer = (request, response) => {
      const step = Number(request.url?.slice(1));
      if (step > 0) response.writeHead(302, { location: `/${step - 1}`, 'set-cookie': 'a=b' });
      response.end('there');
    };
    const response = await ask('http://a.test:PORT/3');
    expect([response.statusCode, asked.length]).toEqual([200, 4]);
    expect(asked.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined)).toBe(true);
    response.destroy();
    await expect(ask('http://a.test:PORT/4')).rejects.toThrow('too many redirects');
  });

  it.each(['file:///etc/passwd', 'gopher://a.test/', 'http://u:p@a.test/'])('follows no redirect to %s', async (to) => {
    answer = (_request, response) => response.writeHead(302, { location: to }).end();
    await expect(ask('http://a.test:PORT/')).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it('connects to the address that was judged, whatever a second look-up would say', async () => {
    let looks = 0;
    const resolver = { ...loopback, a: () => Promise.resolve(looks++ === 0 ? ['127.0.0.1'] : ['192.0.2.1']) };
    (await ask('http://a.test:PORT/', { resolver })).destroy();
    expect([looks, asked.length]).toEqual([1, 1]);
  });

  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['hangs up', ''],
    ['says something else than HTTP', 'SSH-2.0-x\r\n'],
  ])('ends when the server %s', async (_name, text) => {
    answer = ({ socket }) => socket.end(text);
    await expect(ask('http://a.test:PORT/')).rejects.toThrow();
  });

  it('ends with its time, also while names are looked up and while the server is silent', async () => {
    answer = () => undefined;
    const signal = () => AbortSignal.timeout(100);
    await expect(ask('http://a.test:PORT/', { signal: signal() })).rejects.toThrow('took too long');
    const silent = { a: () => new Promise<never>(() => undefined), aaaa: () => Promise.resolve([]) };
    await expect(ask('http://a.test/', { signal: signal(), resolver: silent })).rejects.toThrow('took too long');
  });
});
