import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeBudget } from './time-budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets a key be ahead of its share, and go on once its share has caught up', () => {
  const budget = new TimeBudget({ share: 0.1, aheadMs: 5000 });
  budget.spend('ana', 4900);
  expect(budget.isUsedUp('ana')).toBe(false);
  budget.spend('ana', 2000);
  expect([budget.isUsedUp('ana'), budget.isUsedUp('carl')]).toEqual([true, false]);
  vi.advanceTimersByTime(18_900);
  expect(budget.isUsedUp('ana')).toBe(true);
  vi.advanceTimersByTime(200);
  expect(budget.isUsedUp('ana')).toBe(false);
});

it('lets a key that has long been idle be no further ahead than others', () => {
  const budget = new TimeBudget({ share: 0.1, aheadMs: 5000 });
  budget.spend('ana', 1000);
  vi.advanceTimersByTime(3_600_000);
  budget.spend('ana', 5000);
  expect(budget.isUsedUp('ana')).toBe(true);
});
