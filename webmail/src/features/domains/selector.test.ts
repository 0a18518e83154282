import { expect, it } from 'vitest';
import { newSelector } from './selector.ts';

const november = new Date(2026, 10, 23);

it('names a new key by its month', () => {
  expect(newSelector(['default'], november)).toBe('s202611');
  expect(newSelector([], new Date(2027, 0, 1))).toBe('s202701');
});

it('adds a letter where a key of that month is there already', () => {
  expect(newSelector(['s202611', 'default'], november)).toBe('s202611a');
  expect(newSelector(['s202611', 's202611a'], november)).toBe('s202611b');
});

it('finds a name however many there are', () => {
  const taken = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `s202611${letter}`);
  expect(newSelector(['s202611', ...taken], november)).toBe('s202611-27');
});
