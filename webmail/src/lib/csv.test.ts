import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

describe('a table as CSV', () => {
  it('quotes what needs it, and keeps every letter', () => {
    expect(
      toCsv([
        ['Name', 'City'],
        ['Weaver, "Sons" & Co', 'Łódź\nold town'],
      ]),
    ).toBe('\uFEFFName,City\r\n"Weaver, ""Sons"" & Co","Łódź\nold town"\r\n');
  });

  it.each(['=1+1', '+91 98765', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＠SUM'])(
    'makes no formula of %j',
    (text) => {
      expect(toCsv([[text]])).toMatch(/^\uFEFF"?'/);
    },
  );

  // What strangers write: a name, a subject, the reply of their server
  it.each([
    'x;=1+1',
    '=1+1;=2',
    'x\n=1+1',
    'x\r\n@SUM(A1)',
    'x","=1+1',
    'x\t+1',
    'a;;-1',
    '550 no\r\n;=HYPERLINK("x")',
  ])('makes no formula of a part of %j, wherever it is split', (text) => {
    const csv = toCsv([
      [text, text],
      ['end', text],
    ]);
    for (const separator of [/[;\r\n]/, /[,\r\n]/, /[\t\r\n]/]) {
      const cells = csv.slice(1).split(separator);
      for (const cell of cells) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@]/);
    }
  });

  it('keeps the zeros at the beginning of a number', () => {
    expect(toCsv([['007', '0091']])).toBe("\uFEFF'007,'0091\r\n");
  });

  it('leaves other text alone', () => {
    expect(toCsv([['a=b', '1-2', 'x@y.test', '0', '10', '0 to 9']])).toBe('\uFEFFa=b,1-2,x@y.test,0,10,0 to 9\r\n');
  });
});
