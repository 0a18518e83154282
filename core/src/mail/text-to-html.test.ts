import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { textToHtml } from './text-to-html.ts';

const linksOf = (text: string) => [...textToHtml(text).matchAll(/<a href="([^"]*)"[^>]*>\1<\/a>/g)].map(([, to]) => to);

describe('an address in a plain text', () => {
  it.each([
    ['https://x.test/wiki/Mail_(app) now', 'https://x.test/wiki/Mail_(app)'],
    ['(see https://x.test/wiki/Mail_(app)), or', 'https://x.test/wiki/Mail_(app)'],
    ['https://x.test/f((x)).', 'https://x.test/f((x))'],
    ['https://x.test/(a)/(b).)', 'https://x.test/(a)/(b)'],
    ['(https://x.test/a)', 'https://x.test/a'],
    ['(https://x.test/a(b).html)', 'https://x.test/a(b).html'],
    ['[a](https://x.test/b_(c))', 'https://x.test/b_(c)'],
    ['Is it https://x.test/a?b=1&c=2?', 'https://x.test/a?b=1&amp;c=2'],
    ['詳細はhttps://x.test/a。次に', 'https://x.test/a'],
    ['「https://x.test/a?b=1」を見て', 'https://x.test/a?b=1'],
    ['见https://x.test/a，谢谢', 'https://x.test/a'],
    ['（https://x.test/a）', 'https://x.test/a'],
    ['at “https://x.test/a”', 'https://x.test/a'],
    ['„https://x.test/a“ und', 'https://x.test/a'],
    ['«https://x.test/a»', 'https://x.test/a'],
    ['‘https://x.test/a’', 'https://x.test/a'],
    ['https://x.test/a…', 'https://x.test/a'],
    ['https://例え.test/東京', 'https://例え.test/東京'],
  ])('ends where it is meant to end: %s', (text, address) => expect(linksOf(text)).toEqual([address]));

  it.each([
    ['See www.x.test/a_(b), or', 'http://www.x.test/a_(b)', 'www.x.test/a_(b)'],
    ['(www.bär.test)', 'http://www.bär.test', 'www.bär.test'],
    ['Ben <ben.rao+mill@x.co.test>.', 'mailto:ben.rao+mill@x.co.test', 'ben.rao+mill@x.co.test'],
    ['Mail: ben@x.test, or', 'mailto:ben@x.test', 'ben@x.test'],
  ])('is a link without a scheme too: %s', (text, href, words) => {
    expect(textToHtml(text)).toContain(`<a href="${href}" target="_blank" rel="noopener noreferrer">${words}</a>`);
  });

  it.each(['ben@x', 'a@b@c.test', 'https:/x.test', 'www.', 'www. x.test', 'xwww.x.test', '@x.test'])(
    'is not taken from %s',
    (text) => expect(textToHtml(text)).not.toContain('<a '),
  );

  it('is one link where it holds a mail address', () => {
    expect(linksOf('https://x.test/a@b.test?to=c@d.test')).toEqual(['https://x.test/a@b.test?to=c@d.test']);
  });

  it('leaves the text around it as it is', () => {
    const html = textToHtml('One (https://x.test/a_(b)) <two>');
    expect(html.replace(/<\/?(?:a|div)\b[^>]*>/g, '')).toBe('One (https://x.test/a_(b)) &lt;two&gt;');
  });

  it.each(['https://x.test/(', 'https://x.test/a) ', '(', ')', 'http://)', 'http://.', 'www.a)', 'a@b.', 'a.', 'a+'])(
    'takes linear time on a megabyte of %j',
    (piece) => {
      const started = cpuTimeMs();
      textToHtml(piece.repeat(1_000_000 / piece.length));
      textToHtml(`https://x.test/${piece.repeat(500_000 / piece.length)}${')'.repeat(500_000)}`);
      expect(cpuTimeMs() - started).toBeLessThan(2000);
    },
  );
});
