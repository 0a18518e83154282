import type { EmailDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type PolicyServer, say, startPolicyServer, trustedAuthority } from '../../../tests/support/policy-server.ts';
import { stopAtEnd } from '../../../tests/support/end-of-file.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;
let list: PolicyServer;
const heard: string[] = [];

beforeAll(async () => {
  list = await startPolicyServer(trustedAuthority());
  const dns = await startDnsServer({ 'list.test': { A: ['127.0.0.1'] } });
  stopAtEnd(() => dns.stop());
  server = await startTestServer({ environment: { REMOTE_CONTENT_ALLOW_PRIVATE: 'true', DNS_SERVERS: dns.address } });
  ana = await buildMailbox(server.app);
  ({ token } = await server.signIn(ana.user.email, ana.password));
});
beforeEach(() => {
  heard.length = 0;
  list.answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    heard.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(200).end();
  };
});
afterAll(() => list.stop());

const oneClick = () => [
  `List-Unsubscribe: <https://list.test:${list.port}/out?id=7>`,
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
];

async function receive(
  headers: string[],
  { dkim = 'pass', dmarc = 'none', coversOneClick = true } = {},
): Promise<string> {
  const from = `letters-${randomUUID().slice(0, 8)}@remote.example`;
  const raw = [`From: ${from}`, `To: ${ana.user.email}`, `Subject: ${randomUUID()}`, ...headers, '', 'text', ''];
  const { entryIds } = await storeInbound(systemContext(server.app), {
    raw: Buffer.from(raw.join('\r\n')),
    envelopeFrom: from,
    recipients: [{ userId: String(ana.user.id), companyId: String(ana.company.id), address: ana.user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: {
      spf: { result: 'none', domain: null },
      dkim: [{ result: dkim, domain: 'remote.example', selector: 's', coversOneClick }],
      dmarc: { result: dmarc, policy: null, domain: 'remote.example' },
      arc: null,
      header: '',
      temporaryFailure: false,
    },
    traceHeaders: '',
    mailId: randomUUID(),
  });
  return entryIds[0] ?? '';
}

async function wayOut(id: string) {
  const { body } = await server.call('GET', `/mail/get/${id}`, { token });
  return (body.data as EmailDto).unsubscribe;
}
const press = (id: string) => server.call('POST', `/mail/unsubscribe/${id}`, { token });

describe('leaving a list', () => {
  it('takes one request that says nothing else', async () => {
    const id = await receive(oneClick());
    expect(await wayOut(id)).toEqual({ way: 'one_click', to: 'list.test' });
    const answer = await press(id);
    expect([answer.status, answer.body.data]).toEqual([200, { done: true }]);
    expect(heard).toEqual(['POST /out?id=7 List-Unsubscribe=One-Click']);
  });

  it.each([
    ['refuses', say('', {}, 500)],
    ['sends elsewhere', say('', { location: 'https://list.test/' }, 302)],
    ['hangs up', (request: IncomingMessage) => request.socket.destroy()],
  ])('is not done where the server %s', async (_what, answer) => {
    list.answer = answer;
    const refused = await press(await receive(oneClick()));
    expect([refused.status, refused.body.data]).toEqual([200, { done: false }]);
  });

  it('is offered by a message or a page where the sender has no such server', async () => {
    const mailto = 'List-Unsubscribe: <mailto:out@list.test?subject=out>';
    expect(await wayOut(await receive([mailto]))).toEqual({ way: 'mail', to: 'mailto:out@list.test?subject=out' });
    const page = await receive(['List-Unsubscribe: <https://list.test/out>']);
    expect(await wayOut(page)).toEqual({ way: 'page', to: 'https://list.test/out' });
    expect((await press(page)).status).toBe(404);
  });

  it('takes the way of the page where no signature covers the fields for one click', async () => {
    const id = await receive(oneClick(), { coversOneClick: false });
    expect(await wayOut(id)).toEqual({ way: 'page', to: `https://list.test:${list.port}/out?id=7` });
    expect((await press(id)).status).toBe(404);
    const forged = await receive(oneClick(), { dkim: 'fail', dmarc: 'pass' });
    expect(await wayOut(forged)).toMatchObject({ way: 'page' });
    expect(heard).toEqual([]);
  });

  it('is not offered where it is not proved whose message it is, and no server is asked', async () => {
    for (const results of [
      { dkim: 'fail', dmarc: 'fail' },
      { dkim: 'none', dmarc: 'none' },
    ]) {
      const id = await receive(oneClick(), results);
      expect([await wayOut(id), (await press(id)).status]).toEqual([null, 404]);
    }
    expect(await wayOut(await receive([]))).toBeNull();
    expect(heard).toEqual([]);
  });

  it('is not the only thing that a list names: its address is told, unless there is a warning', async () => {
    const post = 'List-Post: <mailto:weavers@list.test>';
    const read = async (id: string) => (await server.call('GET', `/mail/get/${id}`, { token })).body.data as EmailDto;
    expect((await read(await receive([post]))).list_post).toBe('weavers@list.test');
    expect((await read(await receive(['List-Post: NO']))).list_post).toBeNull();
    const doubted = await read(await receive([post], { dkim: 'fail', dmarc: 'fail' }));
    expect([doubted.warnings.length > 0, doubted.list_post]).toEqual([true, null]);
  });

  it('is refused after thirty in an hour', async () => {
    const other = await buildMailbox(server.app);
    const session = await server.signIn(other.user.email, other.password);
    const foreign = await server.call('POST', `/mail/unsubscribe/${await receive(oneClick())}`, session);
    expect(foreign.status).toBe(404);
    const id = await receive(oneClick());
    const statuses = new Set<number>();
    for (let times = 0; times < 31; times++) statuses.add((await press(id)).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
