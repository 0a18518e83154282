import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodePassword } from '@selvage/core/contracts/fields';
import type { App } from '@selvage/core/context/app';
import type { Server as RealtimeServer } from 'socket.io';
import { afterAll } from 'vitest';
import { startTestApp, testApp, testEnvironment } from '../../tests/support/test-app.ts';
import { SessionEvents } from './auth/session-events.ts';
import { createApp } from './create-app.ts';
import { guardHttp } from './http/guard-http.ts';
import { prepareUploads } from './http/uploads.ts';
import { createWorkQueue } from './http/work-queue.ts';
import { attachRealtime, mayUpgrade } from './realtime/attach-realtime.ts';
import { webmailRoot } from './static/webmail-root.ts';
import { watchWebVersion } from './static/web-version.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown> & { errors?: Record<string, string>; data?: unknown };
  headers: Headers;
}

/** The API of the host of a test file, on a port of its own. */
export interface TestServer {
  app: App;
  url: string;
  io: RealtimeServer;
  call(
    method: string,
    path: string,
    options?: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  captcha(): Promise<{ captcha_token: string; captcha_text: string }>;
  signIn(email: string, password: string): Promise<{ token: string; refreshToken: string }>;
}

export async function startTestServer(
  options: { graceMs?: number; lookMs?: number; environment?: NodeJS.ProcessEnv; webRoot?: string } = {},
): Promise<TestServer> {
  const app = options.environment ? await startTestApp(await testEnvironment(options.environment)) : await testApp();
  await prepareUploads(app.config);
  const sessionEvents = new SessionEvents();
  const work = createWorkQueue(app.config);
  const webVersion = watchWebVersion(options.webRoot ?? webmailRoot);
  const handle = createApp(app, { sessionEvents, work, webVersion, ...options }).callback();
  // The client closes idle connections. If the server did, it could close one while the client
  // sends the next request on it
  const listening = { keepAliveTimeout: 0, shouldUpgradeCallback: mayUpgrade };
  const server = createServer(listening, (request, response) => void handle(request, response));
  const io = attachRealtime(server, app, { sessionEvents, work }, { webVersion, ...options });
  guardHttp(server, app.config);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(async () => {
    server.closeAllConnections();
    await io.close();
  });
  return clientOf(app, server, io);
}

function clientOf(app: App, server: Server, io: RealtimeServer): TestServer {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client: TestServer = {
    app,
    url,
    io,
    call: async (method, path, { token, body, headers = {} } = {}) => {
      const isRaw = typeof body === 'string' || body instanceof FormData;
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers };
    },
    captcha: async () => {
      const { body } = await client.call('GET', '/captcha');
      const captcha_token = String(body['captcha_token']);
      return { captcha_token, captcha_text: (await app.redis.get(`captcha:${captcha_token}`)) ?? '' };
    },
    signIn: async (email, password) => {
      const credentials = { email, password: encodePassword(password), ...(await client.captcha()) };
      const { body } = await client.call('POST', '/user/login', { body: credentials });
      const { token = '', refreshToken = '' } = body as { token?: string; refreshToken?: string };
      return { token, refreshToken };
    },
  };
  return client;
}
