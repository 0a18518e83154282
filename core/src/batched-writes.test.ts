import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BatchedWrites } from './batched-writes.ts';

/** An owner whose batches take 100 ms each, and of which so many have a rest. */
function owner(rests = 0) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [begun, ended]: [boolean[], boolean[]] = [[], []];
  const write = async (isEnd: boolean): Promise<boolean> => {
    begun.push(isEnd);
    await new Promise((resolve) => setTimeout(resolve, 100));
    ended.push(isEnd);
    return begun.length <= rests;
  };
  return { begun, ended, writes: new BatchedWrites({ write, firstMs: 500, restMs: 5000 }) };
}

describe('writes in batches', () => {
  it('wait for what comes together, and come back for what was left', async () => {
    const { begun, writes } = owner(1);
    for (let n = 0; n < 3; n += 1) writes.begin();
    await vi.advanceTimersByTimeAsync(499);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun).toEqual([false]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(begun).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun).toHaveLength(2);
  });

  it('never overlap, and the last one settles behind the one under way', async () => {
    const { begun, ended, writes } = owner(9);
    writes.begin();
    await vi.advanceTimersByTimeAsync(550);
    const last = writes.flush();
    expect([begun, ended]).toEqual([[false], []]);
    await vi.advanceTimersByTimeAsync(200);
    await last;
    expect(ended).toEqual([false, true]);
  });
});
