import { describe, expect, it } from 'vitest';
import { dayOf, momentOf } from './day-moments.ts';

describe('days of the reader', () => {
  it('become moments and days again', () => {
    for (const edge of ['begin', 'end'] as const) {
      for (const day of ['2026-11-23', '2026-03-29', '2028-02-29', '2026-12-31']) {
        expect(dayOf(momentOf(day, edge) ?? '', edge)).toBe(day);
      }
    }
    const hours =
      (Date.parse(momentOf('2026-06-10', 'end') ?? '') - Date.parse(momentOf('2026-06-10', 'begin') ?? '')) / 3_600_000;
    expect(hours).toBe(24);
  });

  it('are none while they are typed, or when they are cleared', () => {
    expect(momentOf('', 'end')).toBe('');
    expect(momentOf('0020-06-10', 'begin')).toBeNull();
    expect(momentOf('2026-02-40', 'begin')).toBeNull();
    expect(dayOf('nonsense', 'begin')).toBe('');
  });
});
