import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { parseMessage } from './parse-message.ts';
import type { StructurePart } from './structure/message-structure.ts';
import { StructureScanner } from './structure/structure-scanner.ts';

const file = (content: string) => ['Content-Type: application/x', '', content];
const multipart = (boundary: string) => [`Content-Type: multipart/mixed; boundary="${boundary}"`, ''];
const within = (depth: number) =>
  Array.from({ length: depth }, (_, level) => [...multipart(`b${level}x`), `--b${level}x`]).flat();
const bytesOf = (lines: string[]) => Buffer.from(lines.join('\r\n'));

/** What the files of a message hold. */
async function filesOf(raw: Buffer): Promise<string[]> {
  const { attachments, text } = await parseMessage(raw, { keepContent: true });
  expect(text).toBeNull();
  return attachments.map(({ content }) => String(content));
}

/** The same as mail programs find it that ask for the structure first. */
function partsOf(raw: Buffer): string[] {
  const scanner = new StructureScanner();
  scanner.add(raw);
  const leaves = ({ parts, body, end }: StructurePart): string[] =>
    parts ? parts.flatMap(leaves) : [raw.toString('utf8', body, end)];
  return leaves(scanner.finish());
}

describe('a multipart that is not closed', () => {
  it.each([
    [
      'ends with the next part around it',
      [
        ...multipart('a'),
        '--a',
        ...multipart('b'),
        '--b',
        ...file('1'),
        '--b',
        ...file('2'),
        '--a',
        ...file('3'),
        '--a--',
      ],
      ['1', '2', '3'],
    ],
    [
      'ends with the last boundary around it',
      [...multipart('a'), '--a', ...multipart('b'), '--b', ...file('1'), '--a--', '--b', ...file('2')],
      ['1'],
    ],
    [
      'ends together with others that are not',
      [...within(5), ...file('1'), '--b1x', ...file('2'), '--b0x', ...file('3'), '--b0x--'],
      ['1', '2', '3'],
    ],
    [
      'ends although one within it is closed',
      [...within(3), ...file('1'), '--b2x--', '--b0x', ...file('2'), '--b0x--'],
      ['1', '2'],
    ],
    [
      'ends with a boundary that white space follows',
      [...within(3), ...file('1'), '--b0x \t', ...file('2'), '--b0x-- '],
      ['1', '2'],
    ],
    [
      'does not end with a line that only begins like a boundary',
      [...within(3), ...file('1'), '--b0', '--b0xy', '--b0x-', '--b0x---', ' --b0x', '--b0x', ...file('2'), '--b0x--'],
      ['1\r\n--b0\r\n--b0xy\r\n--b0x-\r\n--b0x---\r\n --b0x', '2'],
    ],
  ])('%s', async (_case, lines, files) => {
    const raw = bytesOf(lines);
    expect(await filesOf(raw)).toEqual(files);
    expect(partsOf(raw)).toEqual(files);
  });

  it('costs no more for lines that begin like boundaries, however many are around them', async () => {
    const raw = Buffer.concat([bytesOf([...within(45), ...file('')]), Buffer.alloc(3_000_000, '--yyy\n')]);
    const started = cpuTimeMs();
    await parseMessage(raw);
    expect(cpuTimeMs() - started).toBeLessThan(3000);
  });
});
