import { describe, expect, it } from 'vitest';
import { findPlainLines } from './plain-lines.ts';

/** Pseudo-random numbers, the same in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 16;
  }
}

describe('findPlainLines', () => {
  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['whole lines', 'a\r\n\r\nbc\r\n', 'a\r\n\r\nbc\r\n'],
    ['up to half a line', 'a\r\nb', 'a\r\n'],
    ['up to half a line end', 'a\r\nb\r', 'a\r\n'],
    ['up to the end of the message', 'a\r\n.\r\nQUIT\r\n', 'a\r\n'],
    ['up to a bare LF', 'a\r\nb\nc\r\n', 'a\r\n'],
    ['up to a LF after a LF', 'a\r\n\nb\r\n', 'a\r\n'],
    ['up to a bare LF behind a dot', 'a\r\n.\nb\r\n', 'a\r\n'],
    ['up to a line that is too long', 'a\r\nabcdefgh\r\n', 'a\r\n'],
    ['a bare CR as part of its line', 'a\rb\r\n', 'a\rb\r\n'],
  ])('takes %s', (_what, text, plain) => {
    expect(findPlainLines(Buffer.from(text), 8)).toEqual({ length: plain.length, unstuffed: Buffer.from(plain) });
  });

  it.each<[string, string, string]>([
    ['of one that the sender stuffed', 'a\r\n..b\r\nc\r\n', 'a\r\n.b\r\nc\r\n'],
    ['of a line of dots', '...\r\n', '..\r\n'],
    ['of each line', '..\r\n.a\r\n..\r\n', '.\r\na\r\n.\r\n'],
    ['before a bare CR', '.\r\r\n', '\r\r\n'],
  ])('takes away the first dot %s', (_what, text, unstuffed) => {
    expect(findPlainLines(Buffer.from(text), 8)).toEqual({ length: text.length, unstuffed: Buffer.from(unstuffed) });
  });

  it('takes exactly the plain lines at the beginning of random bytes', () => {
    const random = numbers(7);
    const next = (below: number) => Number(random.next().value) % below;
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: next(14) }, () => 'a.\r\n\r\n'[next(6)]).join('');
      const { length, unstuffed } = findPlainLines(Buffer.from(text), 6);
      const lines = text.slice(0, length).split(/(?<=\n)/);
      const isOdd = (line: string) => !/^[^\n]*\r\n$/.test(line) || line === '.\r\n' || line.length > 6;
      expect(lines.filter(Boolean).filter(isOdd)).toEqual([]);
      expect(unstuffed.toString()).toBe(lines.map((line) => line.replace(/^\./, '')).join(''));
      const following = /^[^\n]*\n/.exec(text.slice(length))?.[0];
      if (following) expect(isOdd(following)).toBe(true);
    }
  });
});
