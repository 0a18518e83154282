import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { filterStyle } from './filter-style.ts';
import { sanitizeComposedHtml, sanitizeMailHtml } from './sanitize-html.ts';
import { textFromHtml } from './text-from-html.ts';

const none = { inlineImages: new Map<string, string>() };
const clean = (html: string) => sanitizeMailHtml(html, none).html;

describe('sanitizeMailHtml', () => {
  it.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<scr<script>ipt>alert(1)</script>x', 'ipt&gt;alert(1)x'],
    ['<img src=x onerror=alert(1)>', '<img />'],
    ['<svg><use href="data:image/svg+xml,x#a"/></svg>x', 'x'],
    ['<svg><animate attributeName=href values=javascript:alert(1)></svg>x', 'x'],
    ['<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>x', 'x'],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
    ['<object data=x><param name=src value=x><embed src=x>a</object><embed src=x>x', 'ax'],
    ['<object type="text/html" data="data:text/html,y"><img src=x onerror=alert(1)></object>x', '<img />x'],
    [
      '<video controls><source src="http://e/v"><track src="http://e/t"><a href="http://e/v">See it</a></video>',
      '<a href="http://e/v" target="_blank" rel="noopener noreferrer nofollow">See it</a>',
    ],
    ['<form action=http://e><input name=a><button>go</button></form>', 'go'],
    ['<base href=http://e><meta http-equiv=refresh content="0;url=http://e"><link rel=stylesheet href=//e>x', 'x'],
    ['<style>@import "http://e";</style>x', 'x'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', ''],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\tscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<a href="/relative">x</a>', '<a>x</a>'],
    ['<a href="//evil.example/">x</a>', '<a>x</a>'],
    ['<a href="file:///x">x</a>', '<a>x</a>'],
    ['<a href="ms-msdt:/id">x</a>', '<a>x</a>'],
    ['<a href="www.:javascript">x</a>', '<a>x</a>'],
    [
      '<a href=" Www.a.example/?q=1">x</a>',
      '<a href="http://Www.a.example/?q=1" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<p id=app class=root name=x data-remote-src=http://e>x</p>', '<p>x</p>'],
    ['<p style="position:fixed;color:red">x</p>', '<p style="color: red">x</p>'],
    ['<!-- comment --><![CDATA[x]]>y', 'y'],
    ['<body bgcolor="#fff" background="http://e/x.png">x</body>', '<div style="background-color: #fff">x</div>'],
    [
      '<body bgcolor="1A1a2e" text=white style="color:red;margin:0">x</body>',
      '<div style="background-color: #1A1a2e; color: white; color: red; margin: 0">x</div>',
    ],
    ['<body bgcolor="red;position:fixed" text="url(x)">x</body>', '<div>x</div>'],
    ['<img src="data:image/svg+xml;base64,AAAA">', '<img />'],
    ['<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" />'],
    ['<img data-remote-src="javascript:alert(1)">', '<img />'],
    ['<x-custom>y</x-custom>', 'y'],
    [
      '<html dir="rtl" lang="he"><head><title>t</title></head><body>x</body></html>',
      '<div dir="rtl" lang="he"><div>x</div></div>',
    ],
    ['<html style="color:red"><p>x</p></html>', '<p>x</p>'],
    ['<font size="+1" face="A+B">x</font>', '<font face="A+B" size="+1">x</font>'],
    ['<p hidden>x</p>', '<p style="display: none">x</p>'],
    ['<p hidden=until-found style="color:red">x</p>', '<p style="display: none; color: red">x</p>'],
    [
      '<div style="max-height:0;overflow:hidden;visibility:hidden">x</div>',
      '<div style="max-height: 0; overflow: hidden; visibility: hidden">x</div>',
    ],
  ])('turns %s into %s', (html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  it.each([
    'http://a.example/?q=1&b=2',
    'https://a.example/',
    'mailto:a@b.c',
    'tel:+123',
    'sms:+123',
    'sip:a@b.c',
    'callto:a',
    'webcal://a.example/c.ics',
  ])('opens %s outside, without a trace', (href) => {
    const html = clean(`<a href="${href}" target="_top" rel="opener" ping="http://e">x</a>`);
    expect(html).toBe(
      `<a href="${href.replace('&', '&amp;')}" target="_blank" rel="noopener noreferrer nofollow">x</a>`,
    );
  });

  it.each([
    ['<a href="#one">1</a><h2 id=one>One</h2>', '<a href="#one">1</a><h2 data-place="one">One</h2>'],
    ['<a HREF=#one>1</a><a name="one"></a>', '<a href="#one">1</a><a data-place="one"></a>'],
    ['<a href="#caf%C3%A9">1</a><p id=café>x</p>', '<a href="#café">1</a><p data-place="café">x</p>'],
    ['<a href="#100%">1</a><p id="100%">x</p>', '<a href="#100%">1</a><p data-place="100%">x</p>'],
    [
      '<a href="#here" id=there>1</a><a href="#there">2</a>',
      '<a href="#here" data-place="there">1</a><a href="#there">2</a>',
    ],
    ['<a href="#">up</a><p id="">x</p>', '<a>up</a><p>x</p>'],
    ['<p id=one name=two>x</p><a href=#two>2</a>', '<p>x</p><a href="#two">2</a>'],
    ['<p data-place=root>x</p><a href="#root">r</a>', '<p>x</p><a href="#root">r</a>'],
    [`<a href="#x'&quot;&gt;<img src=x onerror=alert(1)>">1</a>`, '<a>1</a>'],
    [`<a href="#${'x'.repeat(101)}">1</a><p id="${'x'.repeat(101)}">x</p>`, '<a>1</a><p>x</p>'],
  ])('keeps a link to a place in the message and the name of that place: %s', (html, expected) => {
    expect(clean(html)).toBe(expected);
    expect(sanitizeComposedHtml(html)).not.toMatch(/href|data-place/);
  });

  it.each([
    [
      '<img usemap="#Map"><map name="Map" id=x><area shape=RECT coords="0,0, 10 10.5" href="https://a.example/" alt=A></map>',
      '<img usemap="#map-Map" /><map name="map-Map"><area alt="A" href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow" shape="RECT" coords="0,0, 10 10.5" /></map>',
    ],
    [
      '<map id=m><area shape="circle;x" coords="1,url(x)" href="javascript:x"></map>',
      '<map name="map-m"><area /></map>',
    ],
    ['<map name="m"><area nohref shape=default></map>', '<map name="map-m"><area shape="default" /></map>'],
    [
      '<a href="#top">t</a><map name=m><area href="#top"></map>',
      '<a href="#top">t</a><map name="map-m"><area /></map>',
    ],
    ['<img usemap="#map-m"><map name="map-m"></map>', '<img usemap="#map-m" /><map name="map-m"></map>'],
    ['<img usemap="http://e/x#m"><map name="a b"></map><map></map>', '<img /><map></map><map></map>'],
    ['<p usemap="#m" name=m coords=1 shape=rect>x</p>', '<p>x</p>'],
  ])('keeps the places of a picture that are links: %s', (html, expected) => {
    expect(clean(html)).toBe(expected);
    expect(clean(clean(html))).toBe(expected);
  });

  it('reads links to places in linear time, and no more than a thousand of them', () => {
    const links = Array.from({ length: 3000 }, (_, index) => `<a href="#p${index}">x</a><p id="p${index}">y</p>`).join(
      '',
    );
    expect(clean(links).match(/data-place/g)).toHaveLength(1000);
    const spaces = `href${' '.repeat(10_000)}`.repeat(100);
    const started = cpuTimeMs();
    clean(spaces);
    clean(`<p>href=${' '.repeat(64_000)}`);
    expect(cpuTimeMs() - started).toBeLessThan(1000);
  });

  it.each([
    ['<img src="http://a.example/x.png" width=1>', '<img width="1" data-remote-src="http://a.example/x.png" />'],
    ['<img src="//a.example/x.png">', '<img data-remote-src="https://a.example/x.png" />'],
    ['<img src="ht\ntps://a.example/x.png">', '<img data-remote-src="https://a.example/x.png" />'],
    ['<img src="\\\\a.example/x.png">', '<img data-remote-src="https://a.example/x.png" />'],
    ['<img srcset="http://a.example/x.png 2x">', '<img />'],
    ['<table background="https://a.example/x"></table>', '<table></table>'],
    ['<p style="background:url(http://a.example/x)">x</p>', '<p>x</p>'],
    ['<p style="background:u\\72l(http://a.example/x)">x</p>', '<p>x</p>'],
    ['<video poster="http://a.example/x"></video>', ''],
  ])('keeps %s from loading and says so', (html, expected) => {
    expect(sanitizeMailHtml(html, none)).toEqual({ html: expected, hasRemoteContent: true, sheet: '' });
  });

  it('shows the pictures of the message itself', () => {
    const inlineImages = new Map([
      ['a+b@x', '/upload/1?s=2'],
      ['c%40x', '/upload/2'],
    ]);
    const html = '<img src="cid:a%2Bb@x"><img src="cid:c%40x"><img src="cid:other">';
    const shown = '<img src="/upload/1?s=2" /><img src="/upload/2" /><img />';
    expect(sanitizeMailHtml(html, { inlineImages })).toEqual({ html: shown, hasRemoteContent: false, sheet: '' });
  });

  it('keeps a < and a & that mean nothing but themselves, in text and in addresses', () => {
    const address = 'http://x.test/?a&2<4';
    const html = clean(`a < b <3 & c &1 <a href="${address}">l</a> <img src="${address}"> \ufdd0\ufdd1 <<b>x</b>`);
    expect(html).toContain('a &lt; b &lt;3 &amp; c &amp;1 <a href="http://x.test/?a&amp;2&lt;4"');
    expect(html).toContain('<img data-remote-src="http://x.test/?a&amp;2%3C4" />');
    expect(html).toContain('&lt;<b>x</b>');
    expect(html).not.toMatch(/[\ufdd0\ufdd1]/);
    expect(textFromHtml('a < b <3 & c &1 <<b>x</b>')).toBe('a < b <3 & c &1 <x');
  });

  it.each([
    ['<', '<'],
    ['open tags', '<b>'],
    ['tables', '<table><tr><td>'],
    ['attributes', '<a b=c '],
    ['quotes', '<a "'],
    ['comments', '<!--'],
    ['entities', '&#x3c;&lt'],
    ['svg', '<svg><style>'],
    ['close tags', '</p></div>'],
    ['styles', '<p style="color:red;;;">'],
    ['noscript', '<noscript>'],
    ['iframes', '<iframe>'],
    ['addresses in a style', `<p style="${'url(&quot; '.repeat(600)}">`],
    ['quoted addresses in a style', `<p style="${"url(&quot;'url('&quot;".repeat(300)}">`],
    ['gradients in a style', `<p style="background: ${'linear-gradient(rgb('.repeat(400)}">`],
    ['comments between tags', '<b><!-- </b> -->'],
    ['siblings', '<i></i>'],
  ])('stays fast on a megabyte of %s', (_case, piece) => {
    const started = cpuTimeMs();
    clean(piece.repeat(1_000_000 / piece.length));
    textFromHtml(piece.repeat(1_000_000 / piece.length));
    expect(cpuTimeMs() - started).toBeLessThan(6000);
  });

  it.each([
    ['GMX', '<div name="quote" style="padding: 10px 0 10px 10px">Hi</div>'],
    ['Yahoo', '<div id="yahoo_quoted_2158811873" class="yahoo_quoted">Hi</div>'],
    [
      'Yahoo, answered by Yahoo',
      '<div id="ydpdb28840fyahoo_quoted_2142999335" class="ydpdb28840fyahoo_quoted">Hi</div>',
    ],
    ['NetEase', '<div class="J-reply ntes-mailmaster-quote" style="padding-top: 1px">Hi</div>'],
    ['Sina', '<div id="origbody">Hi</div>'],
    ['China Mobile', '<div id="reply139content">Hi</div>'],
  ])('marks what %s quotes as a quote', (_program, html) => {
    expect(clean(html)).toMatch(/^<blockquote[^>]*>Hi<\/blockquote>$/);
  });

  it.each(['<div class="quote">Hi</div>', '<div id="quoted">Hi</div>', '<a name="quote">Hi</a>'])(
    'takes nothing else for a quote: %s',
    (html) => {
      expect(clean(html)).not.toContain('blockquote');
    },
  );

  it('bounds the depth of what it gives', () => {
    const html = clean(`${'<div>'.repeat(900)}x`);
    expect(html.match(/<div>/g)?.length).toBeLessThanOrEqual(200);
    expect(html).toContain('x');
  });

  it('shows only the words of what is nested absurdly', () => {
    expect(clean(`${'<div>'.repeat(5000)}<img src=x onerror=alert(1)>x & y <script`)).toMatch(
      /^<div>\s*x &amp; y &lt;script<\/div>$/,
    );
  });

  it('shows only the words of what has elements without end, and is done with it soon', () => {
    const html = `a <b>b</b>${'</p></br>'.repeat(500_000)}c`;
    const start = cpuTimeMs();
    expect(clean(html).replace(/\s+/g, ' ')).toBe('<div>a b c</div>');
    expect(cpuTimeMs() - start).toBeLessThan(3000);
  });

  it('gives the same again for its own output', () => {
    const once = clean('<table><p>a<b>c<td style="font-family:\'A B\'">d &amp;lt; <a href="http://e/?a=1&amp;b">x');
    expect(clean(once)).toBe(once);
  });
});

