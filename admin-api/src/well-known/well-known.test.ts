import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { type DnsServer, startDnsServer } from '../../../tests/support/dns-server.ts';
import { buildCompany, buildMailbox, type Tenant } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let dns: DnsServer;
let tenant: Tenant;

beforeAll(async () => {
  dns = await startDnsServer({ 'mx.host.test': { A: ['192.0.2.1'] } });
  const environment = {
    SELVAGE_HOSTNAME: 'mx.host.test',
    SELVAGE_URL: 'https://mx.host.test',
    PUBLIC_SUBMISSION_PORT: '587',
    PUBLIC_SUBMISSIONS_PORT: '465',
    MTA_STS_MODE: 'enforce',
    DNS_SERVERS: dns.address,
  };
  server = await startTestServer({ environment });
  tenant = await buildCompany(server.app);
});

afterAll(async () => await dns.stop());

/** A verified domain, changed by some columns. */
async function domainWith(changes: Partial<Domain> = {}, company = tenant): Promise<string> {
  const domainName = `mill${randomBytes(6).toString('hex')}.test`;
  await Domain.create({ companyId: String(company.company.id), domainName, verifiedAt: new Date(), ...changes });
  return domainName;
}

interface Reply {
  status: number;
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

interface Request {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request with any Host header, which `fetch` does not take. */
function ask(path: string, { method = 'GET', host, headers = {}, body = '' }: Request = {}): Promise<Reply> {
  const url = new URL(path, server.url);
  const all = { ...headers, ...(host === undefined ? {} : { host }) };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: all }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      text(response).then((said) => resolve({ status, body: said, headers: answered }), reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const policyPath = '/.well-known/mta-sts.txt';
const policy = 'version: STSv1\r\nmode: enforce\r\nmx: mx.host.test\r\nmax_age: 604800\r\n';
const askPolicy = (host: string) => ask(policyPath, { host });

describe('the MTA-STS policy', () => {
  it('is answered at the name of a hosted domain, as RFC 8461 3.2 has it', async () => {
    const { status, body, headers } = await askPolicy(`mta-sts.${await domainWith()}`);
    expect([status, body]).toEqual([200, policy]);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=300');
  });

  it('is answered in any way that a Host header writes the name', async () => {
    const name = await domainWith();
    const ways = [`MTA-STS.${name.toUpperCase()}`, `mta-sts.${name}.`, `mta-sts.${name}:443`, `mta-sts.${name}.:8443`];
    const answers = await Promise.all(ways.map(askPolicy));
    expect(answers.map(({ body }) => body)).toEqual(ways.map(() => policy));
    const head = await ask(policyPath, { host: `mta-sts.${name}`, method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('is answered for no domain that is not verified, deleted, switched off or of a deleted company', async () => {
    const gone = await buildCompany(server.app);
    const away = await buildCompany(server.app);
    const names = await Promise.all([
      domainWith({ verifiedAt: null }),
      domainWith({ deletedAt: new Date() }),
      domainWith({ activeStatus: false }),
      domainWith({}, gone),
      domainWith({}, away),
    ]);
    await Company.update({ deletedAt: new Date() }, { where: { id: gone.company.id } });
    await Company.update({ activeStatus: false }, { where: { id: away.company.id } });
    const answers = await Promise.all(names.map((name) => askPolicy(`mta-sts.${name}`)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404));
  });

  it('is answered at no other name', async () => {
    const name = await domainWith();
    const hosts = [
      name,
      `www.${name}`,
      `autoconfig.${name}`,
      `mta-sts.x.${name}`,
      `mta-sts..${name}`,
      `mta-sts.${name}..`,
      `mta-sts.${name}:x`,
      `mta-sts.${name}/`,
      `mta-sts.${name}, other.test`,
      `mta-sts.${name}' OR '1'='1`,
      'mta-sts.google.test',
      'mta-sts.',
      'mta-sts.test',
      'mta-sts.[::1]',
      'mta-sts.127.0.0.1',
      '127.0.0.1',
      '[::1]:80',
      '.',
      ':',
      '%00',
      `mta-sts.${'a'.repeat(64)}.test`,
      `mta-sts.${'a.'.repeat(4000)}test`,
      'mta-sts.\u00e9.test',
      '__proto__.constructor.test',
    ];
    for (const host of hosts) expect([host, (await askPolicy(host)).status]).toEqual([host, 404]);
  });

  it('is refused and nothing breaks where there is no Host header, or two', async () => {
    const name = await domainWith();
    const send = (lines: string[]) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
          socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
        });
        text(socket).then((answer) => resolve(answer.split('\r\n')[0] ?? ''), reject);
      });
    expect(await send([`GET ${policyPath} HTTP/1.0`])).toBe('HTTP/1.1 404 Not Found');
    expect(await send([`GET ${policyPath} HTTP/1.1`])).toBe('HTTP/1.1 400 Bad Request');
    const two = await send([`GET ${policyPath} HTTP/1.1`, 'Host: other.test', `Host: mta-sts.${name}`]);
    expect(two).toMatch(/^HTTP\/1\.1 40[04] /);
    expect((await askPolicy(`mta-sts.${name}`)).status).toBe(200);
  });

  it('is not looked up again within seconds, neither what is hosted nor what is not', async () => {
    const [hosted, waiting] = await Promise.all([domainWith(), domainWith({ verifiedAt: null })]);
    const statuses = () =>
      Promise.all([hosted, waiting].map(async (name) => (await askPolicy(`mta-sts.${name}`)).status));
    expect(await statuses()).toEqual([200, 404]);
    await Domain.update({ deletedAt: new Date() }, { where: { domainName: hosted } });
    await Domain.update({ verifiedAt: new Date() }, { where: { domainName: waiting } });
    expect(await statuses()).toEqual([200, 404]);
    // After half a minute it is, also when the wall clock was an hour ahead and was put right
    const [real, wallClock] = [performance.now.bind(performance), Date.now()];
    vi.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
    vi.useFakeTimers({ toFake: ['Date'], now: wallClock - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers().restoreAllMocks());
    expect(await statuses()).toEqual([404, 200]);
  });

  it('leaves the API and its own names alone', async () => {
    const name = await domainWith();
    const live = await ask('/health/live', { host: `mta-sts.${name}` });
    const captcha = await ask('/api/v1/captcha', { host: 'any.name.test' });
    expect([live.status, captcha.status]).toEqual([200, 200]);
    expect((await ask(policyPath, { host: `mta-sts.${name}`, method: 'POST' })).status).toBe(404);
  });
});

const outgoing = (xml: string) =>
  [...xml.matchAll(/<hostname>(.*?)<\/hostname>\s*<port>(\d+)<\/port>\s*<socketType>(\w+)</g)].map((one) =>
    one.slice(1),
  );

describe('the settings for mail programs (autoconfig)', () => {
  const path = '/mail/config-v1.1.xml';

  it('name the servers for sending and the webmail, and no server for fetching mail', async () => {
    const name = await domainWith();
    const { status, body, headers } = await ask(path, { host: `autoconfig.${name}` });
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(outgoing(body)).toEqual([
      ['mx.host.test', '465', 'SSL'],
      ['mx.host.test', '587', 'STARTTLS'],
    ]);
    expect(body).toContain(`<emailProvider id="${name}">\n    <domain>${name}</domain>`);
    expect(body).toContain('<username>%EMAILADDRESS%</username>');
    expect(body).toContain('<loginPage url="https://mx.host.test/"/>');
    expect(body).not.toMatch(/incoming|imap|pop3/i);
  });

  it('are the same at each address, for people who exist and people who do not', async () => {
    const name = await domainWith();
    const { user } = await buildMailbox(server.app, { tenant });
    const own = user.email.slice(user.email.indexOf('@') + 1);
    const known = await ask(`${path}?emailaddress=${encodeURIComponent(user.email)}`);
    const unknown = await ask(`${path}?emailaddress=nobody-at-all@${own}`);
    expect([known.status, known.body]).toEqual([200, unknown.body]);
    const [byHost, byAddress, byPath] = await Promise.all([
      ask(path, { host: `autoconfig.${name}` }),
      ask(`${path}?emailaddress=Ann%40${name.toUpperCase()}`, { host: 'mx.host.test' }),
      ask(`/.well-known/autoconfig${path}`, { host: `AUTOCONFIG.${name}.:80` }),
    ]);
    expect([byAddress.body, byPath.body]).toEqual([byHost.body, byHost.body]);
  });

  it.each([
    '?emailaddress=ann@google.test',
    '?emailaddress=',
    '?emailaddress=@',
    '?emailaddress=ann',
    '?emailaddress=%00@%00',
    '?emailaddress=a@b@c',
    `?emailaddress=${'a'.repeat(5000)}@b.test`,
    '?emailaddress=a@x.test&emailaddress=b@x.test',
    '?emailaddress[x]=ann@google.test',
    '',
  ])('are answered to no other question: %s', async (query) => {
    expect((await ask(`${path}${query}`)).status).toBe(404);
  });

  it('are not for a domain that was only typed and never proved', async () => {
    const name = await domainWith({ verifiedAt: null });
    expect((await ask(path, { host: `autoconfig.${name}` })).status).toBe(404);
    expect((await ask(`${path}?emailaddress=ann@${name}`)).status).toBe(404);
  });
});

const requestFor = (address: string) => `<?xml version="1.0" encoding="utf-8"?>
<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006">
  <Request>
    <EMailAddress>${address}</EMailAddress>
    <AcceptableResponseSchema>http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a</AcceptableResponseSchema>
  </Request>
</Autodiscover>`;

describe('the settings for Outlook (autodiscover)', () => {
  const path = '/autodiscover/autodiscover.xml';
  const post = (body: string, at = path) =>
    ask(at, { method: 'POST', body, headers: { 'content-type': 'text/xml; charset=utf-8' } });
  const servers = (xml: string) =>
    [...xml.matchAll(/<Type>(.*?)<\/Type>\s*<Server>(.*?)<\/Server>\s*<Port>(\d+)</g)].map((one) => one.slice(1));

  it('name the servers for sending alone, with the address as the user name', async () => {
    const name = await domainWith();
    const { status, body, headers } = await post(requestFor(`Ann@${name}`));
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(servers(body)).toEqual([
      ['SMTP', 'mx.host.test', '465'],
      ['SMTP', 'mx.host.test', '587'],
    ]);
    expect(body.split(`<LoginName>Ann@${name}</LoginName>`)).toHaveLength(3);
    expect(body).not.toMatch(/imap|pop3|mobilesync/i);
  });

  it('are found in the ways that Outlook writes the path, and for addresses that do not exist', async () => {
    const { user } = await buildMailbox(server.app, { tenant });
    const unknown = user.email.replace(/^[^@]+/, 'nobody');
    const [known, none] = await Promise.all([
      post(requestFor(user.email), '/Autodiscover/Autodiscover.xml'),
      post(requestFor(unknown), '/AUTODISCOVER/autodiscover.XML'),
    ]);
    expect(known.status).toBe(200);
    expect(none.body.replaceAll(unknown, user.email)).toBe(known.body);
  });

  it('escape what stands in the address', async () => {
    const name = await domainWith();
    const { status, body } = await post(requestFor(`o&apos;hara&amp;co@${name}`));
    expect(status).toBe(200);
    expect(body).toContain(`<LoginName>o&apos;hara&amp;co@${name}</LoginName>`);
  });

  it('expand no entity', async () => {
    const name = await domainWith();
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${entities}]>`;
    const start = cpuTimeMs();
    const inside = await post(`${bomb}${requestFor('&l9;')}`);
    const before = await post(`${bomb}${requestFor(`&l9;@${name}`)}`);
    expect(cpuTimeMs() - start).toBeLessThan(2000);
    expect(inside.status).toBe(400);
    expect(before.body).not.toContain('lol');
    const file = `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${requestFor(`&f;@${name}`)}`;
    expect((await post(file)).body).not.toContain('root:');
  });

  it.each([
    ['nothing', '', 400],
    ['no address', requestFor(''), 400],
    ['a text', 'hello', 400],
    ['JSON', '{"EMailAddress":"ann@x.test"}', 400],
    ['an element that does not end', `<EMailAddress>${'a'.repeat(6000)}`, 400],
    ['many elements that do not end', '<EMailAddress> '.repeat(500), 400],
    ['an element in the address', requestFor('<b>ann@x.test</b>'), 400],
    ['bytes that are no UTF-8', '\u0000'.repeat(100), 400],
    ['an address of another host', requestFor('ann@google.test'), 404],
    ['8 KiB and a byte', requestFor('ann@google.test').padEnd(8193), 413],
    ['a megabyte', requestFor('ann@google.test').padEnd(1_048_576), 413],
  ])('are not given to %s', async (_what, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it('are not given to bytes that are no text, and to no GET', async () => {
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: Buffer.from([0xff, 0xfe, 0xfd]) });
    expect(answer.status).toBe(400);
    expect((await ask(path)).status).toBe(404);
  });
});

describe('the names that the reverse proxy gets certificates for', () => {
  const askName = (name: string, headers: Record<string, string> = {}) =>
    ask(`/internal/certificate-names?domain=${encodeURIComponent(name)}`, { headers, host: 'admin-api:8080' });

  it('are those of verified domains whose DNS leads here', async () => {
    const name = await domainWith();
    dns.addRecords(`mta-sts.${name}`, { A: ['192.0.2.1'] });
    dns.addRecords(`autoconfig.${name}`, { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
    dns.addRecords(`www.${name}`, { A: ['192.0.2.1'] });
    const answers = await Promise.all(
      ['mta-sts', 'AUTOCONFIG', 'www', 'mx'].map(async (prefix) => (await askName(`${prefix}.${name}`)).status),
    );
    expect(answers).toEqual([200, 200, 404, 404]);
  });

  it('are the name of the host, and no other of its domain', async () => {
    const { hostname } = server.app.config;
    const answers = await Promise.all(
      [hostname, hostname.toUpperCase(), `x.${hostname}`, `x${hostname}`].map(
        async (name) => (await askName(name)).status,
      ),
    );
    expect(answers).toEqual([200, 200, 404, 404]);
  });

  it('are no names that lead elsewhere, or nowhere, or of which the DNS says nothing', async () => {
    const name = await domainWith();
    dns.addRecords(`mta-sts.${name}`, { A: ['192.0.2.99'] });
    expect((await askName(`mta-sts.${name}`)).status).toBe(404);
    expect((await askName(`autoconfig.${name}`)).status).toBe(404);
    const silent = await domainWith();
    dns.addRecords(`mta-sts.${silent}`, 'SERVFAIL');
    expect((await askName(`mta-sts.${silent}`)).status).toBe(503);
  });

  it('are no names of domains that are not hosted, whose DNS is not asked either', async () => {
    const name = await domainWith({ verifiedAt: null });
    dns.addRecords(`mta-sts.${name}`, { A: ['192.0.2.1'] });
    dns.questions.splice(0);
    for (const one of [`mta-sts.${name}`, name, '', 'mta-sts.google.test', `mta-sts.${'x'.repeat(400)}.test`]) {
      expect([one, (await askName(one)).status]).toEqual([one, 404]);
    }
    expect(dns.questions).toEqual([]);
  });

  it('are told to the proxy alone, and not to those that it hands on', async () => {
    const name = await domainWith();
    dns.addRecords(`mta-sts.${name}`, { A: ['192.0.2.1'] });
    expect((await askName(`mta-sts.${name}`, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404);
    expect((await askName(`mta-sts.${name}`)).status).toBe(200);
  });
});
