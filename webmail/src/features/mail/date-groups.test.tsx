import { describe, expect, it } from 'vitest';
import { dateGroupOf } from './date-groups.ts';

// A Wednesday
const now = new Date(2026, 10, 18, 12);
const at = (year: number, month: number, day: number, hour = 9) => new Date(year, month - 1, day, hour).toISOString();

describe('the heading of a date', () => {
  it.each([
    ['a moment from now', at(2026, 11, 18, 13), 'Today'],
    ['midnight', at(2026, 11, 18, 0), 'Today'],
    ['the evening before', at(2026, 11, 17, 23), 'Yesterday'],
    ['Monday', at(2026, 11, 16), 'This week'],
    ['the Sunday before', at(2026, 11, 15), 'Last week'],
    ['the Monday before', at(2026, 11, 9), 'Last week'],
    ['earlier in the month', at(2026, 11, 8), 'November'],
    ['another month', at(2026, 2, 1), 'February'],
    ['another year', at(2025, 12, 31), 'December 2025'],
    ['no date', 'x', ''],
  ])('of %s', (_what, iso, heading) => {
    expect(dateGroupOf(iso, now, 'en-GB')).toBe(heading);
  });

  it('begins the week as the language does', () => {
    expect(dateGroupOf(at(2026, 11, 15), now, 'en-US')).toBe('This week');
  });
});