describe('sanitizeComposedHtml', () => {
  it.each([
    ['<div data-editing-info="{}" class="x" contenteditable>a</div>', '<div>a</div>'],
    ['<img src="https://a.example/x.png">', '<img src="https://a.example/x.png" />'],
    ['<img data-remote-src="https://a.example/x.png">', '<img src="https://a.example/x.png" />'],
    ['<img src="/upload/1">', '<img src="cid:pic@x" />'],
    ['<img src="/upload/2">', '<img />'],
    ['<script>x</script>a', 'a'],
  ])('turns %s into %s', (html, expected) => {
    expect(sanitizeComposedHtml(html, { inlineImages: new Map([['/upload/1', 'pic@x']]) })).toBe(expected);
  });
});

describe('filterStyle', () => {
  it.each([
    ['color: red; background: rgba(1, 2, 3, .5)', 'color: red; background: rgba(1, 2, 3, .5)'],
    ['background: url(x)', ''],
    ['background: url(x) no-repeat center / cover; color: red', 'color: red'],
    ['background: transparent url("x") 0 0 !important', ''],
    [
      "background:#1e293b url('https://a.test/x.png?a;b') center top / cover no-repeat; color: #fff",
      'background: #1e293b none center top / cover no-repeat; color: #fff',
    ],
    ['background: URL( data:image/png;base64,AAAA ) Navy', 'background: none Navy'],
    [
      'background-image: linear-gradient(rgba(0, 0, 0, .6), #000 80%), url(x)',
      'background-image: linear-gradient(rgba(0, 0, 0, .6), #000 80%), none',
    ],
    [
      'background:-webkit-linear-gradient(135deg,#667eea 0%,#764ba2);color:white',
      'background: -webkit-linear-gradient(135deg,#667eea 0%,#764ba2); color: white',
    ],
    [
      'background: radial-gradient(circle at center, red, blue)',
      'background: radial-gradient(circle at center, red, blue)',
    ],
    ['background: linear-gradient(var(--x), red)', ''],
    ['background: cross-fade(url(x), red)', ''],
    ['background: image-set(url(x) 1x) red', ''],
    ['background: red url(x', ''],
    ['background: red url("x', ''],
    ['background: red u\\72l(x)', ''],
    ['background: red url("\\")', ''],
    ['background: red url(x\\)', ''],
    ['width: linear-gradient(red, blue)', ''],
    ['list-style-type: url(x)', ''],
    ['color: ur rgb(1, 2, 3)l(x)', ''],
    ['background: linear-rgb(1)gradient(red)', ''],
    ['color: var(--x)', ''],
    ['width: expression(alert(1))', ''],
    ['width: calc(100% - 1px)', ''],
    ['position: absolute; z-index: 9', ''],
    ['margin-top: -100px', ''],
    ['color: r\\65 d', ''],
    ['color: red/**/', ''],
    ['color: red} body {x: y', ''],
    ["font-family: 'a;color:red", 'color: red'],
    ["font-family: 'Segoe UI', Arial", "font-family: 'Segoe UI', Arial"],
    ['font: 12px/1.5 Arial !important', 'font: 12px/1.5 Arial !important'],
    ['-moz-binding: x; behavior: y', ''],
    ['display: flex', ''],
    ['visibility: Collapse !important', 'visibility: Collapse !important'],
    ['visibility: inherit', ''],
    ['overflow-x: visible; overflow-y: hidden', 'overflow-x: visible; overflow-y: hidden'],
    ['overflow: auto; overflow-x: scroll; overflow-y: hidden auto', ''],
    ['--x: red', ''],
  ])('turns %j into %j', (style, expected) => {
    expect(filterStyle(style)).toBe(expected);
  });
});
