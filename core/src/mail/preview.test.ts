import { expect, it } from 'vitest';
import { previewOf } from './preview.ts';

it('has the words of HTML that is nothing but a quotation, but no signs of it', () => {
  const html = '<blockquote><div>Dear Bob,</div><hr><blockquote>the prices</blockquote></blockquote>';
  expect(previewOf({ text: null, html })).toBe('Dear Bob, the prices');
});

it('has the words of a text that is nothing but a quotation, but no signs of it', () => {
  expect(previewOf({ text: '> Dear Bob,\n>> the prices\n', html: null })).toBe('Dear Bob, the prices');
});

it.each([
  ['ಸಾಫ್ಟ್\u200cವೇರ್ ශ්\u200dරී می\u200cخواهم', 'ಸಾಫ್ಟ್\u200cವೇರ್ ශ්\u200dරී می\u200cخواهم'],
  ['👨\u200d👩\u200d👧 👩🏽\u200d💻', '👨\u200d👩\u200d👧 👩🏽\u200d💻'],
  ['Sale\u034f\u200c \u034f\u200d \u200d\u200c Hello', 'Sale Hello'],
  ['the file \ufffc and words', 'the file and words'],
])('keeps the signs that join letters, and no others: %j', (text, preview) => {
  expect(previewOf({ text, html: null })).toBe(preview);
});

it.each([
  [
    'Bitte aktivieren Sie HTML.',
    '<p>Ihr Paket kommt heute zwischen 10 und 12 Uhr</p>',
    'Ihr Paket kommt heute zwischen 10 und 12 Uhr',
  ],
  [
    '*Hello* Ben,\nsee you.\n> old',
    '<p><b>Hello</b> Ben,<br>see you.</p><blockquote>old</blockquote>',
    '*Hello* Ben, see you.',
  ],
  ['Only words', '<img src="https://e.test/x.png">', 'Only words'],
  ['Long text. '.repeat(30), '<p>Another text that is somewhat long</p>', `${'Long text. '.repeat(18)}L…`],
])('begins with what the reader sees of a message in two forms: %j', (text, html, preview) => {
  expect(previewOf({ text, html })).toBe(preview);
});
