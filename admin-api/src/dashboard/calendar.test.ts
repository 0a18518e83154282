import { TimeZone } from '@selvage/core/time-zone';
import { describe, expect, it } from 'vitest';
import { addDays, monthStart, startOfDay, weekNumber, weekStart } from './calendar.ts';

describe('days', () => {
  it.each([
    ['2026-01-01', 53 - 52],
    ['2027-01-01', 53],
    ['2026-11-23', 48],
    ['2024-12-30', 1],
    ['2023-01-01', 52],
  ])('puts %s into week %i', (day, week) => {
    expect(weekNumber(day)).toBe(week);
  });

  it('counts over ends of months and years', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(monthStart('2026-01-31', -11)).toBe('2025-02-01');
    expect(weekStart('2026-03-01')).toBe('2026-02-23');
  });
});

describe('startOfDay', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-29', '2026-03-28T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ])('knows when, in %s, %s begins', (zone, day, moment) => {
    const clocks = new TimeZone(zone);
    expect(startOfDay(clocks, day).toISOString()).toBe(moment);
    expect(clocks.dayAt(new Date(moment))).toBe(day);
    expect(clocks.dayAt(new Date(Date.parse(moment) - 1))).toBe(addDays(day, -1));
  });
});
