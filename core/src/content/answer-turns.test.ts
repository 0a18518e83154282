import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { longestTurn } from '../../../tests/support/event-loop.ts';
import { AnswerTurns } from './answer-turns.ts';

function compute(ms: number): void {
  const begun = cpuTimeMs();
  while (cpuTimeMs() - begun < ms);
}

describe('work that goes on with an answer', () => {
  it('shares the event loop with others, however much of it waits for the same answer', async () => {
    const turns = new AnswerTurns();
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const all = Array.from({ length: 40 }, async () => {
      await answer;
      await turns.next('flood');
      compute(10);
    });
    setImmediate(resolve);
    expect(await longestTurn(() => Promise.all(all))).toBeLessThan(100);
  });

  it('takes turns by key', async () => {
    const turns = new AnswerTurns();
    const done: string[] = [];
    const begin = async (key: string) => {
      await turns.next(key);
      done.push(key);
    };
    await Promise.all([...Array.from({ length: 300 }, () => begin('flood')), begin('honest')]);
    expect(done).toHaveLength(301);
    expect(done.indexOf('honest')).toBe(1);
  });
});
