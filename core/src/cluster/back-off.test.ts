import { describe, expect, it } from 'vitest';
import { createBackOff } from './back-off.ts';

describe('back-off', () => {
  it('doubles from a quarter of a second to thirty seconds and stays there', () => {
    const backOff = createBackOff();
    const pauses = Array.from({ length: 9 }, () => backOff.next(0));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  });

  it('begins again after a process was healthy for a minute, not before', () => {
    const backOff = createBackOff();
    backOff.next(0);
    expect(backOff.next(59_999)).toBe(500);
    expect(backOff.next(60_000)).toBe(250);
  });
});
