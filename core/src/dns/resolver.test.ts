import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer, type Zone } from '../../../tests/support/dns-server.ts';
import { resolveMailHosts } from './mail-hosts.ts';
import { createResolver, type DnsResolver } from './resolver.ts';

const mx = (...hosts: [number, string][]) => ({
  MX: hosts.map(([preference, exchange]) => ({ preference, exchange })),
});
const long = 'v'.repeat(3000).match(/.{1,250}/g) ?? [];
/** A name of so many characters. */
const nameOf = (length: number): string => `${'y'.repeat(63)}.`.repeat(4).slice(0, length - 5) + '.test';
const zone: Zone = {
  [nameOf(253)]: 'SERVFAIL' as const,
  [nameOf(254)]: 'SERVFAIL' as const,
  'a.test': { ...mx([20, 'two.a.test'], [10, 'one.a.test']), A: ['127.0.0.9'] },
  'one.a.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
  'two.a.test': { A: ['127.0.0.2'] },
  'null.test': mx([0, '.']),
  'implicit.test': { A: ['127.0.0.3'] },
  'empty.test': { TXT: [['x']] },
  'dangling.test': mx([10, 'gone.test']),
  'partly.test': mx([10, 'gone.test'], [20, 'two.a.test']),
  'broken.test': 'SERVFAIL' as const,
  'silent.test': 'TIMEOUT' as const,
  'brokenhost.test': mx([10, 'broken.test']),
  'xn--exmple-cua.test': mx([10, 'one.a.test']),
  'long.test': { TXT: [long] },
  'foo:bar/baz.odd.test': { A: ['127.0.0.1'] },
  "o'brien+tag.odd.test": { A: ['127.0.0.2'] },
  'two  spaces.odd.test': { AAAA: ['::2'] },
  'back\\slash.odd.test': { TXT: [['one', 'two']] },
  'a(b);"c".odd.test': mx([10, 'one.a.test']),
  'long@text.odd.test': { TXT: [long] },
  'bro+ken.odd.test': 'SERVFAIL' as const,
  'silent+.odd.test': 'TIMEOUT' as const,
  'equal.test': mx([10, 'one.a.test'], [10, 'two.a.test']),
};
let server: DnsServer;
let resolver: DnsResolver;
/** For names about which no server answers. */
let hasty: DnsResolver;

beforeAll(async () => {
  server = await startDnsServer(zone);
  resolver = createResolver([server.address], { timeoutMs: 5000, tries: 1 });
  hasty = createResolver([server.address], { timeoutMs: 200, tries: 1 });
});
afterAll(() => server.stop());

