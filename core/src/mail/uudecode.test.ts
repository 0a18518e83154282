import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { extractAttachment, parseMessage } from './parse-message.ts';
import { UuDecoder } from './uudecode.ts';

/** As the uuencode program writes it. */
const cat = ['begin 644 cat.txt', '#0V%T', '`', 'end', ''].join('\r\n');

/** The lines of a whole file, with backquotes or with spaces for zeros. */
function encode(bytes: Buffer, zero: string): string {
  const sign = (value: number) => (value === 0 ? zero : String.fromCharCode(value + 32));
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 45) {
    const piece = bytes.subarray(start, start + 45);
    let line = sign(piece.length);
    for (let at = 0; at < piece.length; at += 3) {
      const bits = ((piece[at] ?? 0) << 16) | ((piece[at + 1] ?? 0) << 8) | (piece[at + 2] ?? 0);
      line += [18, 12, 6, 0].map((shift) => sign((bits >> shift) & 63)).join('');
    }
    lines.push(line.trimEnd());
  }
  return ['begin 644 a.bin', ...lines, zero, 'end', ''].join('\r\n');
}

async function decode(text: string, chunk = 7): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(text.length / chunk) }, (_, index) =>
    Buffer.from(text.slice(index * chunk, (index + 1) * chunk), 'latin1'),
  );
  return await buffer(Readable.from(pieces).pipe(new UuDecoder()));
}

describe('UuDecoder', () => {
  it.each(['`', ' '])('decodes any bytes in any pieces, with %j for zero', async (zero) => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) & 255));
    for (const size of [0, 1, 2, 3, 44, 45, 46, 1000]) {
      const part = bytes.subarray(0, size);
      for (const chunk of [1, 7, 5000]) expect(await decode(encode(part, zero), chunk)).toEqual(part);
    }
  });

  it('leaves out what stands before and behind the file', async () => {
    expect((await decode(`hello\r\n\r\n${cat}\r\nbye\r\n`)).toString()).toBe('Cat');
    expect((await decode(cat.replaceAll('\r\n', '\n'))).toString()).toBe('Cat');
    expect((await decode('begin 644 cat.txt\r\n#0V%T')).toString()).toBe('Cat');
  });

  it('gives text that is no uuencode as it is', async () => {
    for (const text of ['just text', 'x'.repeat(200_000), `${'line\r\n'.repeat(30_000)}end`])
      expect((await decode(text, 4096)).toString()).toBe(text);
  });

  it('keeps little of an endless line', async () => {
    expect(await decode(`begin 644 a\r\n${'x'.repeat(300_000)}\r\n#0V%T\r\nend\r\n`, 4096)).toEqual(Buffer.from('Cat'));
  });
});

describe('a part in uuencode', () => {
  it.each(['x-uuencode', 'UUENCODE', 'x-uue', 'x-uuencode (old)'])(
    'is decoded as a file, named %s',
    async (encoding) => {
      const raw = Buffer.from(
        `Content-Type: application/pdf; name=cat.pdf\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${cat}`,
      );
      const found = await extractAttachment(raw, 0);
      expect(found?.content.toString()).toBe('Cat');
      expect(found?.meta).toMatchObject({ filename: 'cat.pdf', size: 3 });
    },
  );

  it('is decoded as text in its charset', async () => {
    const head = 'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n';
    const raw = Buffer.from(`${head}${encode(Buffer.from('Olé\r\n', 'latin1'), '`')}`);
    expect((await parseMessage(raw)).text).toBe('Olé\n');
  });
});
