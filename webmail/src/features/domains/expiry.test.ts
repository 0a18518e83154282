import { describe, expect, it } from 'vitest';
import { expiryOf } from './expiry.ts';

const lateEvening = new Date('2026-11-22T23:59:00');
const kindOf = (day: string) => expiryOf(day, lateEvening)?.kind;

describe('expiryOf', () => {
  it('says nothing of a day that is more than 60 days away', () => {
    expect(expiryOf('2027-01-22', lateEvening)).toBeNull();
  });
  it('marks a day from 60, from 30 and from 7 days before it', () => {
    expect(kindOf('2027-01-21')).toBe('quiet');
    expect(kindOf('2026-12-23')).toBe('quiet');
    expect(kindOf('2026-12-22')).toBe('waiting');
    expect(kindOf('2026-11-30')).toBe('waiting');
    expect(kindOf('2026-11-29')).toBe('bad');
  });
  it('counts the days of the calendar, whatever the time of day is', () => {
    const earlyMorning = new Date('2026-11-22T00:01:00');
    expect(expiryOf('2026-11-22', lateEvening)?.daysLeft).toBe(0);
    expect(expiryOf('2026-11-23', earlyMorning)?.daysLeft).toBe(1);
    expect(expiryOf('2026-11-21', earlyMorning)?.daysLeft).toBe(-1);
  });
});
