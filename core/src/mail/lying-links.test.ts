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
  ])('finds the lie of %s', (html) => {
    expect(found(html)).toHaveLength(1);
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
  ])('finds none in %s', (html) => {
    expect(found(html)).toEqual([]);
  });

  it.each(['<a href="https://a.com/">', '<a href="https://a.com/">b</a>', '</a>', '<a href="'])(
    'stays fast on many of %s, and finds few',
    (piece) => {
      const html = piece.repeat(6_000_000 / piece.length);
      const started = cpuTimeMs();
      expect(findLyingLinks(html).length).toBeLessThanOrEqual(10);
      expect(cpuTimeMs() - started).toBeLessThan(500);
    },
  );
});
