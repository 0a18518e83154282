import { describe, expect, it } from 'vitest';
import { sortFiles } from './attachments.ts';

const file = (name: string, type: string, size: number) => new File([new Uint8Array(size)], name, { type });
const none = { files: 0, bytes: 0 };

describe('sortFiles', () => {
  it('accepts files up to their limit', () => {
    const { accepted, problems } = sortFiles([file('a.png', 'image/png', 1_048_576)], none);
    expect([accepted.length, problems]).toEqual([1, []]);
  });
  it('names the file and the limit of what is too large', () => {
    const { accepted, problems } = sortFiles([file('big.png', 'image/png', 1_048_577)], none);
    expect(accepted).toEqual([]);
    expect(problems[0]).toMatch(/“big\.png”.*at most 1 MB/);
  });
  it('accepts no more than fifty files', () => {
    expect(sortFiles([file('x.txt', 'text/plain', 1)], { files: 50, bytes: 0 }).problems[0]).toContain(
      'at most 50 files',
    );
  });
  it('accepts no more than 25 MB in all, counting what is there already', () => {
    const files = [file('a.bin', '', 3_000_000), file('b.bin', '', 3_000_000), file('c.txt', '', 10)];
    const { accepted, problems } = sortFiles(files, { files: 2, bytes: 20_971_520 });
    expect(accepted.map(({ name }) => name)).toEqual(['a.bin', 'c.txt']);
    expect(problems[0]).toMatch(/“b\.bin”.*at most 25 MB/);
  });
});
