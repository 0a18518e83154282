import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { countAuthors, isAuthorUnclear, maxFromLength } from './count-authors.ts';

describe('countAuthors', () => {
  it.each([
    ['an address alone', 'ana@a.test', 1],
    ['a name with a comma', 'Doe, Ann <ann@a.test>', 1],
    ['brackets in a quoted name', '"Ann <eve@b.test>" <ann@a.test>', 1],
    ['brackets in a comment', 'Ann (<eve@b.test>) <ann@a.test>', 1],
    ['one address twice', 'Ann <ann@a.test> <ANN@a.test>', 1],
    ['a domain that is not ASCII', 'Ann <ann@b\u00fccher.test>', 1],
    ['a quoted local part', 'Ann <"ann"@a.test>', 1],
    ['a list', 'ann@a.test, eve@b.test', 2],
    ['a second address in the brackets', 'Ann <ann@a.test> <eve@b.test>', 2],
    ['a second address before the brackets', '<eve@b.test> Ann <ann@a.test>', 2],
    ['a name without an address', 'Ann', 0],
  ])('counts the authors of %s', (_what, from, count) => {
    expect(countAuthors(from)).toBe(count);
  });

  it.each([
    ['<a@a.test>', 1638],
    ['a@a.test, ', 1],
    ['<', 0],
    ['(', 0],
  ])('is quick for the longest field of %s', (piece, count) => {
    const field = piece.repeat(maxFromLength / piece.length);
    const start = cpuTimeMs();
    expect(countAuthors(field)).toBe(count);
    expect(cpuTimeMs() - start).toBeLessThan(50);
  });
});

describe('isAuthorUnclear', () => {
  it.each([
    'ceo@bank .test',
    'CEO <ceo@bank. test>',
    'ceo@bank (x) .test',
    'ceo@bank\u00ad.test',
    'ceo@bank..test',
    'ceo@-bank.test',
    'ceo@bank.test@evil.test',
    '<ceo@evil.test@bank.test>',
    'ceo@bank.test>',
    '[ceo@bank.test]',
    '"<ceo@bank.test>"',
    'CEO <ceo@=?utf-8?q?bank.test?=>',
    '=?utf-8?q?ceo=40bank.test?=',
    '=?utf-8?q?ceo=40bank.test_?_?=',
    '=?utf-8?b?Y2VvQGJhbmsudGVzdA==?= <>',
    '<=?utf-8?q?ceo=40bank.test?=>',
    'ceo@[bank.test]',
  ])('holds for %s', (from) => {
    expect(isAuthorUnclear(from)).toBe(true);
  });

  it.each([
    'ceo@bank.test',
    'CEO <ceo@BANK.test.>',
    '=?utf-8?q?ceo=40bank.test?= <ceo@bank.test>',
    'j\u00f6rg@b\u00fccher.test',
    'a..b.@docomo.test',
    '"a@b"@bank.test',
    'build@my_host.test',
    'scanner@[192.0.2.1]',
    'MFP <scanner@192.0.2.1>',
    'root@localhost',
    'Dr. A. Mann <a@bank.test>',
    'a@bank.test (Dr. A. Mann)',
    '"A@b .c" <a@bank.test> ',
    'root (Cron Daemon)',
    'Cron Daemon <root>',
    'Group: ceo@bank.test;',
    'undisclosed:;',
    '<>',
    '',
  ])('does not hold for %j', (from) => {
    expect(isAuthorUnclear(from)).toBe(false);
  });

  it.each([`a@b.c, @${' '.repeat(16_300)}x`, `a@b.c, "${'\\"'.repeat(8150)}`])('takes linear time: %#', (from) => {
    const start = cpuTimeMs();
    isAuthorUnclear(from);
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });

  it('is quick for a field of any length', () => {
    const start = cpuTimeMs();
    for (const piece of ['=?u?q?', '=?u?q?a?', '<', '"', '(', '@', 'a@b ', '=?u?b?QA==?='])
      isAuthorUnclear(piece.repeat(16_384 / piece.length));
    expect(cpuTimeMs() - start).toBeLessThan(1000);
  });
});
