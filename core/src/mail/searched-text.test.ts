import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { searchText } from './message-tasks.ts';
import { searchedText } from './searched-text.ts';

it('has the words that the reader of a message in two forms sees', async () => {
  const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n`;
  const raw =
    'Subject: Invoice\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n' +
    part('text/plain', 'Your program shows no HTML.') +
    part('text/html', '<p>Invoice <b>RE-2024/0815</b>, 99 Euro</p>') +
    '--b--\r\n';
  expect((await searchText(Buffer.from(raw))).text).toBe('Invoice RE-2024/0815, 99 Euro\nYour program shows no HTML.');
});

it.each([
  ['of the plain text alone', 'One.', null, 'One.'],
  ['of the HTML alone', null, '<p>One.</p>', 'One.'],
  ['of neither', null, null, ''],
  [
    'once that both have, however their lines break',
    '> ONE\r\ntwo * three\r\n',
    '<p>One two</p><p>three</p>',
    'One two\n\nthree',
  ],
  [
    'of the plain text line by line',
    'one two\nthree four\nfive',
    '<p>one two four five</p>',
    'one two four five\nthree four',
  ],
  ['of the plain text beside HTML that has pictures alone', 'One\ntwo', '<img src="cid:a">', '\nOne\ntwo'],
])('has the words %s', (_name, text, html, words) => {
  expect(searchedText({ text, html })).toBe(words);
});

it('has the beginning of a long message, and is not held up by its end', () => {
  const long = (from: number) => Array.from({ length: 400_000 }, (_, index) => `w${from + index}`).join('\n');
  const begin = cpuTimeMs();
  expect(searchedText({ text: long(1e6), html: null })).toHaveLength(300_000);
  expect(searchedText({ text: long(1e6), html: `<p>${long(2e6)}</p>` })).toHaveLength(300_000);
  expect(cpuTimeMs() - begin).toBeLessThan(3000);
});
