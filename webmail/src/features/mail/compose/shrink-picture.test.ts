import { describe, expect, it } from 'vitest';
import { isShrinkable, shrunkSize } from './shrink-picture.ts';

describe('a picture that is made smaller', () => {
  it('keeps its shape and is never larger than before', () => {
    expect(shrunkSize(4096, 3072)).toEqual({ width: 2048, height: 1536 });
    expect(shrunkSize(1000, 8192)).toEqual({ width: 250, height: 2048 });
    expect(shrunkSize(800, 600)).toEqual({ width: 800, height: 600 });
    expect(shrunkSize(100_000, 1)).toEqual({ width: 2048, height: 1 });
  });

  it('is one that stands still', () => {
    expect(['image/png', 'image/gif', 'image/svg+xml'].map((type) => isShrinkable({ type }))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
