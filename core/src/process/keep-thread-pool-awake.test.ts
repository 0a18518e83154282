import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { keepThreadPoolAwake } from './keep-thread-pool-awake.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('hands the thread pool work each second, which keeps no process alive', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const asked = vi.spyOn(fs, 'stat');
  syncBuiltinESMExports();
  const before = vi.getTimerCount();
  keepThreadPoolAwake();
  expect(vi.getTimerCount()).toBe(before + 1);
  vi.advanceTimersByTime(3000);
  expect(asked).toHaveBeenCalledTimes(3);
});
