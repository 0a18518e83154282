import { describe, expect, it } from 'vitest';
import { KeyedLock } from './keyed-lock.ts';

describe('a keyed lock', () => {
  it('runs work of one key in order, also after work that failed, and other keys meanwhile', async () => {
    const lock = new KeyedLock();
    const held = Promise.withResolvers<void>();
    const done: string[] = [];
    const note = (name: string) => async () => {
      done.push(name);
      return await Promise.resolve(name);
    };
    const first = lock.run('a', async () => {
      await held.promise;
      throw new Error('no');
    });
    const second = lock.run('a', note('a2'));
    const third = lock.run('a', note('a3'));
    expect(await lock.run('b', note('b1'))).toBe('b1');
    held.resolve();
    await expect(first).rejects.toThrow('no');
    expect(await Promise.all([second, third])).toEqual(['a2', 'a3']);
    expect(done).toEqual(['b1', 'a2', 'a3']);
  });
});
