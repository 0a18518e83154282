import { describe, expect, it } from 'vitest';
import { DownLanes } from './down-lanes.ts';

describe('lanes that are down', () => {
  it('are remembered for half an hour, or until one of their servers is reached', () => {
    const down = new DownLanes();
    down.note('dead.test', false, 0);
    down.note('back.test', false, 0);
    down.note('back.test', true, 1000);
    expect([down.has('dead.test', 1_799_999), down.has('back.test', 1000), down.has('other.test', 0)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(down.has('dead.test', 1_800_000)).toBe(false);
  });

  it('are ten thousand at most: the oldest is forgotten', () => {
    const down = new DownLanes();
    for (let n = 0; n <= 10_000; n++) down.note(`${n}.test`, false, 0);
    expect([down.has('0.test', 0), down.has('1.test', 0), down.has('10000.test', 0)]).toEqual([false, true, true]);
  });
});
