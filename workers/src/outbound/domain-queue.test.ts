import { describe, expect, it } from 'vitest';
import { DomainQueue } from './domain-queue.ts';

describe('DomainQueue', () => {
  it('runs at most the limit of one domain at once and the rest after them', async () => {
    const line = new DomainQueue(2);
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    let running = 0;
    let peak = 0;
    const done: number[] = [];
    const first = gates.map((gate, index) =>
      line.run('slow.test', String(index), async () => {
        running += 1;
        peak = Math.max(peak, running);
        await gate.promise;
        running -= 1;
        done.push(index);
      }),
    );
    // Work that waits does not keep its caller waiting
    await Promise.all(first.slice(2));
    expect(running).toBe(2);
    for (const gate of gates) gate.resolve();
    await Promise.all(first);
    await line.close();
    expect(peak).toBe(2);
    expect(done).toEqual(expect.arrayContaining([0, 1]));
  });

  it('does not let one domain hold up another', async () => {
    const line = new DomainQueue(1);
    const gate = Promise.withResolvers<void>();
    const slow = line.run('slow.test', '1', () => gate.promise);
    let isDone = false;
    await line.run('fast.test', '2', async () => void (isDone = true));
    expect(isDone).toBe(true);
    gate.resolve();
    await slow;
  });

  it('queues the same delivery only once', async () => {
    const line = new DomainQueue(1);
    const gate = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    let runs = 0;
    const slow = line.run('slow.test', '1', () => gate.promise);
    for (let i = 0; i < 3; i += 1) await line.run('slow.test', '2', async () => void (runs += 1));
    await line.run('slow.test', '3', async () => counted.resolve());
    gate.resolve();
    await slow;
    await counted.promise;
    expect(runs).toBe(1);
  });

  it('goes on after work that failed', async () => {
    const line = new DomainQueue(1);
    await expect(line.run('a.test', '1', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let isDone = false;
    await line.run('a.test', '2', async () => void (isDone = true));
    expect(isDone).toBe(true);
  });
});
