import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeOwnNotice } from '../../lib/own-changes.ts';
import { storeTokens } from '../../lib/session.ts';
import { setSnooze, setSnoozeOfThreads, takeBackSnooze } from './snooze-calls.ts';

let touched: unknown[] = [];
/** The bodies of the calls. */
let asked: unknown[] = [];

beforeEach(() => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const answer = () => Response.json({ success: true, message: '', data: { touched, is_left: false } });
  asked = [];
  vi.stubGlobal('fetch', (_url: string, { body }: RequestInit) => {
    asked.push(JSON.parse(String(body)));
    return Promise.resolve(answer());
  });
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

it('wakes a message whose former time is over when a snooze is taken back', async () => {
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const slept = [
    { _id: '1', until: new Date(Date.now() - 3_600_000).toISOString() },
    { _id: '2', until: ahead },
    { _id: '3', until: null },
  ];
  await takeBackSnooze(slept, '7');
  expect(asked).toEqual([
    { email_id: ['1', '3'], until: null },
    { email_id: ['2'], until: ahead },
  ]);
});
