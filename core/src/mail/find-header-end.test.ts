import { dkimVerify } from 'mailauth';
import { expect, it } from 'vitest';
import { findHeaderEnd, searchForHeaderEnd } from './find-header-end.ts';

/** The end as mailauth finds it, byte by byte. */
function endByBytes(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at += 1) {
    const [before, last, now] = [bytes[at - 2], bytes[at - 1], bytes[at]];
    const isEmptyLine = last === 0x0a || (last === 0x0d && before === 0x0a) || at === 0 || (at === 1 && last === 0x0d);
    if (now === 0x0a && isEmptyLine) return at + 1;
  }
  return -1;
}

it('finds the end of every header of up to seven letters and line ends where mailauth finds it', () => {
  const letters = ['a', '\r', '\n'];
  let texts = [''];
  for (let length = 1; length <= 7; length += 1) {
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    for (const text of texts) {
      const bytes = Buffer.from(text);
      expect([text, findHeaderEnd(bytes)]).toEqual([text, endByBytes(bytes)]);
    }
  }
});

it('leaves what mailauth reads of a message the same', async () => {
  const messages = [
    'From: a@b.test\r\nSubject: cloth\r\n\r\nThe text.\r\n\r\nMore.\r\n',
    'From: a@b.test\n\nThe text.\n',
    'From: a@b.test\r\n\r\n',
    'From: a@b.test\r\n',
    '\r\nFrom: a@b.test\r\n\r\nThe text.\r\n',
    '',
  ];
  const readAll = () => Promise.all(messages.map((text) => dkimVerify(Buffer.from(text), {})));
  const before = await readAll();
  expect(before[0]?.headerFrom).toEqual(['a@b.test']);
  searchForHeaderEnd();
  expect(await readAll()).toEqual(before);
});
