import { leaseMs } from '@selvage/core/outbound/deliveries';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TakeOver } from './take-over.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets time pass in steps, as a worker does that hears of the database three times per lease. */
function listen(takeOver: TakeOver, ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; takeOver.noteReached()) {
    vi.advanceTimersByTime(Math.min(leaseMs / 3, end - performance.now()));
  }
}

/** A worker that has heard of the database for a while. */
function settled(): TakeOver {
  const takeOver = new TakeOver();
  takeOver.noteReached();
  listen(takeOver, leaseMs);
  return takeOver;
}

it('begins when the database has been there for as long as a lease', () => {
  const takeOver = new TakeOver();
  expect(takeOver.isSafe()).toBe(false);
  takeOver.noteReached();
  listen(takeOver, leaseMs - 1);
  expect(takeOver.isSafe()).toBe(false);
  listen(takeOver, 1);
  expect(takeOver.isSafe()).toBe(true);
});

it('waits for as long again after the database was away', () => {
  const takeOver = settled();
  takeOver.noteAway();
  expect(takeOver.isSafe()).toBe(false);
  takeOver.noteReached();
  listen(takeOver, leaseMs - 1);
  expect(takeOver.isSafe()).toBe(false);
  listen(takeOver, 1);
  expect(takeOver.isSafe()).toBe(true);
});

it('takes a long time without an answer for an outage', () => {
  const takeOver = settled();
  vi.advanceTimersByTime(leaseMs);
  expect(takeOver.isSafe()).toBe(false);
  takeOver.noteReached();
  expect(takeOver.isSafe()).toBe(false);
  listen(takeOver, leaseMs);
  expect(takeOver.isSafe()).toBe(true);
});

it('waits as long after the clock was set forward, and not after it was set back', () => {
  const takeOver = settled();
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(takeOver.isSafe()).toBe(true);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(takeOver.isSafe()).toBe(false);
  listen(takeOver, leaseMs);
  expect(takeOver.isSafe()).toBe(true);
});

it('has no wait where none is asked for', () => {
  expect(new TakeOver(0).isSafe()).toBe(true);
});
