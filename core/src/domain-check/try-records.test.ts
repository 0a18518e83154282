import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { textOf } from './try-records.ts';

it.each([
  ['v=spf1 -all', 'v=spf1 -all'],
  ['"v=DKIM1; p=abc" "def"', 'v=DKIM1; p=abcdef'],
  [' "a\\"b" ', 'a"b'],
  ['"a" b', '"a" b'],
  ['"a', '"a'],
])('reads the text of %j', (line, text) => {
  expect(textOf(line)).toBe(text);
});

it('reads a long line in time that grows with its length alone', () => {
  const start = cpuTimeMs();
  textOf('\\"'.repeat(32_768));
  textOf(`${'""'.repeat(32_768)}x`);
  expect(cpuTimeMs() - start).toBeLessThan(100);
});
