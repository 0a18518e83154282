import { afterEach, describe, expect, it, vi } from 'vitest';
import { recurrenceOf } from './event-words.ts';

afterEach(() => vi.unstubAllEnvs());

const weekly = { every: 'week', interval: 1, count: null } as const;
const evening = { local: '2026-11-30T20:00:00', utc: '2026-12-01T01:00:00.000Z', zone: 'America/New_York' };
const morning = { local: '2026-11-30T09:00:00', utc: '2026-11-29T22:00:00.000Z', zone: 'Australia/Sydney' };

describe('how an event repeats', () => {
  it.each([
    ['Tuesday', 'that is on Monday evening in New York', evening, 'Tuesday and Wednesday, until Tuesday, 15'],
    ['Sunday', 'that is on Monday morning in Sydney', morning, 'Monday and Sunday, until Sunday, 13'],
    ['Monday', 'of a zone that is not known', { ...evening, utc: null }, 'Monday and Tuesday, until Monday, 14'],
    ['Monday', 'of whole days', { local: '2026-11-30', utc: null, zone: null }, 'Monday and Tuesday, until Monday, 14'],
  ])('is on %s for a reader in Berlin, of an event %s', (_day, _event, start, expected) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const recurrence = { ...weekly, days: ['MO', 'TU'], until: '2026-12-14' };
    expect(recurrenceOf({ start, recurrence }, 'en-GB')).toBe(`Every week on ${expected} December 2026`);
  });

  it('is said of any year', () => {
    vi.stubEnv('TZ', 'America/New_York');
    const start = { local: '0000-01-01T00:00:00', utc: '0000-01-01T00:00:00.000Z', zone: null };
    const recurrence = { ...weekly, days: ['MO'], until: '9999-12-31' };
    expect(recurrenceOf({ start, recurrence }, 'en-GB')).toMatch(/^Every week on Sunday, until Thursday, 30 December/);
  });
});
