import { describe, expect, it } from 'vitest';
import { dayAndTime, percent } from './backup-format.ts';

describe('dayAndTime', () => {
  it('is day, month and year in two digits, and the hour of twelve', () => {
    const at = (hours: number, minutes: number) => dayAndTime(new Date(2026, 10, 3, hours, minutes).toISOString());
    expect([at(0, 5), at(9, 59), at(12, 0), at(23, 30)]).toEqual([
      '03/11/26 12:05 AM',
      '03/11/26 09:59 AM',
      '03/11/26 12:00 PM',
      '03/11/26 11:30 PM',
    ]);
    expect(dayAndTime('no date')).toBe('');
  });
});

describe('percent', () => {
  it('is never more than all, and all of nothing', () => {
    expect([percent(1, 4, 'en'), percent(9, 4, 'en'), percent(0, 0, 'en')]).toEqual(['25%', '100%', '100%']);
  });
});
