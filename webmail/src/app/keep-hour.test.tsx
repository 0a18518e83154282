import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { timeInWords } from '../features/mail/time-in-words.ts';
import { useHourly } from '../hooks/use-hourly.ts';
import { show } from '../test/render.tsx';
import { keepHour } from './keep-hour.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date('2026-11-30T23:59:30'),
  });
});
afterEach(() => vi.useRealTimers());

function Plan() {
  useHourly();
  return <output>{timeInWords(new Date('2026-12-02T08:00:00'))}</output>;
}

const said = () => screen.getByRole('status').textContent;

it.each([
  ['while the page is in view', () => vi.advanceTimersByTime(60_000)],
  [
    'when the page comes back into view',
    () => {
      vi.setSystemTime(new Date('2026-12-01T09:30:00'));
      document.dispatchEvent(new Event('visibilitychange'));
    },
  ],
])('a day that begins is followed %s', (_when, passNight) => {
  const stop = keepHour();
  show(<Plan />);
  expect(said()).toMatch(/^Wed/);
  act(passNight);
  expect(said()).toMatch(/^tomorrow/);
  stop();
});
