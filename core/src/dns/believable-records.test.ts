import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { authenticateMessage } from '../mail/authenticate-message.ts';
import { believableRecords, believableTexts } from './believable-records.ts';
import { DnsError } from './resolver.ts';

it('joins the pieces of a record and leaves an honest one as it is', () => {
  const honest = [['v=spf1 exists:%{i}._spf.%{d2} ', 'include:a.test -all'], ['v=DKIM1; p=%%{'], ['100%']];
  expect(believableTexts(honest)).toEqual([
    'v=spf1 exists:%{i}._spf.%{d2} include:a.test -all',
    'v=DKIM1; p=%%',
    '100%',
  ]);
});

it('cuts a record that is longer than any honest one, so that it is none', () => {
  const [text = ''] = believableTexts([[`v=spf1 ${'ip4:192.0.2.1 '.repeat(1000)}-all`]]);
  expect(text).toMatch(/^v=spf1 ip4:192\.0\.2\.1 .* record-is-too-long$/);
  expect(text.length).toBeLessThan(8300);
});

it('takes two hundred records of a name', () => {
  expect(believableRecords(Array.from({ length: 65_000 }, (_, index) => index))).toHaveLength(200);
});

it('ends a term at a macro that is not closed', () => {
  expect(believableTexts([['a:%{i}.%{%{%{ b:%{d} c:%{\t} d:%{']])).toEqual(['a:%{i}.% b:%{d} c:%\t} d:%']);
});

it.each([
  ['in one term', `v=spf1 include:${'%{'.repeat(30_000)}`],
  ['before a tab', `v=spf1 include:${'%{'.repeat(4000)}\t}`],
  ['closed once', `v=spf1 include:${'%{'.repeat(4000)}}`],
  ['each after another sign', `v=spf1 ${'a:%{i} %{a'.repeat(800)}`],
])('makes a record of open macros %s cheap, and an error', async (_how, record) => {
  const [text = ''] = believableTexts([[record]]);
  const start = cpuTimeMs();
  const { spf } = await authenticateMessage(Buffer.from('From: a@evil.test\r\n\r\n'), {
    ip: '192.0.2.1',
    helo: 'a.test',
    mailFrom: 'a@evil.test',
    mta: 'mx.host.test',
    resolver: (name, type) =>
      type === 'TXT' && name === 'evil.test'
        ? Promise.resolve([[text]])
        : Promise.reject(new DnsError('nxdomain', 'ENOTFOUND', name, type)),
  });
  const spent = cpuTimeMs() - start;
  expect(spf.result).toBe('permerror');
  expect(spent).toBeLessThan(100);
});
