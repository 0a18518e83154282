import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../../tests/support/cpu-time.ts';
import { addRecipients, isList, isTooMany, isWholeMailbox, readRecipients, textOf } from './recipients.ts';

/** Recipients in short: `name|address`, with `!` before one that can't be written to. */
function found(text: string): string[] {
  return readRecipients(text).map(({ name, address, problem }) => `${problem ? '!' : ''}${name}|${address}`);
}

const priya = 'Priya Raman|priya@x.test';

describe('readRecipients', () => {
  it.each([
    ['priya@x.test', ['|priya@x.test']],
    [' priya @ x.test ', ['|priya@x.test']],
    ['Priya Raman priya@x.test', [priya]],
    ['Priya Raman <priya@x.test>', [priya]],
    ['"Priya Raman" <priya@x.test>', [priya]],
    ['"Priya Raman" priya@x.test', [priya]],
    ["'Priya Raman' <priya@x.test>", [priya]],
    ["'priya@x.test' <priya@x.test>", ['|priya@x.test']],
    ['priya@x.test (Priya Raman)', [priya]],
    ['Priya priya@x.test (work)', ['Priya (work)|priya@x.test']],
    ['Priya Raman <mailto:priya@x.test?subject=x>', [priya]],
    ['Priya Raman<\u200epriya@x.test\u200e>', [priya]],
    ["O'Brien <o'brien@x.test>", ["O'Brien|o'brien@x.test"]],
    ['“priya@x.test”', ['|priya@x.test']],
    ['„priya@x.test“', ['|priya@x.test']],
    ['«priya@x.test»', ['|priya@x.test']],
    ['‘priya@x.test’', ['|priya@x.test']],
    ['"priya@x.test"', ['|priya@x.test']],
    ['（priya@x.test）', ['|priya@x.test']],
    ['Priya Raman <“priya@x.test”>', [priya]],
    ['•priya@x.test', ['|priya@x.test']],
    ['–priya@x.test', ['|priya@x.test']],
    ['• priya@x.test', ['|priya@x.test']],
    ['- Priya Raman <priya@x.test>', [priya]],
    ['-priya@x.test', ['|-priya@x.test']],
    ['To: priya@x.test', ['|priya@x.test']],
    ['Email：priya@x.test', ['|priya@x.test']],
    ['Cc: "Priya Raman" <priya@x.test>', [priya]],
    ['To:\tPriya Raman\tpriya@x.test', [priya]],
    ['Andy <priya@x.test>', ['Andy|priya@x.test']],
    ['प्रिया <प्रिया@x.test>', ['प्रिया|प्रिया@x.test']],
  ])('takes the one person in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['a@x.test,b@x.test; c@x.test', ['|a@x.test', '|b@x.test', '|c@x.test']],
    ['a@x.test b@x.test', ['|a@x.test', '|b@x.test']],
    ['a@x.test b@x.test (Bo)', ['|a@x.test', 'Bo|b@x.test']],
    ['a@x.test und b@x.test', ['|a@x.test', '|b@x.test']],
    ['a@x.test, b@x.test, and c@x.test', ['|a@x.test', '|b@x.test', '|c@x.test']],
    ['<a@x.test> und <b@x.test>', ['|a@x.test', '|b@x.test']],
    ['Ana <a@x.test> & Bo <b@x.test>', ['Ana|a@x.test', 'Bo|b@x.test']],
    ['• a@x.test • b@x.test', ['|a@x.test', '|b@x.test']],
    ['To: Raman, Priya <p@x.test>; Li, Bo <b@x.test>', ['Raman, Priya|p@x.test', 'Li, Bo|b@x.test']],
    ['a@x.test\r\nb@x.test\n\n', ['|a@x.test', '|b@x.test']],
    ['"Raman, Priya" <p@x.test>, "Bo \\"B\\" Li" <b@x.test>', ['Raman, Priya|p@x.test', 'Bo "B" Li|b@x.test']],
    ['Raman, Priya <p@x.test>; Li, Bo <b@x.test>', ['Raman, Priya|p@x.test', 'Li, Bo|b@x.test']],
    ['a@x.test, "b@x.test" <b@x.test>;', ['|a@x.test', '|b@x.test']],
    ['Ana <a@x.test> Bo <b@x.test>', ['Ana|a@x.test', 'Bo|b@x.test']],
    ['Ana\ta@x.test\nBo\tLi\tb@x.test', ['Ana|a@x.test', 'Bo Li|b@x.test']],
    ['a@x.test\tAna Li', ['Ana Li|a@x.test']],
    ['a@x.test\tb@x.test', ['|a@x.test', '|b@x.test']],
  ])('takes every person of the list %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['bad address, priya@x.test', ['!|bad address', '|priya@x.test']],
    ['Raman, Priya <priya@x.test>', ['!|Raman', 'Priya|priya@x.test']],
    ['priya@x.test and Bo', ['|priya@x.test', '!|and Bo']],
    ['eve@evil.test <priya@x.test>', ['!|eve@evil.test <priya@x.test>']],
    ['Priya <priya@x>', ['!Priya|priya@x']],
    ['a@b@x.test', ['!|a@b@x.test']],
    ['Priya <>', ['!Priya|']],
    ['“priya@x.test', ['!|“priya@x.test']],
    ['priya@x.test–', ['!|priya@x.test–']],
    ['a@x.test、', ['!|a@x.test、']],
    ['• ask Bo', ['!|• ask Bo']],
    ['Ana\ta@x.test\tFinance', ['Ana|a@x.test', '!|Finance']],
    ['Finance\tAna <a@x.test>', ['Ana|a@x.test', '!|Finance']],
    ['Ana <a@x.test, Bo <b@x.test>', ['!Ana|<a@x.test', 'Bo|b@x.test']],
  ])('marks what it can’t take in %j, and puts nothing together', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    [`${'a'.repeat(245)}@long.test`, 'Email must be 254 characters or less'],
    ['nonsense', 'Email must contain a single @'],
    [`${'a'.repeat(65)}@x.test`, 'Local part (before @) must be 64 characters or less'],
    [`Ana <${'a'.repeat(65)}@x.test>`, 'Local part (before @) must be 64 characters or less'],
    [`${'a'.repeat(64)}@x.test`, null],
    ['priya@x', 'Invalid email address format'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(readRecipients(text)[0]?.problem).toBe(problem);
  });

  it('keeps every sign of a text without an address, so that it can be mended', () => {
    const [only, ...others] = readRecipients('  what is   this?');
    expect([only && textOf(only), others]).toEqual(['what is   this?', []]);
  });

  it('reads a long list in a moment', () => {
    for (const one of ['"a, b" <a@x.test>; ', 'a <a@x.test> ', 'a@x.test ', '<<"(', '"a\t', '• ', '“', 'To: ']) {
      const start = cpuTimeMs();
      expect(readRecipients(one.repeat(20_000)).length).toBeGreaterThan(0);
      expect(cpuTimeMs() - start).toBeLessThan(2_000);
    }
  });
});

