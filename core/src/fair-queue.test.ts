import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/**
 * A queue with a first piece of work that runs until `release` is called, and a list of the pieces
 * that ran after it.
 */
function busyQueue(waiting: number) {
  const queue = new FairQueue({ atOnce: 1, waiting });
  const held = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = queue.run('first', () => held.promise);
  const add = (key: string, name: string) =>
    queue.run(key, async () => {
      done.push(name);
      return await Promise.resolve(name);
    });
  return { add, done, first, release: held.resolve };
}

describe('a fair queue', () => {
  it('runs no more at once than its limit, and all of them in the end', async () => {
    const queue = new FairQueue({ atOnce: 2, waiting: 100 });
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'done';
    };
    const results = await Promise.all(Array.from({ length: 20 }, () => queue.run('x', work)));
    expect(most).toBe(2);
    expect(results).toEqual(Array<string>(20).fill('done'));
  });

  it('gives each key its turn, however much work waits under another', async () => {
    const { add, done, first, release } = busyQueue(10);
    const all = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('b', 'b1'), add('c', 'c1')];
    release();
    await Promise.all([first, ...all]);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('refuses the newest work of the key that has most when it is full', async () => {
    const { add, done, first, release } = busyQueue(3);
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name));
    const other = add('b', 'b1');
    release();
    const results = await Promise.allSettled([first, ...flood, other]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, false, true]);
    expect(results[4]).toMatchObject({ reason: { status: 503, code: 'too_busy' } });
    expect(done).toEqual(['a1', 'b1', 'a2']);
  });

  it('leaves places that one key may not have to the others', async () => {
    const queue = new FairQueue({ atOnce: 3, waiting: 10, ofKey: 2 });
    const held = Promise.withResolvers<void>();
    const begun: string[] = [];
    const run = (key: string, name: string, work: Promise<void>) =>
      queue.run(key, async () => {
        begun.push(name);
        await work;
      });
    const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name, held.promise));
    await run('b', 'b1', Promise.resolve());
    await run('b', 'b2', Promise.resolve());
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    held.resolve();
    await Promise.all(flood);
    expect(begun.slice(4)).toEqual(['a3', 'a4']);
  });

  it('goes on after work that failed', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 1 });
    const failing = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await queue.run('a', () => Promise.resolve('and again'))).toBe('and again');
  });
});
