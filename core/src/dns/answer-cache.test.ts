import { expect, it, onTestFinished, vi } from 'vitest';
import { AnswerCache } from './answer-cache.ts';

/** A cache, and how often each key was looked up in it. */
function counted() {
  const cache = new AnswerCache(60_000, (error) => error === 'lasting');
  const times = new Map<string, number>();
  const ask = (key: string, answer: unknown = key) =>
    cache.remember(key, () => {
      times.set(key, (times.get(key) ?? 0) + 1);
      return Promise.resolve(answer);
    });
  return { cache, ask, timesOf: (key: string) => times.get(key) };
}

it('keeps as many small answers as come in a minute', async () => {
  const { ask, timesOf } = counted();
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 5000; number += 1) await ask(`A n${number}.test`, ['192.0.2.1']);
  }
  expect(timesOf('A n0.test')).toBe(1);
});

it('keeps few large answers, whatever they are made of', async () => {
  const large = { texts: [['x'.repeat(1_000_000)]], pieces: [Array<string>(30_000).fill('')] };
  for (const [kind, answer] of Object.entries(large)) {
    const { ask, timesOf } = counted();
    for (let number = 0; number < 20; number += 1) await ask(`${kind} ${number}`, answer);
    await ask(`${kind} 0`, answer);
    expect(timesOf(`${kind} 0`)).toBe(2);
    await ask(`${kind} 19`, answer);
    expect(timesOf(`${kind} 19`)).toBe(1);
  }
});

it('joins look-ups at the same time, and forgets a failure that does not last', async () => {
  const { cache } = counted();
  let asked = 0;
  const fail = (error: string) => () => {
    asked += 1;
    return Promise.reject(error);
  };
  const both = await Promise.allSettled([cache.remember('a', fail('passing')), cache.remember('a', fail('passing'))]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked).toBe(1);
  await expect(cache.remember('a', fail('passing'))).rejects.toBe('passing');
  await expect(cache.remember('b', fail('lasting'))).rejects.toBe('lasting');
  await expect(cache.remember('b', fail('lasting'))).rejects.toBe('lasting');
  expect(asked).toBe(3);
});

it('keeps no answer for longer because the clock was ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ask, timesOf } = counted();
  const months = 90 * 86_400_000;
  vi.setSystemTime(Date.now() + months);
  await ask('MX moved.test');
  vi.setSystemTime(Date.now() - months);
  vi.advanceTimersByTime(59_000);
  await ask('MX moved.test');
  expect(timesOf('MX moved.test')).toBe(1);
  vi.advanceTimersByTime(1001);
  await ask('MX moved.test');
  expect(timesOf('MX moved.test')).toBe(2);
});
