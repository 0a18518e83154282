import { expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';

const shown = (html: string) => sanitizeMailHtml(html, { inlineImages: new Map() });
const grey = 'background-color: #707070';

it.each([
  [
    'an element',
    '<td background="https://e.test/x.jpg" style="color:#fff">x</td>',
    `<td style="${grey}; color: #fff">x</td>`,
  ],
  [
    'a style',
    '<div style="background-image:url(https://e.test/x.jpg)"><h1 style="color:white">x</h1></div>',
    `<div style="${grey}"><h1 style="color: white">x</h1></div>`,
  ],
  [
    'a font',
    '<div style="margin:0;background:url(x.jpg) no-repeat"><p>a<br><font color="#FAFAFA">x</font></p></div>',
    `<div style="${grey}; margin: 0"><p>a<br /><font color="#FAFAFA">x</font></p></div>`,
  ],
])('puts a grey behind light text on a picture that is not loaded: %s', (_case, html, expected) => {
  expect(shown(html).html).toBe(expected);
});

it.each([
  ['dark text', '<div style="background:url(x.jpg)"><p style="color:#333">x</p></div>'],
  ['a colour beside the picture', '<div style="background:#123 url(x.jpg)"><p style="color:#fff">x</p></div>'],
  ['a bgcolor', '<table background="x.jpg" bgcolor="#123456"><tr><td style="color:#fff">x</td></tr></table>'],
  ['a colour between them', '<div style="background:url(x.jpg)"><p style="background:#000;color:#fff">x</p></div>'],
  ['text behind it', '<div style="background:url(x.jpg)">a</div><p style="color:#fff">x</p>'],
  ['no picture', '<div data-held="1"><p style="color:#fff">x</p></div>'],
])('leaves %s as it is', (_case, html) => {
  const { html: clean } = shown(html);
  expect(clean).not.toContain('707070');
  expect(clean).not.toContain('data-held');
});

it('puts it into a rule of a sheet as well', () => {
  const rules = '.a{background:url(x.jpg);color:#fff} .b{background:url(x.jpg);color:#000}';
  expect(shown(`<style>${rules}</style><p class="a">x</p>`).sheet).toBe(
    `.m-a{color: #fff; ${grey}}\n.m-b{color: #000}`,
  );
});

it('takes linear time', () => {
  const html = '<p style="background:url(x)"><b style="color:#fff">x</b></p>'.repeat(20_000);
  const begin = cpuTimeMs();
  expect(shown(html).html).toContain('707070');
  expect(cpuTimeMs() - begin).toBeLessThan(5000);
});

it.each([
  ['<body link="#ff0000" vlink=blue><a href="https://e.test">x</a></body>', 'a{color: #ff0000;}'],
  ['<style>a{color:#000}</style><body link=blue>x</body>', 'a{color: blue;}\na{color: #000}'],
  ['<body link="red;x:y">x</body>', ''],
])('gives links the colour that the page has for them: %s', (html, sheet) => {
  expect(shown(html).sheet).toBe(sheet);
});
