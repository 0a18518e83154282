import { describe, expect, it } from 'vitest';
import { bytesOf, countOf, gigabytesOf } from './limits.ts';

describe('a limit in a form', () => {
  it('is gigabytes, with a point or a comma, and nothing for none', () => {
    expect([bytesOf('2'), bytesOf('0.5'), bytesOf(' 1,5 '), bytesOf(''), bytesOf('x')]).toEqual([
      2_147_483_648,
      536_870_912,
      1_610_612_736,
      null,
      Number.NaN,
    ]);
    expect([gigabytesOf(2_147_483_648), gigabytesOf(536_870_912), gigabytesOf(null)]).toEqual(['2', '0.5', '']);
  });

  it.each(['2,048', '1,048,576', ' 1,000 '])('is not %j, whose comma may mean thousands or a fraction', (text) => {
    expect(bytesOf(text)).toBeNaN();
  });

  it('that was not touched stays as it is to the byte', () => {
    const odd = 5_000_000_001;
    expect(bytesOf(gigabytesOf(odd), odd)).toBe(odd);
    expect(bytesOf('4.658', odd)).not.toBe(odd);
    expect(bytesOf('', odd)).toBeNull();
  });

  it('of things is their number', () => {
    expect([countOf('12'), countOf('')]).toEqual([12, null]);
  });
});
