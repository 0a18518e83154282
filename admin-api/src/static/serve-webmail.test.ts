import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frameScriptSource } from '@selvage/core/contracts/mail-frame';
import { webVersionHeader, webVersionOf } from '@selvage/core/contracts/web-version';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'selvage-web-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'assets/index-Old_1-a.js'), 'export {};');
  await writeIndex('index-Old_1-a');
  server = await startTestServer({ webRoot: root });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function writeIndex(name: string, inline = ''): Promise<void> {
  const html = `<!doctype html><script>${inline}</script><link rel="icon" href="/favicon.svg" />
    <script type="module" crossorigin src="/assets/${name}.js"></script><div id="root"></div>`;
  await writeFile(join(root, 'index.html'), html);
}

const get = (path: string, accept = '*/*') => fetch(`${server.url}${path}`, { headers: { accept } });
const versionOf = async (path: string) => (await get(path)).headers.get(webVersionHeader);

/** The inline scripts that the policy of a page allows, but for that of a message's frame. */
async function allowedScripts(): Promise<string[]> {
  const policy = (await get('/dashboard/inbox', 'text/html')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(frameScriptSource);
  return (policy.match(/'sha256-[^']+'/g) ?? []).filter((source) => source !== frameScriptSource);
}

const sourceOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

describe('the web app', () => {
  it('is served for its own paths, and its scripts are cached for ever', async () => {
    const page = await get('/dashboard/inbox', 'text/html');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await page.text()).toContain('<div id="root">');
    const script = await get('/assets/index-Old_1-a.js');
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  it('answers a script of an older build with a 404 that no cache keeps, never with a page', async () => {
    const names = ['ComposeDialog-gone.js', 'font-gone.woff2', 'site-gone.webmanifest', 'gone', '../gone', ''];
    for (const name of names) {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await get(`/assets/${encodeURIComponent(name)}`, accept);
        expect([name, answer.status]).toEqual([name, 404]);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(await answer.text()).not.toContain('<');
      }
    }
  });

  it('is named in every answer of the API, by the script that its page loads', async () => {
    for (const path of ['/api/v1/captcha', '/api/v1/user/info', '/api/v1/no/such/call', '/api/v1/openapi.json']) {
      expect([path, await versionOf(path)]).toEqual([path, 'index-Old_1-a']);
    }
    expect(await versionOf('/health/live')).toBeNull();
    expect(webVersionOf('https://mail.example.org/assets/index-Old_1-a.js')).toBe('index-Old_1-a');
    expect(webVersionOf('http://localhost:5173/src/main.tsx')).toBeNull();
  });

  it('may run the inline script of its page, also of a build made meanwhile', async () => {
    await writeIndex('index-Old_1-a', 'first()');
    expect(await allowedScripts()).toEqual([sourceOf('first()')]);
    await writeIndex('index-Old_1-a', 'second()');
    expect(await allowedScripts()).toEqual([sourceOf('second()')]);
    const policy = (await get('/api/v1/captcha')).headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
  });

  it('has another name after a new build, and none while it is missing', async () => {
    await writeIndex('index-New');
    await until('the new name is told', async () => (await versionOf('/api/v1/captcha')) === 'index-New');
    await rm(join(root, 'index.html'));
    await until('no name is told', async () => (await versionOf('/api/v1/captcha')) === null);
    expect((await get('/dashboard/inbox', 'text/html')).status).toBe(503);
    expect((await get('/api/v1/captcha')).status).toBe(200);
  });
});
