import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Clock from './server-clock.ts';

const second = Date.parse('2026-11-21T12:00:00Z');
/** The Date field that a server writes at a time. */
const dateAt = (time: number): string => new Date(time).toUTCString();

let clock: typeof Clock;
beforeEach(async () => {
  vi.resetModules();
  clock = await import('./server-clock.ts');
});

describe('serverNow', () => {
  it('is the clock of the device until the server has answered', () => {
    clock.noteServerTime(null, 5);
    clock.noteServerTime('yesterday', 5);
    expect(clock.serverNow(1234)).toBe(1234);
  });

  it.each([-7_200_000, 0, 600_123])(
    'knows the server’s clock after a few answers, on a device that is %i ms off',
    (off) => {
      for (const at of [120, 1_900, 2_010, 3_350, 4_470, 5_580]) {
        const server = second + at;
        clock.noteServerTime(dateAt(server), server + off - 20, server + off + 20);
      }
      const error = clock.serverNow(second + 9_000 + off) - (second + 9_000);
      expect(Math.abs(error)).toBeLessThan(150);
    },
  );

  it('starts anew when a clock is set', () => {
    clock.noteServerTime(dateAt(second), second, second + 10);
    clock.noteServerTime(dateAt(second + 2_000), second + 60_000, second + 60_010);
    expect(Math.abs(clock.serverNow(second + 60_000) - (second + 2_000))).toBeLessThan(1_000);
  });
});
