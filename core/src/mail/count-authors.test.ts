import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { countAuthors } from './count-authors.ts';

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

  it('is quick for a megabyte of addresses, the same or not', () => {
    const start = cpuTimeMs();
    expect(countAuthors('<a@a.test>'.repeat(100_000))).toBeGreaterThan(1);
    expect(countAuthors('a@a.test, '.repeat(100_000))).toBe(1);
    countAuthors('<'.repeat(1_000_000));
    countAuthors('('.repeat(1_000_000));
    expect(cpuTimeMs() - start).toBeLessThan(500);
  });
});
