import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { findLyingLinks } from './lying-links.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';

const found = (html: string) => findLyingLinks(sanitizeMailHtml(html, { inlineImages: new Map() }).html);

describe('findLyingLinks', () => {
  it.each([
    '<a href="https://evil.com/x">https://www.bank.com/login</a>',
    '<a href="https://evil.com/x"><b>www.</b><i>bank.com</i></a>',
    '<a href="https://bank.com.evil.com/">http://bank.co.uk</a>',
    '<a href="http://192.0.2.1/">https://bank.com</a>',
    '<a href="https://evil.com/x" style="color:#0563C1">https://www.bank.com/login</a>',
    '<a lang="en" title="Your bank > here" href="https://evil.com/x">https://www.bank.com/login</a>',
    '<style>.b{color:red}</style><a class="b" href="https://evil.com/x">https://www.bank.com/login</a>',
    '<a href="#p">p</a><a id="p" href="https://evil.com/x">https://www.bank.com/login</a>',
    '<a href="www.evil.com/x">https://www.bank.com/login</a>',
    '<A HREF="HTTPS://EVIL.com/x">https://www.bank.com/login</A>',
    '<a href="https://evil.com/x">https://www.bank.com\u200b</a>',
    '<a href="https://evil.com/x">https://www.ba\u00ad\u034fnk.com/login</a>',
    '<a href="https://evil.com/x">https://www.bank.com/login<a href="https://bank.com/">x</a>',
  ])('finds the lie of %s', (html) => {
    expect(found(html)).toHaveLength(1);
  });

  it('finds the lie of a long address, and of words below much markup', () => {
    const words = `<span style="${'color: red;'.repeat(500)}">https://www.bank.com/login</span>`;
    expect(found(`<a href="https://evil.com/${'x'.repeat(5000)}">${words}</a>`)).toEqual([
      { named: 'bank.com', actual: 'evil.com' },
    ]);
  });

  it.each([
    '<a href="https://bank.com/x">https://www.bank.com/login</a>',
    '<a href="https://login.bank.com/x">www.bank.com</a>',
    '<a href="https://evil.com/x">Log in at your bank</a>',
    '<a href="https://files.com/x">report.zip</a>',
    '<a href="https://clicks.com/r?to=https%3A%2F%2Fwww.bank.com%2F">https://www.bank.com/</a>',
    '<a href="https://safe.outlook.com/?url=www.bank.com">www.bank.com</a>',
    '<a href="mailto:a@evil.com">www.bank.com</a>',
    '<a href="https://evil.com/x">see https://bank.com for more</a>',
    '<abbr title=\'<a href="https://evil.com/x">\'>https://bank.com</abbr>',
    '<a title=\' href="https://evil.com/x"\' href="https://bank.com/">https://bank.com</a>',
  ])('finds none in %s', (html) => {
    expect(found(html)).toEqual([]);
  });

  it.each([
    '<a href="https://a.com/">',
    '<a href="https://a.com/">b</a>',
    '</a>',
    '<a href="',
    '<a',
    '<a href="https://a.com/">b<',
  ])('stays fast on many of %s, and finds few', (piece) => {
    const html = piece.repeat(6_000_000 / piece.length);
    const started = cpuTimeMs();
    expect(findLyingLinks(html).length).toBeLessThanOrEqual(10);
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });
});