describe('addRecipients', () => {
  it('keeps each address once, whatever its case, and its name', () => {
    const added = addRecipients(
      readRecipients('a@x.test, b@x.test'),
      readRecipients('Ana <A@X.test>, "Bo" <b@x.test>'),
    );
    expect(added.map(textOf)).toEqual(['Ana <A@X.test>', 'Bo <b@x.test>']);
    expect(addRecipients(added, readRecipients('Anna <a@x.test>')).map(textOf)).toEqual(added.map(textOf));
  });
});

describe('isWholeMailbox', () => {
  it('knows when a space ends a recipient', () => {
    expect(['priya@x.test', 'Priya Raman priya@x.test', 'Priya <priya@x.test>'].every(isWholeMailbox)).toBe(true);
    expect(['Priya', 'priya@x', 'Priya <priya@x.test', '"Raman, priya@x.test'].some(isWholeMailbox)).toBe(false);
  });
});

describe('isList', () => {
  it('tells a list from a piece of an address', () => {
    expect(['a@x.test', 'Ana <a@x.test>', 'a, b', 'a\nb'].every(isList)).toBe(true);
    expect(['priya', '@x.test', 'Priya Raman'].some(isList)).toBe(false);
  });
});

describe('isTooMany', () => {
  const people = (count: number) => Array.from({ length: count }, (_one, index) => `p${index}@x.test`).join('\n');

  it('counts each address once, together with those that stand there', () => {
    expect(isTooMany(people(100), [])).toBe(false);
    expect(isTooMany(people(101), [])).toBe(true);
    expect(isTooMany('P1@x.test', readRecipients(people(100)))).toBe(false);
    expect(isTooMany('new@x.test', readRecipients(people(100)))).toBe(true);
  });

  it('does not read a text that is far too long', () => {
    const start = cpuTimeMs();
    expect(isTooMany('a'.repeat(30_000_000), [])).toBe(true);
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });
});
