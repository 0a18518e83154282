import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { filterSheet, sheetsOf } from './filter-sheet.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';

const filtered = (css: string) => filterSheet(css).css;

describe('filterSheet', () => {
  it.each([
    ['.a { color: red }', '.m-a{color: red}'],
    ['td.a > #b, p:hover { width: 10px !important; }', 'td.m-a > .i-b,p:hover{width: 10px !important}'],
    [
      '@media only screen and (max-width: 600px) { .a { width: 100% !important; } .b { display: none !important } }',
      '@media only screen and (max-width: 600px){\n.m-a{width: 100% !important}\n.m-b{display: none !important}\n}',
    ],
    ['<!-- .a { color: red } -->', '.m-a{color: red}'],
    ['/* } */ .a { /* x */ color: red }', '.m-a{color: red}'],
    ['@import "http://e/x.css"; .a { color: red }', '.m-a{color: red}'],
    ['@font-face { font-family: x; src: url(http://e/f) } .a { color: red }', '.m-a{color: red}'],
    ['.a { background: url(http://e/x.png); color: red }', '.m-a{color: red}'],
    ['.a { position: fixed; top: 0 }', ''],
    ['.a { max-height: 0; overflow: hidden }', '.m-a{max-height: 0; overflow: hidden}'],
    ['body .a:hover { overflow: hidden }', 'body .m-a:hover{overflow: hidden}'],
    ['html, body { overflow: hidden; overflow-wrap: anywhere }', 'html,body{overflow-wrap: anywhere}'],
    ['.a, BODY:hover { overflow-x: hidden !important }', ''],
    ['*, html > *:hover { overflow-y: hidden }', ''],
    [':first-child { overflow: hidden; color: red }', ':first-child{color: red}'],
    ['.a { height: 101vh; min-height: 100dvh }', ''],
    ['@media (min-height: 100px) { .a { color: red } }', ''],
    ['@media (orientation: portrait) { .a { color: red } }', ''],
    [
      '@media (max-width: 9px) { @media (max-width: 9px) { .a { color: red } } .b { color: red } }',
      '@media (max-width: 9px){\n.m-b{color: red}\n}',
    ],
    ['@supports (color: red) { .a { color: red } } .b { color: red }', '.m-b{color: red}'],
    ['.a { width: 1px; .b { color: red } color: blue }', '.m-a{color: blue}'],
    ['[class="x"], .a { color: red }', '.m-a{color: red}'],
    ['a:not(.x) { color: red }', ''],
    ['.a::before { color: red }', ''],
    ['.\\61 { color: red }', ''],
    ['.a { color: re\\64; } </style><script>alert(1)</script>', ''],
    ['.a { color: var(--x); --x: red }', ''],
    ['.a { content: "}" ; color: red }', ''],
    ['} .a { color: red } {', '.m-a{color: red}'],
    ['.a { color: red', ''],
    ['{}{{{}', ''],
  ])('turns %j into %j', (css, expected) => {
    expect(filtered(css)).toBe(expected);
  });

  it.each(['{', '}', '/*', '.a{', '@media ', '@media screen{', '.a,', ':', ';', '<!--', '.a{color:red}', '*+'])(
    'stays fast on a megabyte of %j, and bounds what it gives',
    (piece) => {
      const started = cpuTimeMs();
      const css = filtered(piece.repeat(1_000_000 / piece.length));
      expect(cpuTimeMs() - started).toBeLessThan(500);
      expect(css.length).toBeLessThan(262_144);
    },
  );

  it('stays fast on a rule of white space and many declarations', () => {
    const started = cpuTimeMs();
    filterSheet(`.a{${' '.repeat(130_000)}${';'.repeat(130_000)}}`);
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });

  it.each(['<style>', '<style', '<!--', '</style>', '<style></style>'])('finds sheets fast in %j', (piece) => {
    const started = cpuTimeMs();
    sheetsOf(piece.repeat(1_000_000 / piece.length));
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });
});

describe('the style sheets of a message', () => {
  const shown = (html: string) => sanitizeMailHtml(html, { inlineImages: new Map() });

  it('are given apart, with the classes and ids that they name and no others', () => {
    const { html, sheet } = shown(
      '<style>.a{color:red}</style><p class="a other" id="b">x</p><style>#b{color:blue}</style>',
    );
    expect(html).toBe('<p class="m-a i-b">x</p>');
    expect(sheet).toBe('.m-a{color: red}\n.i-b{color: blue}');
  });

  it('are not taken from comments, such as those for one mail program alone', () => {
    const { sheet } = shown('<!--[if mso]><style>.a{color:red}</style><![endif]--><p class="a">x</p>');
    expect(sheet).toBe('');
  });
});
