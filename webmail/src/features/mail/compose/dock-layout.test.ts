import { describe, expect, it } from 'vitest';
import { openWindows } from './dock-layout.ts';

const windows = (...names: string[]) =>
  names.map((key, index) => ({ key, usedAt: index, isMinimised: key === key.toUpperCase() }));
const open = (width: number, ...names: string[]) => [...openWindows(windows(...names), width)].toSorted();

describe('openWindows', () => {
  it('opens as many as fit, those that were used last', () => {
    expect(open(1280, 'a', 'b')).toEqual(['a', 'b']);
    expect(open(1280, 'a', 'b', 'c')).toEqual(['c']);
    expect(open(1440, 'a', 'b', 'c')).toEqual(['b', 'c']);
    expect(open(1920, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });

  it('opens at most four, and one on any screen', () => {
    expect(open(9000, 'a', 'b', 'c', 'd', 'e')).toEqual(['b', 'c', 'd', 'e']);
    expect(open(300, 'a', 'b')).toEqual(['b']);
  });

  it('leaves folded what the person has folded', () => {
    expect(open(1920, 'a', 'B')).toEqual(['a']);
    expect(open(1920, 'A')).toEqual([]);
  });
});
