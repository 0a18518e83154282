import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { lookOf } from './judge-look.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';

const lookOfHtml = (html: string) => lookOf(sanitizeMailHtml(html, { inlineImages: new Map([['logo', 'cid:x.0']]) }));

const wordSheet = `<style><!--
@font-face {font-family:Aptos;}
p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Aptos",sans-serif;}
a:link, span.MsoHyperlink {color:#467886; text-decoration:underline;}
span.EmailStyle17 {font-family:"Aptos",sans-serif; color:windowtext;}
--></style>`;

describe('lookOf', () => {
  it.each([
    ['a letter', '<p>Hello <b>Ana</b></p><ul><li>one</li></ul>'],
    ['a letter of Gmail', '<div dir="ltr">Hello<br><font color="#888888">--<br>Bea</font></div>'],
    [
      'a letter of Outlook on the web',
      '<div style="font-family: Aptos; font-size: 12pt; color: rgb(0, 0, 0);">Hello</div>',
    ],
    ['a letter of Word', `${wordSheet}<p class="MsoNormal"><span style="color:windowtext">Hello</span></p>`],
    ['a letter of Thunderbird', '<body text="#000000" bgcolor="#FFFFFF"><p>Hello</p></body>'],
    ['black on white', '<p style="color: #222; background-color: white">Hello</p>'],
    ['a background that is not seen', '<p style="background: rgba(10, 20, 30, 0) none repeat scroll 0% 0%">Hello</p>'],
    ['a coloured link', '<p><a href="https://a.test/" style="color:#0563C1">link</a></p>'],
    ['a quotation with its line', '<blockquote style="border-left:1px solid rgb(204,204,204)">before</blockquote>'],
    ['a table of figures', '<table border="1"><tr><td>Merino</td><td>12</td></tr></table>'],
    ['a photograph of its own', '<p>See here:</p><img src="cid:logo">'],
    ['a logo below', '<p>Hello</p><img src="https://a.test/logo.png">'],
    ['dots that count', `<p>Hello</p>${'<img width="1" height="1" src="https://a.test/dot.gif">'.repeat(9)}`],
    ['nothing', ''],
  ])('calls %s simple', (_what, html) => {
    expect(lookOfHtml(html)).toBe('simple');
  });

  it.each([
    ['colours in words', '<p style="color: red">Hello</p>'],
    ['colours in numbers', '<p style="color: #1F497D">Hello</p>'],
    ['a short colour', '<p style="color:#f00">Hello</p>'],
    ['white text', '<p style="color: #fff">Hello</p>'],
    ['a colour of a font', '<font color="navy">Hello</font>'],
    ['a background', '<p style="background-color: rgb(255, 242, 0)">Hello</p>'],
    ['a background in short', '<p style="background: #222 none">Hello</p>'],
    ['a gradient', '<p style="background: linear-gradient(#fff, #fff)">Hello</p>'],
    ['a background of the body', '<body bgcolor="#1a1a2e" text="#ffffff"><p>Hello</p></body>'],
    ['a colour of a cell', '<table><tr><td bgcolor="#eeeeee">Hello</td></tr></table>'],
    ['a colour of a class', '<style>.x { color: green !important }</style><p class="x">Hello</p>'],
    ['a background of a class', '<style>.x { background: #123456 }</style><p class="x">Hello</p>'],
    ['widths of the screen', '<style>@media (max-width: 500px) { .x { width: 100% } }</style><p class="x">Hello</p>'],
    ['pictures as tiles', '<table><tr><td><img src="https://a.test/1.png"></td></tr></table>'],
    ['tables in tables', '<table><tr><td><table><tr><td>Hello</td></tr></table></td></tr></table>'],
    ['pictures as layout', Array.from({ length: 4 }, (_, i) => `<img src="https://a.test/${i}.png">`).join('')],
    ['black that insists', '<p style="color: black !important">Hello</p>'],
    ['black in numbers that insists', '<p style="color: #333 !important">Hello</p>'],
    ['black of a class that insists', '<style>.x { color: rgb(34,34,34)!important }</style><p class="x">Hello</p>'],
    ['a link that insists', '<p><a href="https://a.test/" style="color:#0563C1 !IMPORTANT">link</a></p>'],
    ['a colour that is no word of ours', '<p style="color: rebeccapurple">Hello</p>'],
  ])('calls %s designed', (_what, html) => {
    expect(lookOfHtml(html)).toBe('designed');
  });

  it('takes linear time', () => {
    const started = cpuTimeMs();
    lookOf({ html: '<p style="color: #000">'.repeat(200_000), sheet: 'a{color: #000}\n'.repeat(20_000) });
    expect(cpuTimeMs() - started).toBeLessThan(2_000);
  });
});
