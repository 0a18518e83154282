import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@selvage/core/process/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import { createApp } from '../create-app.ts';

const picture = Buffer.alloc(3_000_000, 7);
const video = Buffer.from(Array.from({ length: 2_000_000 }, (_, at) => at % 251));
const servers: Server[] = [];
let top: string;
let webRoot: string;
let site: string;
let url: string;

/** A host with this public site. It shares the database of the file. */
async function startWith(publicSite: Config['publicSite']): Promise<string> {
  const app = await testApp();
  const handle = createApp({ ...app, config: { ...app.config, publicSite } }, { webRoot }).callback();
  // The client ends a connection that is idle. If the server did, it could meet the next request
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'selvage-site-'));
  [webRoot, site] = [join(top, 'web'), join(top, 'site')];
  for (const folder of ['web', 'site/blog', 'site/auth', 'site/api', 'site/.git']) {
    await mkdir(join(top, folder), { recursive: true });
  }
  await writeFile(join(webRoot, 'index.html'), '<div id="root">the app</div>');
  await writeFile(join(webRoot, 'favicon.svg'), '<svg>the app</svg>');
  const files = {
    'index.html': `<h1>Our mill</h1>${'<p>yarn</p>'.repeat(100)}`,
    'about.html': '<h1>About</h1>',
    'blog/index.html': '<h1>Blog</h1>',
    'grün & blau.txt': 'dyes',
    'style.css': 'h1 { color: green } '.repeat(50),
    'favicon.svg': '<svg>the site</svg>',
    'auth/sign-in.html': 'a false login',
    'api/captcha': 'a false captcha',
    '.git/config': 'hidden',
    '.env': 'hidden',
    'picture.png': picture,
    'video.mp4': video,
    'short.mp4': video.subarray(0, 1000),
    '../secret.html': 'secret',
    '../site-secret': 'secret',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(site, name), text);
  await symlink('../secret.html', join(site, 'leak.html'));
  await symlink(top, join(site, 'up'));
  await symlink('about.html', join(site, 'same.html'));
  await symlink('loop', join(site, 'loop'));
  execFileSync('mkfifo', [join(site, 'pipe')]);
  url = await startWith({ directory: site, isNamed: true });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(top, { recursive: true, force: true });
});

/** A browser that has the file asks so; `fetch` alone would ask for it as new. */
const asPage = { accept: 'text/html', 'cache-control': 'max-age=0' };
const ask = (path: string, headers: Record<string, string> = {}, at = url, method = 'GET') =>
  fetch(`${at}${path}`, { method, redirect: 'manual', headers: { ...asPage, ...headers } });
const textAt = async (path: string, at = url) => await (await ask(path, {}, at)).text();

