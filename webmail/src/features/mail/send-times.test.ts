import { describe, expect, it } from 'vitest';
import { fieldText, offeredTimes, rememberedTime, timeProblem } from './send-times.ts';
import { timeInWords } from './time-in-words.ts';

const offered = (now: string) => offeredTimes(new Date(now)).map(({ name, at }) => [name, fieldText(at)]);

describe('offeredTimes', () => {
  it('are later today, tomorrow morning and Monday morning', () => {
    // A Wednesday
    expect(offered('2026-11-25T10:20:00')).toEqual([
      ['today', '2026-11-25T14:00'],
      ['tomorrow', '2026-11-26T08:00'],
      ['monday', '2026-11-30T08:00'],
    ]);
  });

  it('leave out today in the evening, and Monday on a Sunday', () => {
    expect(offered('2026-11-29T20:30:00')).toEqual([['tomorrow', '2026-11-30T08:00']]);
  });

  it('name the next Monday on a Monday', () => {
    expect(offered('2026-11-23T23:00:00')).toEqual([
      ['tomorrow', '2026-11-24T08:00'],
      ['monday', '2026-11-30T08:00'],
    ]);
  });
});

describe('a time', () => {
  const now = new Date('2026-11-25T10:00:00');
  const words = (at: string) => timeInWords(new Date(at), now, 'en-GB');

  it('is said in few words', () => {
    expect(words('2026-11-25T15:00:00')).toBe('today 15:00');
    expect(words('2026-11-26T08:00:00')).toBe('tomorrow 08:00');
    expect(words('2026-11-30T08:00:00')).toBe('Mon 30 Nov 08:00');
    expect(words('2027-01-04T08:00:00')).toBe('Mon, 4 Jan 2027 08:00');
  });

  it('has to be from two minutes to a year ahead', () => {
    expect(timeProblem(new Date('2026-11-25T10:02:00'), now)).toBeNull();
    expect(timeProblem(new Date('2026-11-25T10:01:00'), now)).toContain('2 minutes');
    expect(timeProblem(new Date('2028-11-25T10:01:00'), now)).toContain('year');
    expect(timeProblem(new Date('?'), now)).not.toBeNull();
  });

  it('is remembered while it is ahead', () => {
    expect(rememberedTime({ sendAt: '2026-11-25T09:00:00' }, now)).toBeNull();
    expect(rememberedTime({ sendAt: '2026-11-26T09:00:00' }, now)).toEqual(new Date('2026-11-26T09:00:00'));
    expect(rememberedTime({}, now)).toBeNull();
  });
});
