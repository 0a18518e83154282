import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { underLock } from './lock.ts';

const LONGEST_MS = 35_000;
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

const answerUnderLock = <T>(answer: T): Promise<T> => underLock('x', LONGEST_MS, () => Promise.resolve(answer));

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
    const answers = await Promise.all([1, 2, 3].map((answer) => underLock('x', LONGEST_MS, () => work(answer))));
    expect(answers).toEqual([1, 2, 3]);
    expect(most).toBe(1);
    expect(values.size).toBe(0);
  });

  it('is free again after a failure', async () => {
    await expect(underLock('x', LONGEST_MS, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await answerUnderLock('yes')).toBe('yes');
  });

  it('waits for a holder that may still be at work', async () => {
    values.set('x.lock', `busy:${Date.now() - LONGEST_MS + 2_000}`);
    const answer = answerUnderLock('late');
    const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
    expect(first).toBe('waits');
    values.delete('x.lock');
    expect(await answer).toBe('late');
  });

  it('takes the lock of a tab that has gone', async () => {
    values.set('x.lock', `gone:${Date.now() - LONGEST_MS - 1_000}`);
    expect(await answerUnderLock('mine')).toBe('mine');
  });

  it('takes a lock whose time lies in the future, because the clock was set back, and one that says no time', async () => {
    values.set('x.lock', `gone:${Date.now() + 86_400_000}`);
    expect(await answerUnderLock('mine')).toBe('mine');
    values.set('x.lock', 'rubbish');
    expect(await answerUnderLock('mine')).toBe('mine');
  });
});

describe('underLock with navigator.locks', () => {
  interface Request {
    signal?: AbortSignal;
    ifAvailable?: boolean;
    steal?: boolean;
  }
  type Granted = (lock: object | null) => Promise<unknown> | undefined;
  const lock = {};

  function withLocks(request: (options: Request, work: Granted) => Promise<unknown> | undefined): void {
    vi.stubGlobal('navigator', { locks: { request: (_name: string, o: Request, w: Granted) => request(o, w) } });
  }

  it('goes past a holder that does not answer any more', async () => {
    withLocks(({ signal, ifAvailable, steal }, work) => {
      if (ifAvailable) return work(null);
      if (steal) return work(lock);
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    expect(await underLock('x', 20, () => Promise.resolve('mine'))).toBe('mine');
  });

  it('finishes its work when the lock is taken from it', async () => {
    withLocks((_options, work) => {
      void work(lock);
      return Promise.reject(new DOMException('stolen', 'AbortError'));
    });
    expect(await answerUnderLock('done')).toBe('done');
  });

  it('tells the work whether another tab had the lock until now', async () => {
    const hasWaited = (): Promise<boolean> => underLock('x', LONGEST_MS, (waited) => Promise.resolve(waited));
    withLocks((_options, work) => work(lock));
    expect(await hasWaited()).toBe(false);
    withLocks(({ ifAvailable }, work) => work(ifAvailable ? null : lock));
    expect(await hasWaited()).toBe(true);
  });
});
