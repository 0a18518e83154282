import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { textFromHtml, wordsFromHtml } from './text-from-html.ts';

describe('the plain text of HTML', () => {
  it('has a line for each line of an editor, and a blank one around paragraphs and headings', () => {
    const lines = '<div>Dear Bob,</div><div><br></div><div>the prices:</div>\n<div>A <b>10</b>\n net<br>B 20</div>';
    expect(textFromHtml(lines)).toBe('Dear Bob,\n\nthe prices:\nA 10 net\nB 20');
    expect(textFromHtml('<h1>Prices</h1><p>One</p>\n<p>Two</p><div>Three</div>')).toBe('Prices\n\nOne\n\nTwo\n\nThree');
  });

  it('has no blank line between the paragraphs that Outlook writes for lines', () => {
    const lines = (style: string) =>
      textFromHtml(['One', '&nbsp;', 'Two', 'Three'].map((line) => `<p style="${style}">${line}</p>`).join(''));
    for (const style of ['margin:0cm', 'margin:0in 0in 0pt', 'color: red; margin: 0;margin-bottom:.0001pt'])
      expect.soft(lines(style), style).toBe('One\n\nTwo\nThree');
    for (const style of ['', 'margin:0 0 12px', 'margin:0cm;margin-bottom:8.0pt', 'margin-left:0'])
      expect.soft(textFromHtml(`<p style="${style}">One</p><p style="${style}">Two</p>`), style).toBe('One\n\nTwo');
  });

  it('begins each line of a quotation with its sign', () => {
    const older = '<blockquote>Older<br><br>still</blockquote>';
    const quote = `<blockquote><div style="white-space: pre-wrap">Hi,\n\n  A   10\n</div>${older}<p>Bea</p></blockquote>`;
    expect(textFromHtml(`<div>Yes.</div><div>Bea wrote:</div>${quote}<div>End</div>`)).toBe(
      ['Yes.', 'Bea wrote:', '> Hi,', '>', '>   A   10', '>> Older', '>>', '>> still', '>', '> Bea', '', 'End'].join(
        '\n',
      ),
    );
  });

  it('keeps spaces and line ends where they are shown', () => {
    expect(textFromHtml('<pre>\na  b\r\n\tc</pre>')).toBe('a  b\n\tc');
    expect(textFromHtml('<div style="color: red; WHITE-SPACE:pre">a  b\n c<i>\nd</i></div>')).toBe('a  b\n c\nd');
    expect(textFromHtml('<pre>a\n<span style="white-space: normal">b\n c</span></pre>')).toBe('a\nb c');
    expect(textFromHtml('<div>A &nbsp; &amp;  B</div><div>&nbsp; C</div>')).toBe('A   & B\n  C');
  });

  it('indents a list within a list, also where it stands between the items as editors write it', () => {
    expect(textFromHtml('<p>A</p><ul><li>a</li><ul><li>b<br>c</li><li>d</li></ul><li>e</li></ul><p>B</p>')).toBe(
      'A\n\n- a\n  - b\n    c\n  - d\n- e\n\nB',
    );
    expect(textFromHtml('<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>')).toBe('1. a\n  1. b\n2. c');
    expect(textFromHtml('<ul><ul><li>a</li></ul></ul>')).toBe('  - a');
  });

  it('counts the items of a list', () => {
    const items = '<li><div>first</div></li>\n<li>second<ul><li>a<br>b</li></ul></li>';
    expect(textFromHtml(`<ol>${items}</ol>`)).toBe('1. first\n2. second\n  - a\n    b');
    expect(textFromHtml(`<ol start="9">${items}</ol><ol start="x"><li>x</ol>`)).toMatch(
      /^9\. first\n10\. [^]*\n1\. x$/,
    );
  });

  it('has a line for a row of a table, unless a cell has several', () => {
    const head = '<tr>\n<td>Lot</td>\n<td><p>Bales</p></td>\n</tr>';
    expect(textFromHtml(`<table>${head}<tr><td>7<td>40</table>`)).toBe('Lot\tBales\n7\t40');
    expect(textFromHtml(`<div style="white-space: pre-wrap"><table>\n${head}\n</table></div>`)).toBe('Lot\tBales');
    expect(textFromHtml('<table><tr><td>a</td><td>b<br>c</td></tr></table>')).toBe('a\nb\nc');
    expect(textFromHtml('<table><tr>lost<td>a</td>words<td>b</td></tr></table>')).toBe('lost\na\nwords\nb');
    const long = 'x'.repeat(2000);
    expect(textFromHtml(`<table><tr><td>a</td><td>${long}</td></tr></table>`)).toBe(`a\n${long}`);
  });

  it('says where links lead, once', () => {
    const links = '<a href="https://x.test/y">the <b>page</b></a>, <a href="https://x.test/">x.test</a>';
    expect(textFromHtml(`${links} <a href="mailto:a@x.test">Ann</a> <a href="https://x.test/"> </a>|`)).toBe(
      'the page <https://x.test/y>, x.test Ann |',
    );
  });

  it('has no signs where only the words are wanted', () => {
    const html = '<p>Yes</p><hr><blockquote>Is it<blockquote>true</blockquote></blockquote>';
    expect(textFromHtml(html)).toBe('Yes\n\n----------\n> Is it\n>> true');
    expect(wordsFromHtml(html).split(/\s+/)).toEqual(['Yes', 'Is', 'it', 'true']);
  });

  it.each([
    ['line ends that count', '<pre>', '\n'],
    ['line ends within quotations', '<blockquote>'.repeat(900), '<br>a'],
    ['rows', '<table>', '<tr><td>a<td>b'],
    ['rows within rows', '<table><tr><td><pre>\n\n'.repeat(150), '\n'],
    ['cells beside tables', '<table><tr><td>a</td><td>'.repeat(300), 'b '],
    ['items', '', '<ol><li></ol>'],
    ['items within items', '<ul><li>'.repeat(450), '<br>a'],
    ['pieces of one line', '', '<i>a</i> '],
    ['links', '', '<a href=http://x.test/>a'],
    ['beginnings of styles', '<p style="', ';  '],
    ['beginnings of code', '', '<pre '],
  ])('takes linear time for %s', (_case, before, piece) => {
    const started = cpuTimeMs();
    const text = textFromHtml(before + piece.repeat(1_000_000 / piece.length));
    expect(cpuTimeMs() - started).toBeLessThan(3000);
    expect(text.length).toBeLessThan(30_000_000);
  });
});
