import { act, screen } from '@testing-library/react';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime } from '../../../lib/server-clock.ts';
import { show } from '../../../test/render.tsx';
import { SendBanner } from './SendBanner.tsx';
import { type SentMessage, sentMessages } from './sent-messages.ts';

const HOLD_MS = 3_500;
/** The device is ten minutes late. */
const LATE_MS = 600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  // the boundaries of a second, seen twice, tell the clock
  for (const at of [0, 999]) {
    noteServerTime(new Date(Date.now() + LATE_MS + at).toUTCString(), Date.now() + at, Date.now() + at);
  }
});
afterEach(() => vi.useRealTimers());

function banner(): void {
  const sent = { id: '7', until: Date.now() + LATE_MS + HOLD_MS, phase: 'counting' } as SentMessage;
  sentMessages.set([sent]);
  show(<SendBanner sent={sent} isInline={false} />);
}

const pass = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));

describe('SendBanner', () => {
  it('counts from 3 and ends when the server does, however wrong the clock of the device is', () => {
    banner();
    const seen: (string | null)[] = [];
    for (let second = 0; second < 4; second += 1) {
      seen.push(screen.getByText(/Sending in/).textContent);
      pass(second === 3 ? 400 : 1_000);
    }
    expect(seen).toEqual([3, 2, 1, 0].map((left) => `Sending in ${left} seconds...`));
    expect(sentMessages.get()).toHaveLength(1);
    pass(200);
    expect(sentMessages.get()).toEqual([]);
  });
});
