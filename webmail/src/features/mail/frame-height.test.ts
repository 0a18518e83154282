import { describe, expect, it } from 'vitest';
import { followHeight } from './frame-height.ts';

describe('followHeight', () => {
  it('follows a text that grows and shrinks, up to its bound', () => {
    const follow = followHeight();
    expect([400, 900, 300, 5_000_000].map((height, at) => follow(height, at))).toEqual([400, 900, 300, 100_000]);
  });

  it('stops a text that grows with its frame, and follows again after a rest', () => {
    const follow = followHeight();
    let height = 300;
    for (let at = 0; at < 1000; at++) height = follow(height + 1, at) ?? height;
    expect(height).toBe(450);
    expect(follow(height + 1, 1500)).toBeNull();
    expect(follow(200, 1501)).toBe(200);
    expect(follow(5000, 9000)).toBe(5000);
  });
});
