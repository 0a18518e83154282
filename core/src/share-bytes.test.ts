import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { longestTurn } from '../../tests/support/event-loop.ts';
import { joinBytes, shareBytes } from './share-bytes.ts';

describe('shareBytes', () => {
  it.each([[[]], [[0]], [[5]], [[1, 0, 3_000_000, 2_097_152, 7]]])('joins blocks of %j bytes', async (lengths) => {
    const blocks = lengths.map((length) => randomBytes(length));
    const shared = await shareBytes(blocks);
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(shared.equals(Buffer.concat(blocks))).toBe(true);
  });

  it('copies nothing that is shared already', async () => {
    const shared = await shareBytes([randomBytes(10)]);
    expect(await shareBytes([shared])).toBe(shared);
  });

  it('leaves turns to others while it copies', async () => {
    const bytes = Buffer.alloc(50_000_000, 1);
    await shareBytes([bytes.subarray(0, 10_000_000)]);
    expect(await longestTurn(() => shareBytes([bytes]))).toBeLessThan(25);
  });
});

describe('joinBytes', () => {
  it.each([[[]], [[3, 4]], [[200_000, 62_144]], [[200_000, 62_145]]])('joins pieces of %j bytes', async (lengths) => {
    const pieces = lengths.map((length) => randomBytes(length));
    expect((await joinBytes(pieces)).equals(Buffer.concat(pieces))).toBe(true);
  });
});
