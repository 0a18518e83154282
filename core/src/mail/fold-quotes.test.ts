import { describe, expect, it } from 'vitest';
import { foldQuotes } from './fold-quotes.ts';

const long = 'A sentence that is quoted. '.repeat(10);

describe('foldQuotes', () => {
  it('folds a long quote once, with the quotes inside it', () => {
    const quote = `<blockquote class="q">${long}<blockquote>${long}</blockquote></blockquote>`;
    expect(foldQuotes(`<p>Agreed.</p>${quote}<p>Ana</p>`)).toBe(
      `<p>Agreed.</p><details><summary>Show quoted text</summary>${quote}</details><p>Ana</p>`,
    );
  });

  it('leaves short quotes, and a message that is nothing but a quote', () => {
    const short = '<p>Yes.</p><blockquote>Really?</blockquote>';
    expect(foldQuotes(short)).toBe(short);
    const only = `<blockquote>${long}</blockquote>`;
    expect(foldQuotes(only)).toBe(only);
  });

  it('survives tags that do not match', () => {
    expect(foldQuotes(`</blockquote><p>x</p><blockquote>${long}`)).toBe(`</blockquote><p>x</p><blockquote>${long}`);
  });
});
