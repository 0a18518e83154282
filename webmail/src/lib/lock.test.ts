import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { underLock } from './lock.ts';

let values: Map<string, string>;

beforeEach(() => {
  values = new Map();
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('underLock without navigator.locks', () => {
  it('lets one at a time work, and gives every answer', async () => {
    let running = 0;
    let most = 0;
    const work = async (answer: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return answer;
    };
    const answers = await Promise.all([1, 2, 3].map((answer) => underLock('x', () => work(answer))));
    expect(answers).toEqual([1, 2, 3]);
    expect(most).toBe(1);
    expect(values.size).toBe(0);
  });

  it('is free again after a failure', async () => {
    await expect(underLock('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await underLock('x', () => Promise.resolve('yes'))).toBe('yes');
  });

  it('takes the lock of a tab that has gone', async () => {
    values.set('x.lock', `gone:${Date.now() - 36_000}`);
    expect(await underLock('x', () => Promise.resolve('mine'))).toBe('mine');
  });
});
