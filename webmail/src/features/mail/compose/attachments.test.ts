import { describe, expect, it } from 'vitest';
import { sortFiles } from './attachments.ts';

const file = (name: string, type: string, size: number) => new File([new Uint8Array(size)], name, { type });

describe('sortFiles', () => {
  it('accepts files up to their limit', () => {
    const { accepted, problems } = sortFiles([file('a.png', 'image/png', 1_048_576)], 0);
    expect([accepted.length, problems]).toEqual([1, []]);
  });
  it('names the file and the limit of what is too large', () => {
    const { accepted, problems } = sortFiles([file('big.png', 'image/png', 1_048_577)], 0);
    expect(accepted).toEqual([]);
    expect(problems[0]).toMatch(/“big\.png”.*at most 1 MB/);
  });
  it('accepts no more than fifty files', () => {
    expect(sortFiles([file('x.txt', 'text/plain', 1)], 50).problems[0]).toContain('at most 50 files');
  });
});
