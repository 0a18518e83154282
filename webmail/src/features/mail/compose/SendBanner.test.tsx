import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '../../../components/feedback/notify.ts';
import { undoLatest } from '../../../components/feedback/undo-latest.ts';
import { listenForShortcuts, useShortcuts } from '../../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../../lib/session.ts';
import { noteServerTime } from '../../../lib/server-clock.ts';
import { pending, show } from '../../../test/render.tsx';
import { SendBanner } from './SendBanner.tsx';
import { type SentMessage, sentMessages } from './sent-messages.ts';

listenForShortcuts();

/** The device is ten minutes late. */
const LATE_MS = 600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  // The boundaries of a second, seen twice, tell the clock
  for (const at of [0, 999]) {
    noteServerTime(new Date(Date.now() + LATE_MS + at).toUTCString(), Date.now() + at, Date.now() + at);
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Keys() {
  useShortcuts({ z: undoLatest });
  return null;
}

/** The banner is drawn anew when the window that it stands over changes its form. */
function Movable({ sent }: { sent: SentMessage }) {
  const [place, setPlace] = useState('window');
  return (
    <>
      <SendBanner key={place} sent={sent} isInline={false} />
      <button onClick={() => setPlace('screen')}>Move</button>
    </>
  );
}

/** Shows the banner of a message that the server holds for so long, as this device estimates it. */
function banner(heldMs: number, estimateMs = heldMs): void {
  const until = Date.now() + LATE_MS + estimateMs;
  const times = { until, shownUntil: until, heldMs, doneAt: performance.now() };
  const sent = { id: '7', ...times, phase: 'counting', composition: { key: 'k1', owner: '7' } } as SentMessage;
  sentMessages.set([sent]);
  show(
    <>
      <Keys />
      <Movable sent={sent} />
    </>,
  );
}

const pass = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));
const shown = (): string | null => screen.getByText(/Sending in/).textContent;

describe('SendBanner', () => {
  it('counts from 3 and ends when the server does, however wrong the clock of the device is', () => {
    banner(3_500);
    const seen: (string | null)[] = [];
    for (let second = 0; second < 4; second += 1) {
      seen.push(shown());
      pass(second === 3 ? 400 : 1_000);
    }
    expect(seen).toEqual([
      'Sending in 3 seconds...',
      'Sending in 2 seconds...',
      'Sending in 1 second...',
      'Sending in 0 seconds...',
    ]);
    expect(sentMessages.get()).toHaveLength(1);
    pass(200);
    expect(sentMessages.get()).toEqual([]);
  });

  it.each([
    [10_500, 'Sending in 10 seconds...'],
    [1_500, 'Sending in 1 second...'],
    [500, 'Sending in 0 seconds...'],
  ])('begins with the time of the server: %i ms', (heldMs, words) => {
    banner(heldMs);
    expect(shown()).toBe(words);
  });

  it('does not begin above that time when the clock of the server was estimated too late', () => {
    banner(3_500, 3_900);
    expect(shown()).toBe('Sending in 3 seconds...');
  });

  it.each([
    ['says that the message was sent', 200, { data: { _id: '7' } }, 1],
    ['says nothing of a message that was taken back in another window', 409, { code: 'send_undone' }, 0],
  ])('%s, once its time is over', async (_what, status, body, times) => {
    storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
    const asked = vi.fn();
    vi.stubGlobal('fetch', async (url: string) => {
      if (!url.endsWith('/k1')) return await pending<Response>().promise;
      asked(url);
      return Response.json({ success: status === 200, message: '', ...body }, { status });
    });
    banner(1_500);
    pass(2_000);
    vi.useRealTimers();
    await waitFor(() => expect(asked).toHaveBeenCalledOnce());
    // The toast of the test itself comes behind one of the banner
    act(() => notify.success('Asked'));
    await screen.findByText('Asked');
    expect(screen.queryAllByText('Sent')).toHaveLength(times);
  });

  it('is read out once, with the key that takes the message back', () => {
    banner(3_500);
    expect(screen.getByRole('status').textContent).toBe('Sending. Press Z to undo.');
    pass(1_000);
    expect(screen.getByRole('status').textContent).toBe('Sending. Press Z to undo.');
  });

  it.each(['where it was', 'anew'])('is taken back by the key after what was done behind it, drawn %s', (how) => {
    storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
    vi.stubGlobal('fetch', () => pending().promise);
    const unarchive = vi.fn();
    banner(3_500);
    pass(100);
    act(() => notify.success('Archived', { label: 'Undo', run: unarchive, isUndo: true }));
    if (how === 'anew') fireEvent.click(screen.getByText('Move'));
    const phases: unknown[] = [];
    for (let press = 0; press < 2; press += 1) {
      act(() => void fireEvent.keyDown(document.body, { key: 'z' }));
      phases.push(sentMessages.get().map(({ phase }) => phase));
    }
    expect(unarchive).toHaveBeenCalledOnce();
    expect(phases).toEqual([['counting'], ['undoing']]);
  });
});
