import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let upstream: Server;
let server: TestServer;
let token: string;
let asked: string[] = [];
let reply: (response: ServerResponse) => void;

const found = [{ Status: 'Success', PostOffice: [{ Name: 'A', Division: 'Surat', State: 'Gujarat' }] }];
const json = (body: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(body));

beforeAll(async () => {
  upstream = createServer((request, response) => {
    asked.push(request.url ?? '');
    reply(response);
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  server = await startTestServer({ environment: { POSTAL_CODE_URL: `http://127.0.0.1:${port}/pincode/` } });
  const { user, password } = await buildMailbox(server.app);
  token = (await server.signIn(user.email, password)).token;
});

afterAll(() => upstream.closeAllConnections());
beforeEach(() => {
  asked = [];
  reply = json(found);
});

const lookUp = (pin: string) => server.call('GET', `/postal-code/${pin}`, { token });

describe('the look-up of a postal code', () => {
  it('asks the configured server once, and answers from memory then', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await lookUp('395003');
      expect([status, body.data]).toEqual([200, { city: 'Surat', state: 'Gujarat', country: 'India' }]);
    }
    expect(asked).toEqual(['/pincode/395003']);
  });

  it.each(['{"city":"Su', 'null', '{"town":"Surat"}'])('asks anew when Redis keeps %s', async (damaged) => {
    await server.app.redis.set('postal-code:395004', damaged);
    for (let n = 0; n < 2; n += 1) expect((await lookUp('395004')).body.data).toMatchObject({ city: 'Surat' });
    expect(asked).toEqual(['/pincode/395004']);
  });

  it.each(['012345', '12345', '1234567', 'abcdef', '..%2Fx'])('refuses %s without asking', async (pin) => {
    expect((await lookUp(pin)).status).toBe(422);
    expect(asked).toEqual([]);
  });

  it('says when there is no such code', async () => {
    reply = json([{ Status: 'Error', PostOffice: null }]);
    const { status, body } = await lookUp('999999');
    expect([status, body['code']]).toEqual([404, 'postal_code_not_found']);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['hangs', () => undefined],
    ['answers 500', (response) => void response.writeHead(500).end()],
    ['answers no JSON', (response) => void response.end('<html>')],
    ['answers another shape', json({ Status: 'Success' })],
    ['answers without end', (response) => void response.end('x'.repeat(300_000))],
    ['sends elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['hangs up', (response) => void response.destroy()],
  ])('says that it is out of reach when its server %s', async (_what, misbehave) => {
    reply = misbehave;
    const { status, body } = await lookUp('110001');
    expect([status, body['code']]).toEqual([503, 'postal_code_unavailable']);
  });
});