/** What the server answers to a path that `fetch` would change before it asks. */
async function rawAnswer(path: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n`);
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

describe('the public site', () => {
  it('has the start page, pages without their ending, and files with names of any letters', async () => {
    expect(await textAt('/')).toContain('Our mill');
    for (const path of ['/about', '/about.html', '/same']) expect(await textAt(path)).toBe('<h1>About</h1>');
    expect(await textAt('/blog/')).toBe('<h1>Blog</h1>');
    expect(await textAt(`/${encodeURIComponent('grün & blau.txt')}`)).toBe('dyes');
  });

  it('leads each page to one address, never to another host', async () => {
    const leads = { '/index.html?a=1': '/?a=1', '/about/': '/about', '/blog': '/blog/' };
    for (const [path, to] of Object.entries(leads)) {
      const answer = await ask(path);
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, to]);
    }
    expect(await rawAnswer('//about/')).not.toMatch(/^location:/im);
  });

  it('tells browsers to run its own scripts alone, to call no server, and to ask for pages again', async () => {
    const page = await ask('/');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self';.*connect-src 'none'/,
    );
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect((await ask('/style.css')).headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('answers HEAD, and 304 to a browser that has the file', async () => {
    for (const path of ['/', '/style.css', '/picture.png']) {
      const [whole, head] = [await ask(path), await ask(path, {}, url, 'HEAD')];
      const bytes = (await whole.arrayBuffer()).byteLength;
      expect(bytes).toBeGreaterThan(0);
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
      const etag = whole.headers.get('etag') ?? '';
      expect([path, (await ask(path, { 'if-none-match': etag })).status]).toEqual([path, 304]);
      const since = whole.headers.get('last-modified') ?? '';
      expect((await ask(path, { 'if-modified-since': since })).status).toBe(304);
      expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  it('compresses what gets smaller, with a tag of its own for each form', async () => {
    const tags = new Set<string | null>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await ask('/', { 'accept-encoding': encoding });
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      tags.add(answer.headers.get('etag'));
      expect(await answer.text()).toContain('Our mill');
    }
    expect(tags.size).toBe(3);
    expect((await ask('/picture.png', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBeNull();
  });

  it('sends a large file as it is', async () => {
    const body = Buffer.from(await (await ask('/picture.png')).arrayBuffer());
    expect(body.equals(picture)).toBe(true);
  });

  it('sends the part of a file that a browser asks for, as for a video', async () => {
    const ask = async (path: string, range: string, headers = {}) => {
      const answer = await fetch(`${url}${path}`, { headers: { range, 'accept-encoding': 'identity', ...headers } });
      return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
    };
    for (const [path, size] of [
      ['/video.mp4', 2_000_000],
      ['/short.mp4', 1000],
    ] as const) {
      const first = await ask(path, 'bytes=0-1');
      expect([first.status, [...first.bytes]]).toEqual([206, [0, 1]]);
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'video/mp4',
        'content-range': `bytes 0-1/${size}`,
        'content-length': '2',
        'accept-ranges': 'bytes',
      });
      const later = await ask(path, `bytes=${size - 300}-`, { 'if-range': first.headers.get('etag') });
      expect([later.status, later.bytes.length, later.bytes[0]]).toEqual([206, 300, (size - 300) % 251]);
      expect((await ask(path, 'bytes=0-1', { 'if-range': '"another"' })).bytes.length).toBe(size);
      const beyond = await ask(path, `bytes=${size}-`);
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    }
    // A part of the compressed form would be of no use
    const packed = await ask('/style.css', 'bytes=0-1', { 'accept-encoding': 'gzip' });
    expect([packed.status, packed.bytes.length]).toEqual([200, 1000]);
  });

  it('leaves to the app what is its own, also where the folder has a file of that name', async () => {
    for (const path of ['/auth/sign-in', '/dashboard/inbox', '/start', '/no/such/page']) {
      expect([path, await textAt(path)]).toEqual([path, '<div id="root">the app</div>']);
    }
    expect(await textAt('/favicon.svg')).toBe('<svg>the app</svg>');
    expect(await textAt('/api/captcha')).not.toContain('false captcha');
    expect(await textAt('/%61pi/captcha')).not.toContain('false captcha');
    expect((await ask('/missing.css')).status).toBe(404);
    expect((await ask('/', {}, url, 'POST')).status).not.toBe(200);
  });

  it('hands out nothing that is hidden, outside of the folder, or no file', async () => {
    const paths = ['/.env', '/%2eenv', '/.git/config', '/leak', '/leak.html', '/up/secret.html', '/loop', '/pipe'];
    const outside = ['/../secret.html', '/%2e%2e/secret.html', '/..%2fsecret.html', '/blog/../../secret.html'];
    const odd = ['/../site-secret', '/..%5csecret.html', '/%00', '/%ff', '/%', '//etc/passwd', `/${'a'.repeat(5000)}`];
    for (const path of [...paths, ...outside, ...odd]) {
      const answer = await rawAnswer(path);
      expect([path, answer.split('\r\n')[0]]).toEqual([path, expect.stringMatching(/ (200|400|404) /)]);
      expect(answer.slice(answer.indexOf('\r\n\r\n'))).not.toMatch(/secret|hidden|root:/);
    }
  });

  it('shows a file that was changed at once', async () => {
    await writeFile(join(site, 'news.html'), 'old');
    expect(await textAt('/news')).toBe('old');
    await writeFile(join(site, 'news.html'), 'new, and longer');
    expect(await textAt('/news')).toBe('new, and longer');
  });

  it('gives way to the app while it has no start page that can be read', async () => {
    const broken = join(top, 'broken');
    const at = await startWith({ directory: broken, isNamed: true });
    expect(await textAt('/', at)).toContain('the app');
    await mkdir(join(broken, 'index.html'), { recursive: true });
    await writeFile(join(broken, 'about.html'), 'about');
    expect(await textAt('/about', await startWith({ directory: broken, isNamed: true }))).toContain('the app');
    await rename(join(broken, 'index.html'), join(broken, 'folder'));
    await writeFile(join(broken, 'index.html'), 'mended');
    await until('the mended site is shown', async () => (await textAt('/', at)) === 'mended');
    await rm(broken, { recursive: true });
    await until('the app is shown again', async () => (await textAt('/', at)).includes('the app'));
    await mkdir(broken);
    await symlink('index.html', join(broken, 'index.html'));
    expect(await textAt('/', at)).toBe('<div id="root">the app</div>');
    await rm(join(broken, 'index.html'));
    await writeFile(join(broken, 'index.html'), 'closed');
    await chmod(join(broken, 'index.html'), 0);
    // Root may read everything
    const shown = process.getuid?.() === 0 ? 'closed' : '<div id="root">the app</div>';
    await until('what can be read is shown', async () => (await textAt('/', at)) === shown);
  });

  it('is the shipped one where the operator has none, and nothing when it is switched off', async () => {
    const shipped = await startWith({ directory: join(top, 'none'), isNamed: false });
    expect(await textAt('/', shipped)).toContain('Selvage Yarn');
    expect(await textAt('/contact-us', shipped)).toContain('<form');
    const off = await startWith(null);
    for (const path of ['/', '/contact-us', '/product-list']) expect(await textAt(path, off)).toContain('the app');
  });
});
