import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { decodeBytes } from './decode-bytes.ts';
import { parseMessage } from './parse-message.ts';

const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('decodeBytes', () => {
  it.each([
    ['UTF-8', utf8('Здравствуйте, Größe 10 €'), 'Здравствуйте, Größe 10 €'],
    ['Windows-1252', latin1('Gr\xf6\xdfe 10 \x80'), 'Größe 10 €'],
    [
      'UTF-8 with a byte of another charset',
      latin1(`${utf8('Здравствуйте').toString('latin1')} \xe9`),
      'Здравствуйте �',
    ],
    ['UTF-8 that is cut within its last character', utf8('Größe 10 €').subarray(0, -1), 'Größe 10 �'],
    ['UTF-8 that was damaged before', latin1(`${utf8('a � b �').toString('latin1')} \xe9`), 'a � b � �'],
    ['Windows-1252 with what is UTF-8 by chance', latin1('Gr\xf6\xdfe \xc2\xa9 K\xf6ln'), 'Größe Â© Köln'],
  ])('reads %s', (_case, bytes, text) => {
    expect(decodeBytes(bytes)).toBe(text);
  });

  it('reads what is no UTF-8 in the charset that it is given', () => {
    expect(decodeBytes(latin1('\xcf\xf0\xe8'), 'windows-1251')).toBe('При');
    expect(decodeBytes(utf8('При'), 'windows-1251')).toBe('При');
  });

  it.each([
    ['damaged UTF-8', utf8('é'), 0xff],
    ['Windows-1252', Buffer.from([0xe9]), 0xe9],
    ['signs for what could not be read', utf8('�'), 0xff],
  ])('is fast for megabytes of %s', (_case, filler, last) => {
    const bytes = Buffer.alloc(5 * 1_048_576, filler);
    bytes[bytes.length - 1] = last;
    const started = cpuTimeMs();
    decodeBytes(bytes);
    expect(cpuTimeMs() - started).toBeLessThan(2000);
  });
});

describe('the text of a message', () => {
  const japanese = '\x1b$B$3$s$K$A$O\x1b(B';
  it.each([
    ['text/plain', japanese, 'こんにちは'],
    ['text/plain; charset=us-ascii', `a ${japanese} b`, 'a こんにちは b'],
    ['text/html; charset=utf-8', `<p>${japanese}</p>`, '<p>こんにちは</p>'],
    ['text/plain; charset=utf-8', '\x1b[1mbold\x1b[0m', '\x1b[1mbold\x1b[0m'],
  ])('may be in ISO-2022-JP that it does not name: %s, %j', async (contentType, bytes, words) => {
    const { text, html } = await parseMessage(latin1(`Content-Type: ${contentType}\r\n\r\n${bytes}`));
    expect(text ?? html).toBe(words);
  });
});
