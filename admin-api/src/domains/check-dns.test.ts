import type { DnsCheck, DnsProblem } from '@selvage/core/contracts/domain-check';
import { checkDmarc } from '@selvage/core/domain-check/check-dmarc';
import { checkMx } from '@selvage/core/domain-check/check-mx';
import { checkSpf } from '@selvage/core/domain-check/check-spf';
import { KnownServers } from '@selvage/core/domain-check/look-at-server';
import { Questions } from '@selvage/core/domain-check/questions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DnsServer, Zone } from '../../../tests/support/dns-server.ts';
import { startRemoteServer } from '../../../tests/support/remote-server.ts';
import { waitedMs } from '../../../tests/support/waited-ms.ts';
import type { TestServer } from '../test-server.ts';
import { type CheckedDomains, pieces, startCheckedDomains } from './test-checked-domains.ts';

let world: CheckedDomains;
let server: TestServer;
let dns: DnsServer;
let token: string;
let publicKey: string;

beforeAll(async () => {
  world = await startCheckedDomains();
  ({ server, dns, token, publicKey } = world);
  dns.addRecords('old.test', { A: ['127.0.3.9'] });
  dns.addRecords('own.test', { A: ['127.0.0.1'] });
  dns.addRecords('both.test', { A: ['127.0.0.1', '127.0.3.9'] });
  dns.addRecords('mute.test', 'TIMEOUT');
});

afterAll(() => world.stop());

const domainWith: CheckedDomains['domainWith'] = (...change) => world.domainWith(...change);

/** A check, and for how long it waited. */
async function timedCheck(domain: string): Promise<{ found: DnsCheck; waited: number }> {
  const checked = Promise.withResolvers<DnsCheck>();
  const waited = await waitedMs(async () => checked.resolve(await check(domain)));
  return { found: await checked.promise, waited };
}

async function check(domain: string, dkimSelectors: string[] = ['default']): Promise<DnsCheck> {
  const answer = await server.call('POST', '/domain/check-dns', { token, body: { domain, dkimSelectors } });
  expect(answer.status).toBe(200);
  return answer.body.data as DnsCheck;
}

const saidOf = (problems: readonly DnsProblem[]) =>
  problems.map(({ part, level, text }) => `${part} ${level}: ${text}`);

describe('the check of a domain whose DNS is as it should be', () => {
  it('finds all parts valid, in the shape of the contract', async () => {
    const name = await domainWith();
    const found = await check(name.toUpperCase());
    expect(saidOf(found.problems)).toEqual([]);
    expect([found.domain, found.valid]).toEqual([name, true]);
    expect(found.dns).toEqual({
      a: [{ ip: '192.0.2.10', ttl: 60 }],
      ns: [{ name: 'ns1.dns.test', ip: '192.0.2.53', ttl: 60 }],
      soa: {
        nsname: 'ns1.dns.test',
        hostmaster: 'admin.dns.test',
        serial: 7,
        refresh: 1,
        retry: 2,
        expire: 3,
        minttl: 4,
        ttl: 60,
      },
      details: 'The domain is in the DNS.',
    });
    expect(found.mx.records).toEqual([
      {
        exchange: 'host.test',
        priority: 10,
        ip: '127.0.0.1',
        ttl: 60,
        smtp: { success: true, details: expect.stringMatching(/^220 /) as string },
        blacklist: [],
      },
    ]);
    expect(found.spf).toMatchObject({
      found: true,
      valid: true,
      multipleRecords: false,
      lookupCount: 1,
      record: 'v=spf1 a:host.test -all',
      mechanisms: [
        { type: 'a', qualifier: '+', value: 'host.test', ttl: 60 },
        { type: 'all', qualifier: '-', value: '', ttl: 60 },
      ],
    });
    expect(found.dmarc.tags).toEqual({ v: 'DMARC1', p: 'reject', rua: 'mailto:d@x.test', ruf: null });
    expect(found.dkim.records).toMatchObject([
      { selector: 'default', is_ours: true, tags: { k: 'rsa', p: publicKey } },
    ]);
  });

  it('asks nothing twice', async () => {
    const name = await domainWith();
    dns.questions.splice(0);
    await check(name);
    // A key does not fit into a datagram, so it is asked for once more by TCP
    const own = dns.questions.filter((question) => question.endsWith('host.test') || question.endsWith(` ${name}`));
    expect(own.length).toBe(new Set(own).size);
  });
});

