import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { zipFiles } from './zip-files.ts';

const when = new Date('2026-11-23T15:30:20Z');

async function zip(files: [name: string, content: string | Buffer][]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const given = files.map(([name, content]) => ({ name, content: Buffer.from(content) }));
  for await (const part of zipFiles(given, when)) parts.push(part);
  return Buffer.concat(parts);
}

const names = async (...given: string[]) => Object.keys(unzipSync(await zip(given.map((name) => [name, name]))));

describe('an archive of files', () => {
  it('is opened by another program, with the bytes of each file', async () => {
    const random = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256));
    const files = unzipSync(
      await zip([
        ['Zürich 東京.txt', 'hello'],
        ['empty', ''],
        ['data.bin', random],
      ]),
    );
    expect(Object.keys(files)).toEqual(['Zürich 東京.txt', 'empty', 'data.bin']);
    expect(Buffer.from(files['data.bin'] ?? []).equals(random)).toBe(true);
    expect(Buffer.from(files['Zürich 東京.txt'] ?? []).toString()).toBe('hello');
    expect(files['empty']).toHaveLength(0);
  });

  it('says that names are UTF-8, in both headers', async () => {
    const bytes = await zip([['ü.txt', 'x']]);
    expect(bytes.readUInt16LE(6) & 0x0800).toBe(0x0800);
    expect(bytes.readUInt16LE(bytes.indexOf('PK\x01\x02') + 8) & 0x0800).toBe(0x0800);
  });

  it('gives each file a name of its own', async () => {
    expect(await names('a.txt', 'a.txt', 'A.TXT', 'a (2).txt', '.hidden', '.hidden')).toEqual([
      'a.txt',
      'a (2).txt',
      'A (3).TXT',
      'a (2) (2).txt',
      '.hidden',
      '.hidden (2)',
    ]);
  });

  it('keeps long names within 255 bytes', async () => {
    const long = `${'ü'.repeat(125)}.txt`;
    const [, second = ''] = await names(long, long);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
    expect(second).toMatch(/^ü+ \(2\)\.txt$/);
  });

  it('takes no longer than linear time for many files of one name', async () => {
    const start = cpuTimeMs();
    expect(await names(...Array.from({ length: 5000 }, () => 'a.txt'))).toHaveLength(5000);
    expect(cpuTimeMs() - start).toBeLessThan(2000);
  });

  it('may be empty', async () => {
    expect(unzipSync(await zip([]))).toEqual({});
  });
});
