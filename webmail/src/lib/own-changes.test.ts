import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectNotice, takeOwnNotice } from './own-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a notice that the mailbox has changed', () => {
  it('is about a change of this page once for each of them', () => {
    expect(takeOwnNotice()).toBe(false);
    expectNotice();
    expectNotice();
    expect([takeOwnNotice(), takeOwnNotice(), takeOwnNotice()]).toEqual([true, true, false]);
  });

  it('is of another window when the server refused the change of this page', () => {
    const forget = expectNotice();
    forget();
    expect(takeOwnNotice()).toBe(false);
  });

  it('is of another window when that of this page must have been lost', () => {
    expectNotice();
    vi.advanceTimersByTime(6_000);
    expect(takeOwnNotice()).toBe(false);
  });
});