describe('the check of a domain finds', () => {
  const include = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`s${n}.inc.test`, { TXT: [`v=spf1 include:s${n + 1}.inc.test -all`] }]),
    );
  const spf =
    (text: string, more: Zone = {}) =>
    (name: string): Zone => ({
      [name]: { MX: [{ preference: 10, exchange: 'host.test' }], TXT: [text] },
      ...more,
    });
  const mx =
    (...MX: object[]) =>
    (name: string): Zone => ({ [name]: { MX, TXT: ['v=spf1 a:host.test -all'] } });
  const dmarc =
    (...TXT: string[]) =>
    (name: string): Zone => ({ [`_dmarc.${name}`]: { TXT } });
  const dkim =
    (...TXT: string[]) =>
    (name: string): Zone => ({ [`default._domainkey.${name}`]: { TXT: TXT.map(pieces) } });

  /** No mail server is at the address. */
  const silent = /^mx warning: old\.test: No connection/;

  it.each<[string, (name: string) => Zone, RegExp[]]>([
    ['no MX', (name) => ({ [name]: { TXT: ['v=spf1 a:host.test -all'] } }), [/^mx error: There is no MX record\./]],
    [
      'an MX elsewhere',
      mx({ preference: 1, exchange: 'mx.google.test' }),
      [/^mx error: No MX record names host\.test/, /^mx error: The mail server mx\.google\.test has no address/],
    ],
    ['an MX of the root', mx({ preference: 0, exchange: '.' }), [/^mx error: No MX/, /^mx error: .* takes no mail/]],
    [
      'a mail server before this host',
      mx({ preference: 1, exchange: 'old.test' }, { preference: 10, exchange: 'host.test' }),
      [/^mx error: Mail for \S+ goes to old\.test first, .* Delete its MX record\./, silent],
    ],
    [
      'a mail server in turn with this host',
      mx({ preference: 10, exchange: 'old.test' }, { preference: 10, exchange: 'host.test' }),
      [/^mx error: Mail for \S+ goes to old\.test as often as here\. Delete/, silent],
    ],
    [
      'mail servers behind this host',
      mx(
        { preference: 10, exchange: 'host.test' },
        { preference: 20, exchange: 'old.test' },
        { preference: 30, exchange: 'gone.test' },
      ),
      [
        /^mx warning: While host\.test is down, mail for \S+ goes to old\.test\. Delete its MX record, unless/,
        silent,
        /^mx warning: The mail server gone\.test has no address/,
      ],
    ],
    [
      'an alias as an MX',
      (name) => ({
        ...mx({ preference: 10, exchange: 'host.test' }, { preference: 20, exchange: 'alias.test' })(name),
        'alias.test': { CNAME: ['host.test'], A: ['127.0.0.1'] },
      }),
      [
        /^mx warning: .* alias\.test, another name of this host\. .* Delete its MX record\.$/,
        /^mx warning: .* alias\.test, which is an alias/,
      ],
    ],
    [
      'another name of this host as the only MX',
      mx({ preference: 10, exchange: 'own.test' }),
      [/^mx warning: .* own\.test, another name of this host\. Its certificate .* Name host\.test instead\.$/],
    ],
    [
      'a name of this host and of others',
      mx({ preference: 10, exchange: 'both.test' }),
      [/^mx error: both\.test leads to this host and to others \(127\.0\.3\.9\), so some mail .* Name host\.test/],
    ],
    [
      'a mail server whose name servers are silent, and which may be this host',
      mx({ preference: 10, exchange: 'mute.test' }),
      [/^mx error: .* can’t be told now/, /^mx error: The name servers of mute\.test did not answer/],
    ],
    [
      'an MX of the root beside others',
      mx({ preference: 0, exchange: '.' }, { preference: 10, exchange: 'host.test' }),
      [/^mx error: An MX record says that \S+ takes no mail\. It must not stand beside others/],
    ],
    ['no SPF', spf('nothing of the kind'), [/^spf error: There is no SPF record/]],
    [
      'two SPF records',
      (name) => ({
        [name]: { MX: [{ preference: 1, exchange: 'host.test' }], TXT: ['v=spf1 a:host.test', 'v=spf1 mx'] },
      }),
      [/^spf error: There are 2 SPF records/],
    ],
    [
      'an SPF without this host',
      spf('v=spf1 ip4:192.0.2.0/24 ~all'),
      [/^spf error: .* does not let host\.test \(127\.0\.0\.1\) send/],
    ],
    ['+all', spf('v=spf1 +all'), [/^spf error: .* \+all, which lets every server/]],
    [
      'an SPF record that redirects to +all',
      spf('v=spf1 redirect=open.test', { 'open.test': { TXT: ['v=spf1 +all'] } }),
      [/^spf error: .* lets every server/],
    ],
    [
      'an SPF record that includes +all',
      spf('v=spf1 a:host.test include:open.test -all', { 'open.test': { TXT: ['v=spf1 +all'] } }),
      [/^spf error: .* lets every server/],
    ],
    ['an SPF record with a network of all', spf('v=spf1 ip4:0.0.0.0/0 -all'), [/^spf error: .* lets every server/]],
    ['an SPF record for all of IPv6', spf('v=spf1 a:host.test ip6:::/0 -all'), [/^spf error: .* lets every server/]],
    ['terms behind all', spf('v=spf1 a:host.test -all redirect=gone.test include:gone.test'), []],
    ['a redirect before all', spf('v=spf1 a:host.test redirect=gone.test -all'), []],
    ['a modifier with the name of a mechanism', spf('v=spf1 a=gone.test a:host.test mx=gone.test -all'), []],
    ['redirect as a mechanism', spf('v=spf1 a:host.test redirect:ok.test'), [/^spf error: .* “redirect”, which no/]],
    [
      'too many look-ups',
      spf('v=spf1 a:host.test include:s0.inc.test -all', include(12)),
      [/^spf error: .* s12\.inc\.test, which has no SPF/, /^spf error: .* needs 14 look-ups/],
    ],
    [
      'an include that goes round',
      spf('v=spf1 a:host.test include:round.test -all', { 'round.test': { TXT: ['v=spf1 include:round.test -all'] } }),
      [/^spf error: .* round\.test, which leads back to itself/],
    ],
    [
      'void look-ups',
      spf('v=spf1 a:host.test a:v1.test a:v2.test a:v3.test -all'),
      [/^spf error: 3 look-ups .* find nothing/],
    ],
    [
      'a misspelt mechanism',
      spf('v=spf1 a:host.test ipv4:192.0.2.1 -all'),
      [/^spf error: .* “ipv4”, which no receiver knows/],
    ],
    ['no DMARC', dmarc('hello'), [/^dmarc error: There is no DMARC record/]],
    [
      'two DMARC records',
      dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'),
      [/^dmarc error: There are 2/, /^dmarc warning/],
    ],
    ['a DMARC without a policy', dmarc('v=DMARC1; p=nothing'), [/^dmarc error: .* no policy/]],
    ['a DMARC that does nothing', dmarc('v=DMARC1; p=none'), [/^dmarc warning: .* policy is none/]],
    ['a DMARC policy for no mail', dmarc('v=DMARC1; p=reject; pct=0'), [/^dmarc warning: .* reject is never used/]],
    [
      'a DMARC policy to test',
      dmarc('v=DMARC1; p=reject; t=y'),
      [/^dmarc warning: .* t=y, .* dealt with by quarantine/],
    ],
    ['an invalid sp', dmarc('v=DMARC1; p=reject; sp=foo'), [/^dmarc error: .* “sp” with another value/]],
    ['a doubled tag', dmarc('v=DMARC1; p=reject; p=none'), [/^dmarc error: .* “p” more than once/]],
    [
      'a DMARC version in small letters',
      dmarc('v=dmarc1; p=reject'),
      [/^dmarc error: .* v=dmarc1, so receivers ignore/],
    ],
    ['no DKIM', dkim('hello'), [/^dkim error: There is no DKIM record at default\._domainkey/]],
    ['another key', dkim('v=DKIM1; k=rsa; p=QUJD'), [/^dkim error: .* another key/]],
    ['a key that was taken back', dkim('v=DKIM1; p='), [/^dkim error: .* taken back/]],
    ['a DKIM record of 60 KB', dkim(`v=DKIM1; p=${'A'.repeat(60_000)}`), [/^dkim error: .* another key/]],
  ])('%s', async (_what, change, expected) => {
    const { problems, valid } = await check(await domainWith(change));
    const said = saidOf(problems);
    expect(said.length).toBe(expected.length);
    for (const [index, pattern] of expected.entries()) expect(said[index]).toMatch(pattern);
    expect(valid).toBe(problems.every(({ level }) => level === 'warning'));
  });

  it('records to mend it, an SPF record merged and not doubled', async () => {
    const name = await domainWith(
      spf('v=spf1 include:s99.inc.test ~all', { 's99.inc.test': { TXT: ['v=spf1 -all'] } }),
    );
    const { problems } = await check(name);
    expect(problems.map(({ record }) => record)).toEqual([
      { type: 'TXT', name, content: 'v=spf1 include:s99.inc.test a:host.test ~all' },
    ]);
  });

  it.each<[string, (name: string) => Zone, string]>([
    [
      'two SPF records',
      (name) => ({
        [name]: { TXT: ['v=spf1 ip4:192.0.2.1 ~all', 'v=spf1 ip4:192.0.2.1 include:ok.test -all'] },
        'ok.test': { TXT: ['v=spf1 ip4:192.0.2.3 -all'] },
      }),
      'v=spf1 ip4:192.0.2.1 include:ok.test a:host.test -all',
    ],
    [
      'two SPF records, of which one redirects',
      (name) => ({ [name]: { TXT: ['v=spf1 redirect=ok.test', 'v=spf1 mx a:host.test -all'] } }),
      'v=spf1 include:ok.test mx a:host.test -all',
    ],
    [
      'two SPF records, of which one redirects in vain',
      (name) => ({ [name]: { TXT: ['v=spf1 mx ~all redirect=ok.test', 'v=spf1 a:host.test ~all exp=why.test'] } }),
      'v=spf1 mx a:host.test ~all',
    ],
    ['+all', spf('v=spf1 a:host.test all'), 'v=spf1 a:host.test -all'],
    ['two DMARC records', dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject; adkim=s'), 'v=DMARC1; p=reject; adkim=s'],
    [
      'two DMARC records, of which the milder one names an address for reports',
      dmarc('v=DMARC1; p=none; rua=mailto:agg@dmarc.test', 'v=DMARC1; p=reject'),
      'v=DMARC1; p=reject; rua=mailto:agg@dmarc.test',
    ],
    [
      'a DMARC policy that does nothing',
      dmarc('v=DMARC1; p=none; rua=mailto:agg@dmarc.test; adkim=s'),
      'v=DMARC1; p=quarantine; rua=mailto:agg@dmarc.test; adkim=s',
    ],
    [
      'a DMARC record without a policy',
      dmarc('v=DMARC1;rua=mailto:agg@dmarc.test;'),
      'v=DMARC1; p=quarantine; rua=mailto:agg@dmarc.test',
    ],
    ['a DMARC policy for no mail', dmarc('v=DMARC1; p=reject; fo=1; pct=0'), 'v=DMARC1; p=reject; fo=1'],
    ['a DMARC version in small letters', dmarc('v=dmarc1; p=reject; fo=1'), 'v=DMARC1; p=reject; fo=1'],
    ['a DMARC policy to test', dmarc('v=DMARC1; p=reject; t=y; fo=1'), 'v=DMARC1; p=reject; fo=1'],
    ['invalid policies', dmarc('v=DMARC1; p=reject; sp=x; np=y; fo=1'), 'v=DMARC1; p=reject; fo=1'],
    ['a doubled tag', dmarc('v=DMARC1; p=reject; fo=1; fo=0'), 'v=DMARC1; p=reject; fo=1'],
  ])('the record that takes the place of %s', async (_what, change, expected) => {
    const { problems } = await check(await domainWith(change));
    expect(problems.find(({ part }) => part !== 'mx')?.record?.content).toBe(expected);
  });

  it.each([
    ['v = DMARC1 ; p = Reject', true, 'Forged mail is dealt with by the policy reject.'],
    [
      'v=DMARC1; p=reject; pct=20',
      true,
      'Of forged mail, 20 % is dealt with by the policy reject, and the rest is dealt with by quarantine. ' +
        'Newer receivers do not know pct.',
    ],
    [
      'v=DMARC1; p=quarantine; pct=0',
      true,
      'The DMARC record has pct=0, so its policy quarantine is never used: forged mail is delivered all the same. ' +
        'Newer receivers do not know pct.',
    ],
    ['v=DMARC1; p=reject; pct=200', true, 'Forged mail is dealt with by the policy reject.'],
    [
      'v=Dmarc1; p=reject',
      false,
      'The DMARC record begins with v=Dmarc1, so receivers ignore it. Write it as v=DMARC1, in capitals.',
    ],
  ])('what receivers make of %s', async (record, valid, details) => {
    expect((await check(await domainWith(dmarc(record)))).dmarc).toMatchObject({ valid, details, record });
  });

  it('how strong a key is, and how alike the names have to be', async () => {
    const found = await check(await domainWith(dmarc('v=DMARC1; p=reject; aspf=s')));
    expect(found.dkim.records[0]?.details).toBe('The record is good: RSA, 2048 bits.');
    expect(found.dmarc.alignment).toEqual({ dkim: 'relaxed', spf: 'strict' });
  });

  it('a key that is too weak, and selectors that are asked for', async () => {
    const weak =
      'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAL2LnNdhWtYVe2j0k0IHsPpoMuLvWTDNqh1pTn4VTwRdHVYP1JR0rNPyq8XCUW1H9pS5kvTSkIWy9N0vcQ8SBkECAwEAAQ==';
    const { dkim: found, problems } = await check(await domainWith(() => ({}), weak), ['default', 'spring']);
    expect(found.selectors).toEqual(['default', 'spring']);
    expect(saidOf(problems)).toEqual([
      expect.stringMatching(/^dkim error: .* 512 bits/),
      expect.stringMatching(/^dkim warning: There is no DKIM record at spring/),
    ]);
  });

  it('a mail server that is on a blocklist, or does not greet', async () => {
    dns.addRecords('1.0.0.127.bl.test', { A: ['127.0.0.2'] });
    const { mx: listed, problems } = await check(await domainWith());
    dns.addRecords('1.0.0.127.bl.test', 'NXDOMAIN');
    expect([listed.valid, listed.records[0]?.blacklist]).toEqual([true, ['bl.test']]);
    expect(saidOf(problems)).toEqual(['mx warning: host.test (127.0.0.1) is on the blocklist bl.test.']);
    const away = await domainWith((name) => ({
      ...mx({ preference: 10, exchange: 'host.test' }, { preference: 20, exchange: 'away.test' })(name),
      'away.test': { A: ['127.0.3.9'] },
    }));
    const { mx: probed } = await check(away);
    expect(probed.records[1]?.smtp.success).toBe(false);
  });

  it('name servers that do not answer, for each part by itself and within five seconds', async () => {
    const name = await domainWith((own) => ({
      [own]: 'TIMEOUT',
      [`_dmarc.${own}`]: 'SERVFAIL',
      [`default._domainkey.${own}`]: 'TIMEOUT',
    }));
    const { found, waited } = await timedCheck(name);
    expect(waited).toBeLessThan(5000);
    const details = [found.dns, found.mx, found.spf, found.dkim].map((part) => part.details);
    expect(new Set(details)).toEqual(new Set(['The name servers did not answer.']));
    expect(found.dmarc.details).toMatch(
      /^The name servers answer with an error \(SERVFAIL\)\. .* \(DS\) at the registrar/,
    );
    expect(found.valid).toBe(false);
  });

  it.each([
    ['TRUNCATED', /^The name servers did not answer\.$/],
    ['REFUSED', /^The name servers answer with an error \(REFUSED\)\. /],
    ['SERVFAIL', /^The name servers answer with an error \(SERVFAIL\)\. /],
  ] as const)('name servers that answer %s, which says nothing', async (entry, text) => {
    const found = await check(await domainWith((own) => ({ [own]: entry })));
    for (const { details } of [found.dns, found.mx, found.spf]) expect(details).toMatch(text);
    expect([found.mx.found, found.dmarc.valid]).toEqual([false, true]);
  });

  it('servers that the records lead to, whose name servers answer with an error', async () => {
    dns.addRecords('lame.test', 'SERVFAIL');
    const change = spf('v=spf1 a:host.test include:lame.test -all');
    const name = await domainWith((own) => ({
      [own]: { ...(change(own)[own] as object), MX: [{ preference: 10, exchange: 'lame.test' }] },
    }));
    const said = saidOf((await check(name)).problems);
    expect(said).toContain('mx error: The name servers of lame.test answer with an error (SERVFAIL).');
    expect(said).toContain(
      'spf error: The SPF record includes lame.test, whose name servers answer with an error (SERVFAIL).',
    );
  });

  it('a thousand MX records, and an alias that leads to itself, within five seconds', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => ({ preference: n, exchange: `mx${n}.many.test` }));
    dns.addRecords('round.many.test', { CNAME: ['round.many.test'] });
    const name = await domainWith(mx({ preference: 0, exchange: 'round.many.test' }, ...many));
    const {
      found: { mx: found },
      waited,
    } = await timedCheck(name);
    expect(waited).toBeLessThan(5000);
    expect([found.valid, found.records.length]).toEqual([false, 10]);
    expect(found.records[0]).toMatchObject({ exchange: 'round.many.test', ip: null });
  });

  it('mail servers with private addresses, which are not spoken to', async () => {
    let connections = 0;
    const peer = await startRemoteServer({
      onConnect: (_session, done) => {
        connections += 1;
        done();
      },
    });
    dns.addRecords('inside.test', { A: ['127.0.0.1'] });
    dns.addRecords('spy.test', { MX: [{ preference: 1, exchange: 'inside.test' }] });
    const options = { domain: 'spy.test', host: 'host.test', isProved: true, smtpPort: peer.port, blocklists: [] };
    const probed = async (mayProbePrivate: boolean) => {
      const servers = new KnownServers();
      const { part } = await checkMx(new Questions([dns.address]), { ...options, mayProbePrivate, servers });
      return part.records[0]?.smtp.details;
    };
    expect(await probed(false)).toBe('The address 127.0.0.1 is private, so other servers can’t reach it.');
    expect(connections).toBe(0);
    expect(await probed(true)).toMatch(/^220 /);
    expect(connections).toBe(1);
    await peer.stop();
  });

  it('an SPF record made to hold a check up, within five seconds', async () => {
    const terms = Array.from({ length: 40 }, (_, n) => `a:slow${n}.test`);
    for (let n = 0; n < 40; n += 1) dns.addRecords(`slow${n}.test`, 'TIMEOUT');
    const name = await domainWith(spf(`v=spf1 ${terms.join(' ')} -all`));
    const { found, waited } = await timedCheck(name);
    expect(waited).toBeLessThan(5000);
    expect(found.spf.valid).toBe(false);
  });

  it.each([
    ['-all a:host.test', false],
    ['-ip4:127.0.0.1 a:host.test -all', false],
    ['a:host.test/24 -all', true],
    ['ip4:127.0.0.0/8 -all', true],
    ['-all redirect=ok.test', false],
    ['redirect=ok.test', true],
    ['include:ok.test -all', true],
    ['-include:ok.test a:host.test -all', false],
  ])('what receivers make of v=spf1 %s', async (terms, isGood) => {
    dns.addRecords('ok.test', { TXT: ['v=spf1 a:host.test -all'] });
    expect((await check(await domainWith(spf(`v=spf1 ${terms}`)))).spf.valid).toBe(isGood);
  });

  it.each([
    ['include:spf.relay.test', 'v=spf1 include:SPF.relay.test -all', []],
    ['include:spf.relay.test', 'v=spf1 mx -all', ['v=spf1 mx include:spf.relay.test -all']],
    [null, 'v=spf1 mx -all', [undefined]],
  ])('mail that leaves by a smarthost, of which the SPF term is %s', async (relay, record, mends) => {
    const name = await domainWith(spf(record, { 'spf.relay.test': { TXT: ['v=spf1 ip4:192.0.2.77 -all'] } }));
    const sender = { domain: name, host: 'host.test', addresses: null, relay };
    const { part, problems } = await checkSpf(new Questions([dns.address]), sender);
    expect([part.valid, problems.map((problem) => problem.record?.content)]).toEqual([mends[0] === undefined, mends]);
  });

  it('the DMARC record above a domain only where its own name servers say that it has none', async () => {
    const name = await domainWith();
    const look = () => checkDmarc(new Questions([dns.address]), `mail.${name}`);
    const inherited = await look();
    expect(inherited.part).toMatchObject({ valid: true, recordName: `_dmarc.${name}`, record: expect.any(String) });
    dns.addRecords(`_dmarc.mail.${name}`, { TXT: ['v=DMARC1; p=quarantine'] });
    expect((await look()).part).toMatchObject({ valid: true, recordName: `_dmarc.mail.${name}` });
    dns.addRecords(`_dmarc.mail.${name}`, 'REFUSED');
    const silent = await look();
    expect([silent.isUnanswered, silent.isUnsure, silent.problems]).toEqual([true, true, [expect.anything()]]);
    expect(silent.part).toMatchObject({ found: false, valid: false, recordName: null, record: null });
    expect(silent.part.details).toContain('REFUSED');
  });

  it('a domain that is not in the DNS', async () => {
    const name = await domainWith((own) => ({ [own]: 'NXDOMAIN' }));
    expect(saidOf((await check(name)).problems)[0]).toBe(`dns error: The domain ${name} does not exist in the DNS.`);
  });
});

it('is not made of a domain that is not the caller’s', async () => {
  const answer = await server.call('POST', '/domain/check-dns', { token, body: { domain: 'google.test' } });
  expect([answer.status, answer.body.errors]).toEqual([422, { domain: 'You have no domain of this name' }]);
});
