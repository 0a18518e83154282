import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type KeyAndCertificate, makeCertificate } from '../../../tests/support/certificates.ts';
import { type PolicyServer, say, startPolicyServer, trustedAuthority } from '../../../tests/support/policy-server.ts';
import { fetchStsPolicy, type StsFetch } from './fetch-sts-policy.ts';

const text = 'version: STSv1\nmode: enforce\nmx: mx.a.test\nmax_age: 86400\n';
let authority: KeyAndCertificate;
let server: PolicyServer;
let domains = 0;

beforeAll(async () => {
  authority = trustedAuthority();
  server = await startPolicyServer(authority);
});
beforeEach(() => {
  server.answer = say(text);
  server.certificateFor = (host) => makeCertificate(host, { by: authority, key: authority.key });
});
afterAll(() => server.stop());

/** Fetches the policy of a domain of its own. */
function fetchOne(changes: Partial<StsFetch> = {}) {
  const resolver = { a: () => Promise.resolve(['127.0.0.1']), aaaa: () => Promise.resolve([]) };
  const options = { resolver, port: server.port, mayBePrivate: true, deadlineMs: 30_000, ...changes };
  return fetchStsPolicy(`d${(domains += 1)}.test`, options);
}

describe('fetchStsPolicy', () => {
  it('fetches a policy from the host of the domain that is named for it', async () => {
    expect(await fetchOne()).toEqual({ mode: 'enforce', mx: ['mx.a.test'], maxAge: 86_400 });
    expect(server.asked.at(-1)).toBe(`mta-sts.d${domains}.test`);
  });

  it.each([
    ['a redirect', say(text, { location: 'https://elsewhere.test/' }, 302), /status 302/],
    ['an error', say(text, {}, 500), /status 500/],
    ['another success', say(text, {}, 203), /status 203/],
    ['a page', say(text, { 'content-type': 'text/html' }), /text\/plain/],
    ['nonsense', say('hello'), /version/i],
    ['too much', say(text + 'x'.repeat(70_000)), /too long/],
  ])('refuses %s', async (_name, answer, error) => {
    server.answer = answer;
    await expect(fetchOne()).rejects.toThrow(error);
  });

  it('reads no further than the bound of a policy without an end', async () => {
    let sent = 0;
    server.answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const piece = Buffer.alloc(16_384, 'x');
      while (!response.destroyed && sent < 400_000_000) {
        sent += piece.length;
        if (!response.write(piece)) await new Promise((go) => response.once('drain', go).once('close', go));
      }
    };
    await expect(fetchOne()).rejects.toThrow('too long');
    expect(sent).toBeLessThan(40_000_000);
  });

  it('ends at its deadline when the server answers a little at a time', async () => {
    server.answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      while (!response.destroyed) {
        response.write('x');
        await wait(20);
      }
    };
    const begun = Date.now();
    await expect(fetchOne({ deadlineMs: 300 })).rejects.toThrow();
    expect(Date.now() - begun).toBeLessThan(20_000);
  });

  it('ends at its deadline when the name servers say nothing', async () => {
    const never = () => new Promise<never>(() => undefined);
    await expect(fetchOne({ deadlineMs: 100, resolver: { a: never, aaaa: never } })).rejects.toThrow('too long');
  });

  it.each<[string, (host: string) => KeyAndCertificate]>([
    ['of another name', () => makeCertificate('other.test', { by: authority, key: authority.key })],
    ['that no authority signed', (host) => makeCertificate(host, { key: authority.key })],
    ['that is out of date', (host) => makeCertificate(host, { by: authority, key: authority.key, isExpired: true })],
  ])('refuses a certificate %s', async (_name, certificateFor) => {
    server.certificateFor = certificateFor;
    const before = server.asked.length;
    await expect(fetchOne()).rejects.toThrow(/certificate|self-signed/);
    expect(server.asked).toHaveLength(before);
  });

  it('connects to addresses of the Internet only', async () => {
    await expect(fetchOne({ mayBePrivate: false })).rejects.toThrow('private address');
    const mapped = { a: () => Promise.resolve([]), aaaa: () => Promise.resolve(['::ffff:127.0.0.1']) };
    await expect(fetchOne({ mayBePrivate: false, resolver: mapped })).rejects.toThrow('private address');
  });
});
