import type { EmailDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { Turns } from './turns.ts';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 1)]);
let api: TestServer;
let ana: Mailbox;
let token: string;
let origin: string;
const asked: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
const sender = createServer((request, response) => {
  asked.push(request);
  answer(request, response);
});

beforeAll(async () => {
  api = await startTestServer({ environment: { REMOTE_CONTENT_ALLOW_PRIVATE: 'true' } });
  ana = await buildMailbox(api.app);
  ({ token } = await api.signIn(ana.user.email, ana.password));
  await new Promise<void>((resolve) => sender.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(sender.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png);
});
afterAll(() => {
  sender.closeAllConnections();
  sender.close();
});

async function receive(html: string, changes: { dmarc?: string; from?: string; to?: Mailbox } = {}): Promise<string> {
  const { dmarc = 'none', from = 'news@remote.test', to = ana } = changes;
  const lines = [`From: News <${from}>`, `To: ${to.user.email}`, 'Subject: News', 'MIME-Version: 1.0'];
  const raw = [...lines, 'Content-Type: text/html; charset=utf-8', '', html, ''].join('\r\n');
  const { entryIds } = await storeInbound(systemContext(api.app), {
    raw: Buffer.from(raw),
    envelopeFrom: from,
    recipients: [{ userId: String(to.user.id), companyId: String(to.company.id), address: to.user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: {
      spf: { result: 'none', domain: null },
      dkim: [],
      dmarc: { result: dmarc, policy: null, domain: 'remote.test' },
      arc: null,
      header: '',
      temporaryFailure: false,
    },
    traceHeaders: '',
    mailId: randomUUID(),
  });
  return entryIds[0] ?? '';
}

async function open(id: string): Promise<EmailDto> {
  const { status, body } = await api.call('GET', `/mail/get/${id}`, { token });
  expect(status).toBe(200);
  return body.data as EmailDto;
}

const at = (path: string, url: string) => fetch(`${api.url}${path}?url=${encodeURIComponent(url)}`);

describe('a remote picture', () => {
  it('is fetched by the server, which tells its sender nothing of the reader', async () => {
    const url = `${origin}/a.png?id="1"&x=<2>`;
    const { images_path, body } = await open(await receive(`<img src='${url}'>`));
    expect(body).toContain('data-remote-src="http://');
    const written = new URL(url).href;
    const headers = { cookie: 'secret=1', referer: 'https://host.test/', 'user-agent': 'My browser' };
    const answered = await fetch(`${api.url}${images_path}?url=${encodeURIComponent(written)}`, { headers });
    expect(answered.status).toBe(200);
    expect(Buffer.from(await answered.arrayBuffer())).toEqual(png);
    const said = ['content-type', 'x-content-type-options', 'cache-control', 'content-disposition'];
    expect(said.map((name) => answered.headers.get(name))).toEqual([
      'image/png',
      'nosniff',
      'private, max-age=86400',
      'inline; filename="picture"',
    ]);
    expect(answered.headers.get('content-security-policy')).toContain('sandbox');
    expect(JSON.stringify(asked[0]?.headers)).not.toMatch(/secret|host\.test|My browser/);
  });

  it('is fetched only if it stands in that message', async () => {
    const { images_path } = await open(await receive(`<img src="${origin}/a.png"><a href="${origin}/b.png">b</a>`));
    for (const url of [`${origin}/b.png`, `${origin}/a.png?x`, `${origin}/`, '', 'file:///etc/passwd']) {
      expect([url, (await at(images_path, url)).status]).toEqual([url, 404]);
    }
    const twice = await fetch(`${api.url}${images_path}?url=${origin}/a.png&url=${origin}/b.png`);
    expect(twice.status).toBe(404);
    expect((await at(images_path.replace('/remote/', '/frame/'), `${origin}/a.png`)).status).toBe(404);
    expect((await at(`${images_path}x`, `${origin}/a.png`)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a page', 'image/png', '<html><script>alert(1)</script></html>'],
    ['a drawing', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['nothing', 'image/png', ''],
  ])('is not %s, whatever the server says that it is', async (_what, type, content) => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': type }).end(content);
    const { images_path } = await open(await receive(`<img src="${origin}/odd">`));
    const answered = await at(images_path, `${origin}/odd`);
    expect([answered.status, await answered.text()]).toEqual([404, expect.not.stringContaining('<')]);
  });

  it('is not an error, and no cached lie', async () => {
    answer = (_request, response) => response.writeHead(500).end(png);
    const { images_path } = await open(await receive(`<img src="${origin}/away">`));
    const answered = await at(images_path, `${origin}/away`);
    expect([answered.status, answered.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('has at most ten megabytes, as announced or as sent', async () => {
    const { images_path } = await open(await receive(`<img src="${origin}/large">`));
    answer = (_request, response) => response.writeHead(200, { 'content-length': '20000000' }).end(png);
    expect((await at(images_path, `${origin}/large`)).status).toBe(404);
    answer = (_request, response) => {
      response.write(png);
      for (let sent = 0; sent < 12; sent++) response.write(Buffer.alloc(1_048_576));
      response.end();
    };
    const broken = at(images_path, `${origin}/large`).then((answered) => answered.arrayBuffer());
    await expect(broken).rejects.toThrow();
  });

  it('waits for its turn, so that one person asks for six at once', async () => {
    let running = 0;
    let most = 0;
    answer = (_request, response) => {
      most = Math.max(most, ++running);
      setImmediate(() => setImmediate(() => response.end(png, () => (running -= 1))));
    };
    const urls = Array.from({ length: 40 }, (_, index) => `${origin}/${index}.png`);
    const { images_path } = await open(await receive(urls.map((url) => `<img src="${url}">`).join('')));
    const answers = await Promise.all(urls.map(async (url) => (await (await at(images_path, url)).bytes()).length));
    expect(answers.every((length) => length === png.length)).toBe(true);
    expect(most).toBeLessThanOrEqual(6);
    expect(asked).toHaveLength(40);
  });

  it('holds nothing up as one of very many, of which the first are shown', async () => {
    const many = Array.from({ length: 140_000 }, (_, index) => `<img src=//a/${index.toString(36)}>\n`);
    const id = await receive(`<img src="${origin}/a.png">\n<img alt=' data-remote-src="x"'>${many.join('')}`);
    const { frame_path, images_path } = await open(id);
    let page = '';
    const longest = await longestTurn(async () => {
      await open(id);
      page = await (await fetch(`${api.url}${frame_path}?images=1`)).text();
      await (await at(images_path, `${origin}/a.png`)).bytes();
      await (await at(images_path, 'https://a/none')).bytes();
    });
    expect(longest).toBeLessThan(100);
    expect(page.match(/ src="\/upload\/remote\//g)).toHaveLength(2000);
    expect((await at(images_path, `https://a/${(139_000).toString(36)}`)).status).toBe(404);
    expect(asked).toHaveLength(1);
  });

  it('is no longer fetched for a person that may not log in', async () => {
    const other = await buildMailbox(api.app, { tenant: ana });
    const session = await api.signIn(other.user.email, other.password);
    const id = await receive(`<img src="${origin}/a.png">`, { to: other });
    const { body } = await api.call('GET', `/mail/get/${id}`, { token: session.token });
    const { images_path } = body.data as EmailDto;
    expect((await at(images_path, `${origin}/a.png`)).status).toBe(200);
    await other.user.update({ loginAllowed: false });
    expect((await at(images_path, `${origin}/a.png`)).status).toBe(404);
  });
});

describe('a client that does not read its pictures', () => {
  const large = Buffer.concat([png, Buffer.alloc(9 * 1_048_576)]);
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  /** Asks for pictures and reads none. */
  function ask(path: string, urls: readonly string[]): Socket[] {
    const { port, host } = new URL(api.url);
    const asking = urls.map((url) => {
      const client = connect(Number(port), '127.0.0.1').pause();
      client.on('error', () => client.destroy());
      client.write(`GET ${path}?url=${encodeURIComponent(url)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      return client;
    });
    clients.push(...asking);
    return asking;
  }

  const urlsOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${origin}/${name}${at}.png`);
  const shown = (urls: readonly string[]) => urls.map((url) => `<img src="${url}">`).join('');
  const wasAsked = (name: string) => asked.filter(({ url }) => url?.startsWith(`/${name}`)).length;

  it('leaves turns of the same host to other people', async () => {
    answer = (request, response) => response.end(request.url?.startsWith('/large') ? large : png);
    const urls = urlsOf('large', 12);
    const { images_path } = await open(await receive(shown(urls)));
    ask(images_path, urls);
    await until('the person has all turns of one person', () => wasAsked('large') === 6);
    const other = await buildMailbox(api.app, { tenant: ana });
    const session = await api.signIn(other.user.email, other.password);
    const id = await receive(shown([`${origin}/other.png`]), { to: other });
    const { body } = await api.call('GET', `/mail/get/${id}`, { token: session.token });
    const arrived = await at((body.data as EmailDto).images_path, `${origin}/other.png`);
    expect((await arrived.bytes()).length).toBe(png.length);
    expect(wasAsked('large')).toBe(6);
  });

  it('loses its turns in time', async () => {
    answer = (request, response) => response.end(request.url?.startsWith('/slow') ? large : png);
    const urls = urlsOf('slow', 6);
    const { images_path } = await open(await receive(shown([...urls, `${origin}/last.png`])));
    const { config } = api.app;
    const { transferSeconds } = config;
    config.transferSeconds = 1;
    try {
      ask(images_path, urls);
      await until('the person has all turns of one person', () => wasAsked('slow') === 6);
      expect((await (await at(images_path, `${origin}/last.png`)).bytes()).length).toBe(png.length);
    } finally {
      config.transferSeconds = transferSeconds;
    }
  });

  it('waits for no turn any more when it disconnects', async () => {
    answer = (request, response) => response.end(request.url?.startsWith('/held') ? large : png);
    const [held, waiting] = [urlsOf('held', 6), urlsOf('waiting', 20)];
    const { images_path } = await open(await receive(shown([...held, ...waiting, `${origin}/last.png`])));
    const holding = ask(images_path, held);
    await until('the person has all turns of one person', () => wasAsked('held') === 6);
    const take = vi.spyOn(Turns.prototype, 'take');
    const leaving = ask(images_path, waiting);
    await until('the others wait', () => take.mock.calls.length === waiting.length);
    for (const client of leaving) client.destroy();
    await until('the server knows that they left', () => take.mock.calls.every(([, , gone]) => gone.aborted));
    for (const client of holding) client.destroy();
    expect((await (await at(images_path, `${origin}/last.png`)).bytes()).length).toBe(png.length);
    expect(wasAsked('waiting')).toBe(0);
    vi.restoreAllMocks();
  });
});

describe('a host that is not in a network of its own', () => {
  it('fetches no picture from it', async () => {
    const { remoteContentAllowPrivate: before } = api.app.config;
    const { images_path } = await open(await receive(`<img src="${origin}/inner.png">`));
    api.app.config.remoteContentAllowPrivate = false;
    const answered = await at(images_path, `${origin}/inner.png`);
    api.app.config.remoteContentAllowPrivate = before;
    expect([answered.status, asked]).toEqual([404, []]);
  });
});

describe('the pictures of a sender', () => {
  const html = () => `<img src="${origin}/a.png">`;
  const choices = async () =>
    (await api.call('GET', '/mailsetting/image_senders/get/all', { token })).body.data as {
      _id: string;
      address: string;
    }[];

  it('are always shown for a chosen sender, where the message is proved to be from that sender', async () => {
    const proved = await receive(html(), { dmarc: 'pass', from: 'Letters@remote.test' });
    expect(await open(proved)).toMatchObject({ may_always_show_images: true, always_shows_images: false });
    const add = (id: string) => api.call('POST', '/mailsetting/image_senders/add', { token, body: { email_id: id } });
    expect([(await add(proved)).status, (await add(proved)).status]).toEqual([200, 200]);
    expect((await open(proved)).always_shows_images).toBe(true);
    const later = await receive(html(), { dmarc: 'pass', from: 'letters@remote.test' });
    expect((await open(later)).always_shows_images).toBe(true);
    for (const dmarc of ['fail', 'none', 'temperror']) {
      const forged = await receive(html(), { dmarc, from: 'letters@remote.test' });
      const shown = await open(forged);
      expect(shown).toMatchObject({ may_always_show_images: false, always_shows_images: false });
      expect((await add(forged)).status).toBe(422);
    }
    const other = await receive(html(), { dmarc: 'pass', from: 'other@remote.test' });
    expect((await open(other)).always_shows_images).toBe(false);
    const [choice, ...more] = await choices();
    expect([choice?.address, more]).toEqual(['letters@remote.test', []]);
    const remove = await api.call('DELETE', `/mailsetting/image_senders/delete/${choice?._id}`, { token });
    expect([remove.status, await choices()]).toEqual([200, []]);
    expect((await open(later)).always_shows_images).toBe(false);
  });
});
