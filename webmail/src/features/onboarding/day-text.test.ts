import { describe, expect, it } from 'vitest';
import { dayInText, dayOfText } from './day-text.ts';

describe('a day as people type it', () => {
  it('is shown as dd/MM/yyyy, and empty when there is none', () => {
    expect([dayInText('2027-03-09'), dayInText(null), dayInText('')]).toEqual(['09/03/2027', '', '']);
  });

  it.each([
    ['09/03/2027', '2027-03-09'],
    ['9/3/2027', '2027-03-09'],
    [' 29.02.2028 ', '2028-02-29'],
    ['31-12-2030', '2030-12-31'],
  ])('%j is read', (text, day) => {
    expect(dayOfText(text)).toBe(day);
  });

  it.each([
    '',
    '29/02/2027',
    '31/04/2027',
    '12/31/2027',
    '0/1/2027',
    '1/0/2027',
    '1/1/27',
    '2027-03-09',
    '1/1/0000',
    '31/12/1969',
    '1/1/3000',
    'x',
  ])('%j is no day', (text) => {
    expect(dayOfText(text)).toBeNull();
  });
});
