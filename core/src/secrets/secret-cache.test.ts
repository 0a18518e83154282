import { describe, expect, it } from 'vitest';
import { SecretCache } from './secret-cache.ts';

function cacheWithClock(entries = 10) {
  const clock = { now: 0 };
  return { clock, cache: new SecretCache({ ttlMs: 60_000, entries, now: () => clock.now }) };
}

describe('a secret cache', () => {
  it('knows exactly what it was given', () => {
    const { cache } = cacheWithClock();
    cache.add('ab', 'c');
    expect(cache.has('ab', 'c')).toBe(true);
    expect(cache.has('a', 'bc')).toBe(false);
    expect(cache.has('ab', 'C')).toBe(false);
    expect(cache.has('ab')).toBe(false);
  });

  it('forgets after its time, however often it is asked in between', () => {
    const { cache, clock } = cacheWithClock();
    cache.add('x');
    clock.now = 59_999;
    expect(cache.has('x')).toBe(true);
    clock.now = 60_000;
    expect(cache.has('x')).toBe(false);
  });

  it('holds no more than `entries` and drops the one that was added longest ago', () => {
    const { cache } = cacheWithClock(2);
    for (const secret of ['a', 'b', 'a', 'c']) cache.add(secret);
    expect(['a', 'b', 'c'].map((secret) => cache.has(secret))).toEqual([true, false, true]);
  });
});
