import { describe, expect, it } from 'vitest';
import { plainLength } from './plain-lines.ts';

/** Pseudo-random numbers, the same in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 16;
  }
}

describe('plainLength', () => {
  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['whole lines', 'a\r\n\r\nbc\r\n', 'a\r\n\r\nbc\r\n'],
    ['up to half a line', 'a\r\nb', 'a\r\n'],
    ['up to half a line end', 'a\r\nb\r', 'a\r\n'],
    ['up to the end of the message', 'a\r\n.\r\nQUIT\r\n', 'a\r\n'],
    ['up to a stuffed dot', 'a\r\n..b\r\nc\r\n', 'a\r\n'],
    ['up to a bare LF', 'a\r\nb\nc\r\n', 'a\r\n'],
    ['up to a LF after a LF', 'a\r\n\nb\r\n', 'a\r\n'],
    ['up to a line that is too long', 'a\r\nabcdefgh\r\n', 'a\r\n'],
    ['a bare CR as part of its line', 'a\rb\r\n', 'a\rb\r\n'],
  ])('takes %s', (_what, text, plain) => {
    expect(plainLength(Buffer.from(text), 8)).toBe(plain.length);
  });

  it('takes exactly the plain lines at the beginning of random bytes', () => {
    const random = numbers(7);
    const next = (below: number) => Number(random.next().value) % below;
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: next(14) }, () => 'a.\r\n\r\n'[next(6)]).join('');
      const length = plainLength(Buffer.from(text), 6);
      const lines = text
        .slice(0, length)
        .split(/(?<=\n)/)
        .filter(Boolean);
      expect(lines.filter((line) => !/^(?!\.)[^\n]*\r\n$/.test(line) || line.length > 6)).toEqual([]);
      const following = /^[^\n]*\n/.exec(text.slice(length))?.[0];
      if (following)
        expect(following.startsWith('.') || !following.endsWith('\r\n') || following.length > 6).toBe(true);
    }
  });
});
