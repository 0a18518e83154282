import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { breakLines } from './break-lines.ts';
import { textFromHtml } from './text-from-html.ts';

const kept = (text: string) => `<div style="color: red; white-space: pre-wrap">${text}</div>`;
const space = '\u00a0';

describe('breakLines', () => {
  it('writes line ends and runs of spaces where they count', () => {
    const text = 'Hi <b>Bea</b>, one two\r\n\n  A   &amp; B\n C';
    const lines = `Hi <b>Bea</b>, one two<br /><br />${space} A${space}${space} &amp; B<br />${space}C`;
    expect(breakLines(kept(text))).toBe(kept(lines));
    expect(textFromHtml(breakLines(kept(text)))).toBe(textFromHtml(kept(text)));
  });

  it.each([
    ['<p>a\n  b</p>'],
    [kept('<pre>a\n  b</pre>')],
    [kept('<p style="white-space: normal">a\n  b</p>')],
    ['<p style="white-space: pre-line">a\n  b</p>'],
    [kept('a<br />b<img alt="c\n  d" />')],
  ])('leaves the others as they are: %j', (html) => expect(breakLines(html)).toBe(html));

  it('knows where the style ends', () => {
    expect(breakLines(`${kept('<br /><i>a</i>\n')}\n<p>b\nc</p>`)).toBe(`${kept('<br /><i>a</i><br />')}\n<p>b\nc</p>`);
  });

  it.each(['\n', ' ', '<b></b>', '<p style="'])('takes linear time on a megabyte of %j', (piece) => {
    const started = cpuTimeMs();
    breakLines(kept(piece.repeat(1_000_000 / piece.length)));
    expect(cpuTimeMs() - started).toBeLessThan(2000);
  });
});
