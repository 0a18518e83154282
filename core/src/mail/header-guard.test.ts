import { describe, expect, it } from 'vitest';
import { HeaderGuard, type HeaderProblem, measureHeader } from './header-guard.ts';

const limits = { maxHeaderBytes: 100, maxHeaderLines: 5, maxHeaderFields: 3, maxFieldBytes: 40 };

describe('HeaderGuard', () => {
  it.each<[string, string, HeaderProblem | null]>([
    ['a header within every bound', 'A: a\r\nB: b\r\n c\r\n\r\nbody', null],
    ['a body of any length', `A: a\r\n\r\n${'x: y\r\n'.repeat(1000)}`, null],
    ['a body behind an empty header', `\r\n${'x: y\r\n'.repeat(1000)}`, null],
    ['100 bytes of header', `${'A: aaaaa\r\n'.repeat(2)}B:${' bbbbbbbb\r\n'.repeat(3)}\r\n`, null],
    ['a header of 101 bytes', `A:${'a'.repeat(36)}\r\nB:${'b'.repeat(36)}\r\nC:${'c'.repeat(19)}`, 'header_too_large'],
    ['a field that is too long', `A: ${'a'.repeat(40)}\r\n`, 'field_too_long'],
    ['a field that is too long with its continuation lines', `A: ${'aaaaaaaaa\r\n '.repeat(4)}b\r\n`, 'field_too_long'],
    ['too many lines', `A: a${'\r\n b'.repeat(5)}\r\n`, 'too_many_header_lines'],
    ['too many fields', 'A:\r\nB:\r\nC:\r\nD:\r\n', 'too_many_fields'],
    ['lines that end with a bare LF', `A: a${'\n b'.repeat(5)}\n`, 'too_many_header_lines'],
    ['lines that end with a bare CR', `A: a${'\r b'.repeat(5)}\r\n`, 'too_many_header_lines'],
    ['an end of the header of bare LF', `A: a\n\n${'x\n'.repeat(100)}`, null],
    ['an end of the header of bare CR', `A: a\r\r${'x\n'.repeat(100)}`, null],
  ])('judges %s', (_what, message, problem) => {
    const bytes = Buffer.from(message);
    expect(measureHeader(bytes, limits).problem).toBe(problem);
    const guard = new HeaderGuard(limits);
    for (const byte of bytes) guard.add(Buffer.from([byte]));
    expect(guard.problem).toBe(problem);
  });

  it('counts what the header has', () => {
    const { bytes, lines, fields, longestField } = measureHeader(Buffer.from('A: a\r\nB: b\r\n c\r\n\r\nbody: x\r\n'));
    expect({ bytes, lines, fields, longestField }).toEqual({ bytes: 18, lines: 3, fields: 2, longestField: 12 });
  });
});
