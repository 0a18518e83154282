import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeOwnNotice } from '../../lib/own-changes.ts';
import { storeTokens } from '../../lib/session.ts';
import { setSnooze, setSnoozeOfThreads } from './snooze-calls.ts';

let touched: unknown[] = [];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const answer = () => Response.json({ success: true, message: '', data: { touched, is_left: false } });
  vi.stubGlobal('fetch', () => Promise.resolve(answer()));
});

describe('a call that snoozes messages', () => {
  it('takes the next notice for its own', async () => {
    touched = [{ _id: '1', until: null }];
    await setSnooze(['1'], '2030-01-01T08:00:00.000Z', '7');
    expect([takeOwnNotice(), takeOwnNotice()]).toEqual([true, false]);
  });

  it('leaves the next notice to others when it has changed nothing', async () => {
    touched = [];
    await setSnooze(['1'], null, '7');
    await setSnoozeOfThreads(['1'], null, '7');
    expect(takeOwnNotice()).toBe(false);
  });
});
