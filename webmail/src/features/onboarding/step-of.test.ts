import { describe, expect, it } from 'vitest';
import { reachedStep, type StepsDone, stepToShow } from './step-of.ts';

const done = (...steps: number[]): StepsDone => ({ 1: steps.includes(1), 2: steps.includes(2), 3: steps.includes(3) });

describe('the step of an address', () => {
  it.each([
    ['1', 1],
    ['4', 4],
    ['0', 1],
    ['-7', 1],
    ['99', 4],
    ['9'.repeat(400), 4],
    ['2.9', 2],
  ])('%j is clamped to 1..4', (text, step) => {
    expect(stepToShow(text, done(1, 2, 3))).toBe(step);
  });

  it.each([null, '', ' ', 'two', '1e3', 'NaN', 'Infinity', '0x2', '3;DROP'])(
    '%j is no number, so a person goes on where something is left',
    (text) => {
      expect(stepToShow(text, done())).toBe(1);
      expect(stepToShow(text, done(1))).toBe(2);
      expect(stepToShow(text, done(1, 2))).toBe(3);
      expect(stepToShow(text, done(1, 2, 3))).toBe(4);
    },
  );

  it('whose turn has not come leads to the one that is to be saved first', () => {
    expect(stepToShow('4', done())).toBe(1);
    expect(stepToShow('3', done(2, 3))).toBe(1);
    expect(stepToShow('3', done(1, 3))).toBe(2);
    expect([reachedStep(done()), reachedStep(done(1)), reachedStep(done(1, 2))]).toEqual([1, 2, 4]);
  });

  it('may be one behind the third, which can be skipped', () => {
    expect(stepToShow('4', done(1, 2))).toBe(4);
  });
});
