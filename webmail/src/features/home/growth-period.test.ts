import { describe, expect, it } from 'vitest';
import { type ChosenPeriod, pointName, rangeProblem, stepOf } from './growth-period.ts';

const range = (startDate: string, endDate: string): ChosenPeriod => ({ filter: 'range', startDate, endDate });

describe('a chosen range', () => {
  it.each([
    ['', '2026-01-01', 'Choose the first and the last day.'],
    ['2026-01-02', '2026-01-01', 'The last day is before the first.'],
    ['1990-01-01', '2026-01-01', 'Choose ten years at most.'],
    ['2026-01-01', '2026-01-01', null],
  ])('from %s to %s: %s', (start, end, problem) => {
    expect(rangeProblem(range(start, end))).toBe(problem);
  });

  it.each([
    ['2026-01-01', '2026-01-07', 'daily'],
    ['2026-01-01', '2026-01-08', 'weekly'],
    ['2026-01-01', '2026-03-31', 'weekly'],
    ['2026-01-01', '2026-04-01', 'monthly'],
  ] as const)('from %s to %s is shown %s', (start, end, step) => {
    expect(stepOf('range', { start, end })).toBe(step);
  });
});

it('names a point as the reader does, whatever the time zone', () => {
  const point = { date: '2026-11-01', label: '', month: 11, weekNumber: 44, userGrowth: 0, clientGrowth: null };
  expect(pointName('daily', point, 'en-GB')).toBe('1 Nov');
  expect(pointName('weekly', point, 'en-GB')).toBe('Week of 1 Nov');
  expect(pointName('monthly', point, 'en-GB')).toBe('Nov 2026');
});
