import { expect, it } from 'vitest';
import { inParts } from './in-parts.ts';

it('calls with at most 500 ids at a time, in their order, and not again after a failure', async () => {
  const ids = Array.from({ length: 1200 }, (_, index) => String(index));
  const sizes: number[] = [];
  const seen: string[] = [];
  await inParts(ids, async (part) => {
    sizes.push(part.length);
    seen.push(...part);
  });
  expect(sizes).toEqual([500, 500, 200]);
  expect(seen).toEqual(ids);
  let calls = 0;
  const refuse = (): Promise<never> => Promise.reject(new Error(`call ${(calls += 1)}`));
  await expect(inParts(ids, refuse)).rejects.toThrow('call 1');
  expect(calls).toBe(1);
  await inParts([], refuse);
});