describe('createResolver', () => {
  it('takes a server that no packet can be sent to for one that gives no answer', async () => {
    const away = createResolver(['255.255.255.255:53'], { timeoutMs: 1000, tries: 1 });
    await expect(away.mailauthResolver('long@text.odd.test', 'TXT')).rejects.toThrow();
  });

  it('joins the pieces of a long TXT record, asked again by TCP', async () => {
    expect(await resolver.txt('long.test')).toEqual(['v'.repeat(3000)]);
  });

  it.each([
    ['nowhere.test', 'nxdomain'],
    ['implicit.test', 'nodata'],
    ['broken.test', 'temporary'],
    ['silent.test', 'temporary'],
    ['a..test', 'nxdomain'],
    [`${'x'.repeat(64)}.test`, 'nxdomain'],
    ['a b.test', 'nxdomain'],
    // RFC 1035 2.3.4: no server is asked for a name that is too long, which gives a failure
    [nameOf(253), 'temporary'],
    [`${nameOf(253)}.`, 'temporary'],
    [nameOf(254), 'nxdomain'],
    ['', 'nxdomain'],
  ])('classes what happens to TXT of %j as %s', async (name, problem) => {
    const asked = name === 'silent.test' ? hasty : resolver;
    await expect(asked.txt(name)).rejects.toMatchObject({ problem });
  });

  it('gives mailauth the codes it knows', async () => {
    await expect(resolver.mailauthResolver('nowhere.test', 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(await resolver.mailauthResolver('empty.test', 'TXT')).toEqual([['x']]);
  });

  it.each([
    ['foo:bar/baz.odd.test', 'A', ['127.0.0.1']],
    ["o'brien+tag.odd.test", 'A', ['127.0.0.2']],
    ["O'BRIEN+TAG.odd.test.", 'A', ['127.0.0.2']],
    ['two  spaces.odd.test', 'AAAA', ['::2']],
    ['back\\slash.odd.test', 'TXT', [['onetwo']]],
    ['a(b);"c".odd.test', 'MX', [{ exchange: 'one.a.test', priority: 10 }]],
    ['long@text.odd.test', 'TXT', [['v'.repeat(3000)]]],
  ])('asks for mailauth by the odd name %j', async (name, type, answer) => {
    expect(await resolver.mailauthResolver(name, type)).toEqual(answer);
  });

  it.each([
    ['no+where.odd.test', 'A', 'ENOTFOUND'],
    ["o'brien+tag.odd.test", 'MX', 'ENODATA'],
    ['bro+ken.odd.test', 'A', 'ESERVFAIL'],
    ['silent+.odd.test', 'A', 'ETIMEOUT'],
    ['empty+..odd.test', 'A', 'ENOTFOUND'],
    [`${'+'.repeat(64)}.odd.test`, 'A', 'ENOTFOUND'],
    [`${'+.'.repeat(130)}odd.test`, 'A', 'ENOTFOUND'],
  ])('tells mailauth about the odd name %j, type %s, %s', async (name, type, code) => {
    const asked = code === 'ETIMEOUT' ? hasty : resolver;
    await expect(asked.mailauthResolver(name, type)).rejects.toMatchObject({ code });
  });

  it('remembers answers, also that there is nothing, but never failures', async () => {
    const own = await startDnsServer({ 'x.test': { A: ['127.0.0.1'] }, 'y.test': 'SERVFAIL' });
    const fresh = createResolver([own.address], { timeoutMs: 5000, tries: 1 });
    await Promise.all([fresh.a('x.test'), fresh.a('X.test')]);
    (await fresh.a('x.test')).push('changed by a caller');
    expect(await fresh.a('x.test')).toEqual(['127.0.0.1']);
    expect(own.questions.filter((question) => question === 'A x.test')).toHaveLength(1);
    for (let i = 0; i < 2; i += 1) await expect(fresh.a('no.test')).rejects.toMatchObject({ problem: 'nxdomain' });
    expect(own.questions.filter((question) => question === 'A no.test')).toHaveLength(1);
    await expect(fresh.a('y.test')).rejects.toMatchObject({ problem: 'temporary' });
    own.setZone({ 'y.test': { A: ['127.0.0.2'] } });
    expect(await fresh.a('y.test')).toEqual(['127.0.0.2']);
    await own.stop();
  });

  it('takes servers with ports, IPv6 too', () => {
    expect(() => createResolver(['[::1]:5353', '127.0.0.1:53'])).not.toThrow();
  });
});

describe('resolveMailHosts', () => {
  it.each([
    ['a.test', ['one.a.test', 'two.a.test']],
    ['A.test.', ['one.a.test', 'two.a.test']],
    ['implicit.test', ['implicit.test']],
    ['partly.test', ['two.a.test']],
    ['exämple.test', ['one.a.test']],
  ])('finds the hosts of %s', async (domain, hosts) => {
    const found = await resolveMailHosts(resolver, domain);
    expect(found.kind === 'hosts' && found.hosts.map((host) => host.host)).toEqual(hosts);
  });

  it.each([
    ['null.test', 'null_mx'],
    ['nowhere.test', 'no_such_domain'],
    ['empty.test', 'no_host'],
    ['dangling.test', 'no_host'],
    ['broken.test', 'temporary'],
    ['silent.test', 'temporary'],
    ['brokenhost.test', 'temporary'],
    ['[127.0.0.1]', 'no_such_domain'],
    ['127.0.0.1', 'no_such_domain'],
    ['', 'no_such_domain'],
  ])('answers %j with %s', async (domain, kind) => {
    expect((await resolveMailHosts(resolver, domain)).kind).toBe(kind);
  });

  it('gives the addresses of both families', async () => {
    const found = await resolveMailHosts(resolver, 'a.test');
    expect(found.kind === 'hosts' && found.hosts[0]?.addresses).toEqual(['::1', '127.0.0.1']);
  });

  it('mixes hosts of equal preference', async () => {
    const first = async (draws: number[]) => {
      const found = await resolveMailHosts(resolver, 'equal.test', () => draws.shift() ?? 0);
      return found.kind === 'hosts' ? found.hosts[0]?.host : null;
    };
    expect(await first([0.1, 0.9])).not.toBe(await first([0.9, 0.1]));
  });
});
