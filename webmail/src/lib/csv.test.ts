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

  it.each(['=1+1', '+91 98765', '-2', '@SUM(A1)', '\t=1', '\r=1'])('makes no formula of %j', (text) => {
    expect(toCsv([[text]])).toContain(`'${text}`);
  });

  it('keeps the zeros at the beginning of a number', () => {
    expect(toCsv([['007', '0091']])).toBe("\uFEFF'007,'0091\r\n");
  });

  it('leaves other text alone', () => {
    expect(toCsv([['a=b', '1-2', 'x@y.test', '0', '10', '0 to 9']])).toBe('\uFEFFa=b,1-2,x@y.test,0,10,0 to 9\r\n');
  });
});
