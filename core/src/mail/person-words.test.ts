import { describe, expect, it } from 'vitest';
import { askedBeginnings, fitsPerson, markBeginnings, personWords } from './person-words.ts';

const jorg = { name: 'Jörg O’Neil-Groß', address: 'j.oneil@Wool.example' };
const fits = (text: string, person = jorg) => fitsPerson(personWords(person), askedBeginnings(text));

describe('what is typed of a person', () => {
  it.each([
    'jörg',
    'JORG',
    'oneil',
    'neil',
    'o’neil',
    'gross',
    'j.on',
    'j.oneil@wool.example',
    'wool',
    'wool.ex',
    'groß jö',
    'Jörg O’Neil-Groß <j.oneil@wool.example>',
    '',
  ])('fits by the beginnings of words: %s', (text) => expect(fits(text)).toBe(true));

  it.each(['örg', 'eil', '@wool', 'jörg x', 'j.oneil@wool.example2'])('does not fit: %s', (text) =>
    expect(fits(text)).toBe(false),
  );

  it('fits a name in a script without spaces by its beginning', () => {
    expect(fits('田中', { name: '田中太郎', address: 'tanaka@x.test' })).toBe(true);
  });

  it('has bounds, whatever is typed', () => {
    expect(askedBeginnings('a '.repeat(1000))).toEqual(['a']);
    expect(askedBeginnings('a b c d e f g h')).toHaveLength(5);
    const words = personWords({ name: 'é'.repeat(10_000), address: 'x@y.test' });
    expect(Math.max(...words.map((word) => word.length))).toBe(64);
  });
});

describe('what was typed in the name or the address of a person', () => {
  const marked = (text: string, typed: string) =>
    markBeginnings(text, askedBeginnings(typed)).map(([start, end]) => text.slice(start, end));

  it.each([
    ['Jörg O’Neil-Groß', 'jor', ['Jör']],
    ['Jörg O’Neil-Groß', 'JÖRG gross', ['Jörg', 'Groß']],
    ['Jörg O’Neil-Groß', 'gros', ['Groß']],
    ['Jo\u0308rg', 'jo', ['Jo\u0308']],
    ['Ann Annika', 'ann an', ['Ann', 'Ann']],
    ['Ann', 'anna', []],
    ['Joann', 'ann', []],
    ['j.oneil@wool.example', 'j.on', ['j.on']],
    ['j.oneil@wool.example', 'wool.ex one', ['one', 'wool.ex']],
    ['田中太郎', '田中', ['田中']],
    ['Anything', '', []],
  ])('is marked: %s, %s', (text, typed, expected) => expect(marked(text, typed)).toEqual(expected));
});
