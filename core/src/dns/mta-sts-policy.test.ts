import { describe, expect, it } from 'vitest';
import { findStsAnnouncement, isNamedByPolicy, parseStsPolicy } from './mta-sts-policy.ts';
import { DnsError } from './resolver.ts';

const good = 'version: STSv1\r\nmode: enforce\r\nmx: mx.a.test\r\nmx: *.b.test\r\nmax_age: 604800\r\n';
const parse = (text: string) => parseStsPolicy(Buffer.from(text));

describe('parseStsPolicy', () => {
  it.each([
    ['CRLF', good],
    ['LF', good.replaceAll('\r\n', '\n')],
    ['no end of the last line', good.trimEnd()],
    ['unknown fields and lines without a colon', `${good}x_more: yes\r\nnonsense\r\n`],
    ['a field twice, of which the first counts', `${good}mode: none\r\nmax_age: 1\r\nversion: STSv2\r\n`],
  ])('reads a policy with %s', (_name, text) => {
    expect(parse(text)).toEqual({ mode: 'enforce', mx: ['mx.a.test', '*.b.test'], maxAge: 604_800 });
  });

  it('needs no hosts in mode none', () => {
    expect(parse('version: STSv1\nmode: none\nmax_age: 86400\n')).toEqual({ mode: 'none', mx: [], maxAge: 86_400 });
  });

  it('takes the longest time, and no longer one', () => {
    expect(parse(good.replace('604800', '31557600')).maxAge).toBe(31_557_600);
    expect(() => parse(good.replace('604800', '31557601'))).toThrow();
  });

  it.each([
    ['nothing', ''],
    ['no version', good.replace('version: STSv1\r\n', '')],
    ['another version', good.replace('STSv1', 'STSv2')],
    ['no mode', good.replace('mode: enforce\r\n', '')],
    ['another mode', good.replace('enforce', 'Enforce')],
    ['no hosts', good.replace(/mx: .*\r\n/g, '')],
    ['a star in the middle', good.replace('*.b.test', 'a.*.test')],
    ['a star alone', good.replace('*.b.test', '*')],
    ['an address', good.replace('*.b.test', '<script>')],
    ['no age', good.replace(/max_age.*\r\n/, '')],
    ['an age below zero', good.replace('604800', '-1')],
    ['an age that is no number', good.replace('604800', '1e5')],
    ['an age of many digits', good.replace('604800', '9'.repeat(400))],
    ['a name that no host can have', `${good}mx: ${'y.'.repeat(130)}test\n`],
    ['a page of HTML', '<html><body>Not found</body></html>'],
  ])('refuses a policy with %s', (_name, text) => {
    expect(() => parse(text)).toThrow();
  });

  it('refuses what is too long or names too many hosts', () => {
    expect(() => parse(good + 'x'.repeat(65_536))).toThrow('too long');
    const many = Array.from({ length: 501 }, (_, index) => `mx: m${index}.test\n`).join('');
    expect(() => parse(good + many)).toThrow('too many');
  });
});

describe('isNamedByPolicy', () => {
  const policy = parse(good);
  it.each([
    ['mx.a.test', true],
    ['MX.A.test.', true],
    ['one.b.test', true],
    ['a.test', false],
    ['other.a.test', false],
    ['b.test', false],
    ['one.two.b.test', false],
    ['oneb.test', false],
    ['*.b.test', false],
    ['.b.test', false],
    ['', false],
  ])('%s: %s', (host, isNamed) => {
    expect(isNamedByPolicy(policy, host)).toBe(isNamed);
  });
});

describe('findStsAnnouncement', () => {
  const find = (records: string[]) => findStsAnnouncement({ txt: () => Promise.resolve(records) }, 'a.test');
  const fail = (problem: 'nxdomain' | 'temporary', code: string) => (name: string) =>
    Promise.reject(new DnsError(problem, code, name, 'TXT'));

  it.each([
    ['the only record', ['v=STSv1; id=20260101;'], { kind: 'policy', id: '20260101' }],
    ['the record among others', ['v=spf1 -all', 'v=STSv1;id=a1'], { kind: 'policy', id: 'a1' }],
    ['none where there are two', ['v=STSv1; id=1;', 'v=STSv1; id=2;'], { kind: 'none' }],
    ['none without an id', ['v=STSv1;'], { kind: 'none' }],
    ['none with an id that is too long', [`v=STSv1; id=${'1'.repeat(33)};`], { kind: 'none' }],
    ['none with an odd id', ['v=STSv1; id=a-b;'], { kind: 'none' }],
    ['none of another version', ['v=STSv2; id=1;'], { kind: 'none' }],
    ['none without records', [], { kind: 'none' }],
  ])('finds %s', async (_name, records, expected) => {
    expect(await find(records)).toEqual(expected);
  });

  it('tells a name without records from a name server without an answer', async () => {
    expect(await findStsAnnouncement({ txt: fail('nxdomain', 'ENOTFOUND') }, 'a.test')).toEqual({ kind: 'none' });
    expect(await findStsAnnouncement({ txt: fail('temporary', 'ETIMEOUT') }, 'a.test')).toEqual({ kind: 'unknown' });
  });
});
