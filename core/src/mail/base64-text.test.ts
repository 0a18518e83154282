import { expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');
const greeting = 'Schöne Grüße aus Köln';
const long = 'Größe '.repeat(100);
const folded = encoded(long).replace(/.{76}/g, '$&\r\n');

async function textOf(body: string, step = body.length, type = 'text/plain'): Promise<string | null> {
  const raw = Buffer.from(`Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`);
  async function* source() {
    for (let at = 0; at < raw.length; at += step) yield raw.subarray(at, at + step);
  }
  const { text, html } = await parseMessage(source());
  return text ?? html;
}

it.each([
  ['one line', encoded(greeting), greeting],
  ['many lines', folded, long],
  ['one line of any length', encoded(long.repeat(10)), long.repeat(10)],
  ['lines that are short, of odd lengths', encoded(long).replace(/.{7}/g, '$&\r\n'), long],
  ['blank lines within', folded.replaceAll('\r\n', '\r\n\r\n'), long],
  ['blank lines between lines of odd lengths', encoded(long).replace(/.{7}/g, '$&\r\n\r\n'), long],
  ['blank lines before', `\r\n\r\n${folded}`, long],
  ['signs that are none of base64', folded.replaceAll('\r\n', '!\r\n'), long],
  ['two texts, each with its padding', `${encoded('a')}\r\n${encoded('bc')}`, 'abc'],
  ['padding in two lines', `${encoded('a').slice(0, -1)}\r\n=`, 'a'],
  ['no padding', encoded('a').replaceAll('=', ''), 'a'],
  ['a footer', `${encoded(greeting)}\r\n\r\n____\r\nThe list\r\n`, `${greeting}\n____\nThe list\n`],
  ['a footer right behind its padding', `${encoded('a')}\r\n-- \r\nOur list`, 'a\n-- \nOur list'],
  ['a footer of a word behind its padding', `${encoded('a')}\r\n\r\nBye\r\n`, 'a\nBye\n'],
  ['a footer behind a blank line', `${encoded('abc')}\r\n\r\n-- \r\nOur list`, 'abc\n-- \nOur list'],
  ['a footer in UTF-8', `${encoded('a')}\r\nGrüße: x`, 'a\nGrüße: x'],
])('reads base64 with %s', async (_case, body, text) => {
  expect(await textOf(body)).toBe(text);
  expect(await textOf(body, 5)).toBe(text);
});

it('reads a footer behind HTML', async () => {
  expect(await textOf(`${encoded('<p>ö</p>')}\r\n\r\n-- \r\nThe list`, 100, 'text/html')).toBe(
    '<p>ö</p>\n-- \nThe list',
  );
});

it('leaves a file as it is', async () => {
  const type = 'Content-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment';
  const raw = `${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded('abc')}\r\n`;
  const { attachments } = await parseMessage(Buffer.from(raw), { keepContent: true });
  expect(attachments.map(({ content }) => content?.toString())).toEqual(['abc']);
});
