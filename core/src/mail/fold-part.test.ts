import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { foldPart } from './fold-part.ts';

describe('a part of the results', () => {
  it('is folded between words, and has no line ends of its own', () => {
    expect(foldPart(`dkim=pass\r\nX: ${'a'.repeat(60)}  b c`)).toBe(`dkim=pass X: ${'a'.repeat(60)}\r\n b c`);
  });

  it.each(['x', ' ', '\u00a0 ', 'x ', '\r\n'])('takes no longer for many of %j', (piece) => {
    const start = cpuTimeMs();
    foldPart(piece.repeat(32_768));
    expect(cpuTimeMs() - start).toBeLessThan(200);
  });
});
