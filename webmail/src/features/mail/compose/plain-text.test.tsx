import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../../../tests/support/cpu-time.ts';
import { hasFormats, htmlOfPlain, htmlOfText, plainOf, withSignature } from './plain-text.ts';
import { textOfHtml } from './text-of-html.ts';

describe('a message as plain text', () => {
  it('has a line for each block, and the spaces of a text that keeps them', () => {
    const html = '<div>One</div><div><br></div><div>Two <b>bold</b>\n words<br>Three</div>';
    expect(textOfHtml(html)).toBe('One\n\nTwo bold words\nThree');
    expect(textOfHtml('<pre>a  b\n  c</pre><p>p</p><p>q</p>')).toBe('a  b\n  c\n\np\n\nq');
  });

  it('quotes each line, however deep the quotation is', () => {
    const html =
      '<div>Yes.</div><div>Ana wrote:</div><blockquote><p>First</p><p>Second</p><blockquote>Older<br><br>still</blockquote></blockquote><div>End</div>';
    expect(textOfHtml(html)).toBe(
      ['Yes.', 'Ana wrote:', '> First', '>', '> Second', '>', '>> Older', '>>', '>> still', 'End'].join('\n'),
    );
  });

  it('keeps what lists, tables, links and pictures say', () => {
    expect(textOfHtml('<ul><li><div>a</div></li><li>b<ol start="3"><li>c</li></ol></li></ul>')).toBe(
      '- a\n- b\n  3. c',
    );
    expect(
      textOfHtml('<table><tr><td>Lot</td><td><div>Bales</div></td></tr><tr><td>7</td><td>40</td></tr></table>'),
    ).toBe('Lot\tBales\n7\t40');
    const link = '<a href="https://x.test/y">the page</a>, <a href="https://x.test/">x.test</a>';
    expect(textOfHtml(`<div>${link} <img alt="Map" src="cid:a"></div>`)).toBe(
      'the page <https://x.test/y>, x.test [Map]',
    );
    expect(textOfHtml('<style>p{}</style><script>x()</script>ok')).toBe('ok');
  });

  it('has a line for a row of a table, or for each line of its cells where one has several', () => {
    const table = (...rows: string[]) => `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`;
    const inner = table('<td>7</td><td>40</td>', '<td>8</td><td><p>a</p><p>b</p></td>');
    expect(textOfHtml(`<p>Lots</p>${table('<td><p>Lot</p></td><td> </td><td><p>Bales</p></td>')}<p>End</p>`)).toBe(
      'Lots\n\nLot\t\tBales\n\nEnd',
    );
    expect(textOfHtml(table(`<td><div>x</div></td><td>${inner}</td>`, '<td>y</td>'))).toBe(
      ['x', '', '7\t40', '8', '', 'a', '', 'b', '', 'y'].join('\n'),
    );
    expect(
      textOfHtml(`<blockquote><p>Q</p>${table('<td><blockquote>a</blockquote></td><td>b</td>')}</blockquote>`),
    ).toBe(['> Q', '>', '> > a\tb'].join('\n'));
  });

  it('takes no longer for tables within tables', () => {
    const depth = 24;
    const html = `${'<table><tr><td>a</td><td>'.repeat(depth)}x${'</td></tr></table>'.repeat(depth)}`;
    const start = cpuTimeMs();
    expect(textOfHtml(html)).toBe(`${'a\t'.repeat(depth)}x`);
    expect(textOfHtml(html.replaceAll('<td>a', '<td>a<br>b')).split('\n').length).toBeGreaterThan(2 * depth);
    expect(cpuTimeMs() - start).toBeLessThan(1000);
  });

  it.each(['', 'a', '  two  spaces\n\n> <b>&amp;\n', '\nfirst line is empty'])('is kept as it is: %j', (text) => {
    expect(plainOf(htmlOfPlain(text))).toBe(text);
  });

  it.each([
    '<div>a</div>',
    '<div style="white-space: pre-wrap"><b>a</b></div>',
    '<div style="white-space: pre-wrap; color: red">a</div>',
    `${htmlOfPlain('a')}<div>b</div>`,
  ])('is not taken for one: %s', (html) => expect(plainOf(html)).toBeNull());

  it('loses nothing without a warning', () => {
    expect(hasFormats('<div style="font-family: Arial; font-size: 11pt">a<br>https://x.test</div>')).toBe(false);
    expect(hasFormats('<div><a href="https://x.test/">https://x.test</a></div>')).toBe(false);
    expect(hasFormats(htmlOfPlain('a'))).toBe(false);
    for (const html of [
      '<b>a</b>',
      '<table></table>',
      '<img src="data:image/png;base64,AA==">',
      '<span style="color: red">a</span>',
      '<span style="font-size: 14pt">a</span>',
      '<a href="https://x.test/">words</a>',
    ]) {
      expect.soft(hasFormats(html), html).toBe(true);
    }
  });

  it('gets another signature in its place, or one above what is quoted', () => {
    const [ana, ben] = ['<div>Ana</div>', '<p>Ben</p>'];
    expect(withSignature('Hi\n\nAna\n\n> Ana', { previous: '', next: '' })).toBe('Hi\n\nAna\n\n> Ana');
    expect(withSignature('Hi\n\nAna\n', { previous: ana, next: ben })).toBe('Hi\n\nBen\n');
    expect(withSignature('Hi\n\nOn Monday Cy wrote:\n> Old', { previous: '', next: ben })).toBe(
      'Hi\n\nBen\n\nOn Monday Cy wrote:\n> Old',
    );
    expect(withSignature('Hi', { previous: '', next: ben })).toBe('Hi\n\nBen\n');
  });

  it('gets another signature in its own place, also where a name that is quoted is the signature', () => {
    const change = { previous: '<div>Ana</div>', next: '<div>Ben</div>' };
    const quote = 'On Monday, Cy <cy@x.test> wrote:\n\n> Dear Ana';
    expect(withSignature(`Hi, Ana here\n\nAna\n\n${quote}`, change)).toBe(`Hi, Ana here\n\nBen\n\n${quote}`);
    const forwarded = '---------- Forwarded message ----------\nFrom: Ana <ana@x.test>\n\nHello\nAna';
    expect(withSignature(`See below\n\nAna\n\n${forwarded}`, change)).toBe(`See below\n\nBen\n\n${forwarded}`);
    expect(withSignature(`See below\n\n${forwarded}`, { ...change, previous: '' })).toBe(
      `See below\n\nBen\n\n${forwarded}`,
    );
    const html = htmlOfText(`Hi\nAna\n\n${quote}`, change.previous);
    expect(html).toContain('<div id="selvage-signature"><div>Ana</div></div>');
    expect(textOfHtml(html)).toContain('> Dear Ana');
  });

  it('becomes a text with formats again, its signature with the formats that it has', () => {
    const html = htmlOfText('Hi\nAna Ruiz\nCy wrote:\n> Old', '<div>Ana <b>Ruiz</b></div>');
    expect(html).toContain('<div id="selvage-signature"><div>Ana <b>Ruiz</b></div></div>');
    expect(html).toMatch(/<blockquote><div[^>]*>Old<\/div><\/blockquote>$/);
    expect(textOfHtml(html)).toBe('Hi\nAna Ruiz\n\nCy wrote:\n> Old');
  });
});
