import { expect, it } from 'vitest';
import { RecentCache } from './recent-cache.ts';

it('keeps what was used last within its room', () => {
  const cache = new RecentCache<string>(100);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key, 25);
  expect(cache.get('a')).toBe('a');
  cache.set('e', 'e', 25);
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd', 'e']);
});

it('keeps nothing that takes more than a quarter of its room, and forgets what was there under its key', () => {
  const cache = new RecentCache<string>(100);
  cache.set('a', 'small', 10);
  cache.set('a', 'large', 26);
  expect(cache.get('a')).toBeUndefined();
});

it('counts a value once that is set again', () => {
  const cache = new RecentCache<string>(100);
  for (let round = 0; round < 20; round++) cache.set('a', 'x', 25);
  cache.set('b', 'y', 25);
  expect([cache.get('a'), cache.get('b')]).toEqual(['x', 'y']);
});
