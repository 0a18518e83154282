import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { filterSheets, sheetsOf } from './filter-sheet.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';

const filtered = (css: string, media = '') => filterSheets([{ css, media }]).css;

describe('filterSheets', () => {
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
    ['mail-text, td > Mail-Look:hover { overflow: visible; height: 0 }', ''],
    ['td.x-y a:first-child { height: 1px }', 'td.m-x-y a:first-child{height: 1px}'],
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
    ['.a { color: red', '.m-a{color: red}'],
    [
      '@media (max-width: 9px) { .a { color: red } .b { color: red',
      '@media (max-width: 9px){\n.m-a{color: red}\n.m-b{color: red}\n}',
    ],
    ['.a { color: red } .b', '.m-a{color: red}'],
    ['.a { color: red; /* } .b { color: red }', '.m-a{color: red}'],
    ['{}{{{}', ''],
  ])('turns %j into %j', (css, expected) => {
    expect(filtered(css)).toBe(expected);
  });

  it.each([
    ['', '.m-a{color: red}'],
    [' all ', '.m-a{color: red}'],
    ['screen, print', '.m-a{color: red}'],
    ['ONLY screen', '.m-a{color: red}'],
    ['print', '@media print{\n.m-a{color: red}\n}'],
    ['only screen and\n(max-width:480px)', '@media only screen and (max-width:480px){\n.m-a{color: red}\n}'],
    ['(min-height: 1px)', ''],
    ['speech', ''],
    ['all{}*{color:blue}@media all', ''],
    [',', ''],
  ])('takes a sheet for media %j as %j', (media, expected) => {
    expect(filtered('.a { color: red }', media)).toBe(expected);
  });

  it('keeps queries of a sheet that is for some widths itself', () => {
    expect(filtered('@media print { .a { color: red } }', '(max-width: 9px)')).toBe(
      '@media (max-width: 9px){\n@media print{\n.m-a{color: red}\n}\n}',
    );
  });

  it('drops a rule that stands where so much is left out', () => {
    const rules = '.a { color: red }'.repeat(100_000);
    expect(filtered(rules)).toMatch(/\{color: red\}$/);
    expect(filtered(`/*${'x'.repeat(262_100)}*/ .a { color: red } .b { width: 100%; height: 10px }`)).toBe(
      '.m-a{color: red}',
    );
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
    filtered(`.a{${' '.repeat(130_000)}${';'.repeat(130_000)}}`);
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });

  it.each(['<style>', '<style', '<!--', '</style>', '<style></style>', '<style>p{color:red}</style>'])(
    'finds sheets fast in %j',
    (piece) => {
      const started = cpuTimeMs();
      filterSheets(sheetsOf(piece.repeat(1_000_000 / piece.length)));
      expect(cpuTimeMs() - started).toBeLessThan(500);
    },
  );
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

  it('are each for their own media, and end what they leave open', () => {
    const { sheet } = shown(
      '<style data-media=print>p{color:red}</style><style type="text/css" media="only screen and (max-width:480px)">p{width:1px</style><style MEDIA = speech>p{width:2px}</style><style>@media (max-width:9px){p{width:3px}</style><style media>p{width:4px}</style>',
    );
    expect(sheet).toBe(
      'p{color: red}\n@media only screen and (max-width:480px){\np{width: 1px}\n}\n@media (max-width:9px){\np{width: 3px}\n}\np{width: 4px}',
    );
  });

  it('have together no more rules than one may have', () => {
    const { sheet } = shown('<style>p{color:red}p{color:blue}</style>'.repeat(3000));
    expect(sheet.split('\n')).toHaveLength(2000);
  });

  it('are not taken from comments, such as those for one mail program alone', () => {
    const { sheet } = shown('<!--[if mso]><style>.a{color:red}</style><![endif]--><p class="a">x</p>');
    expect(sheet).toBe('');
  });
});
