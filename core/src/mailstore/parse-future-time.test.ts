import { describe, expect, it } from 'vitest';
import { parseFutureTime } from './parse-future-time.ts';

describe('parseFutureTime', () => {
  const now = new Date('2026-11-23T08:00:00Z');

  it.each([['2026-11-22T08:00:00Z'], ['2028-01-01T08:00:00Z'], ['never']])('refuses %s', (text) => {
    expect(() => parseFutureTime(text, { field: 'until', now })).toThrow();
  });

  it('tolerates a minute', () => {
    const [tolerated, tooSoon] = ['2026-11-23T08:01:00Z', '2026-11-23T08:00:59Z'];
    const named = { field: 'send_at', soonestMs: 120_000, now };
    expect(parseFutureTime(tolerated, named)).toEqual(new Date(tolerated));
    expect(() => parseFutureTime(tooSoon, named)).toThrow();
  });
});
