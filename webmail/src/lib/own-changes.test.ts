import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectNotice, isOwnNotice } from './own-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a notice that the mailbox has changed', () => {
  it('is about a change of this page once for each of them', () => {
    expect(isOwnNotice()).toBe(false);
    expectNotice();
    expectNotice();
    expect([isOwnNotice(), isOwnNotice(), isOwnNotice()]).toEqual([true, true, false]);
  });

  it('is of another window when the server refused the change of this page', () => {
    const forget = expectNotice();
    forget();
    expect(isOwnNotice()).toBe(false);
  });

  it('is of another window when that of this page must have been lost', () => {
    expectNotice();
    vi.advanceTimersByTime(6_000);
    expect(isOwnNotice()).toBe(false);
  });
});
