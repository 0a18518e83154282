import { expect, it } from 'vitest';
import { cutToBytes, cutToLength } from './cut-text.ts';

it.each([
  ['wool', 4, 'wool'],
  ['wool', 3, 'woo'],
  ['wool', 0, ''],
  ['wool', -1, ''],
  ['é', 1, ''],
  ['aé', 2, 'a'],
  ['aé', 3, 'aé'],
  ['a€', 3, 'a'],
  ['a🧵', 4, 'a'],
  ['a🧵b', 5, 'a🧵'],
  // A sign for what can't be decoded that stands in the text itself is one as any other
  ['a\ufffdb', 4, 'a\ufffd'],
])('cuts %j to at most %i bytes as %j', (text, most, beginning) => {
  expect(cutToBytes(text, most)).toBe(beginning);
});

it.each([
  ['wool', 3, 'woo'],
  ['a🧵', 2, 'a'],
  ['a🧵', 3, 'a🧵'],
  ['', 3, ''],
])('cuts %j to at most %i units as %j', (text, most, beginning) => {
  expect(cutToLength(text, most)).toBe(beginning);
});
