import type { Ctx } from '../context/context.ts';
import type { DamageProblem } from '../metrics.ts';
import { restAfter } from '../sweeps/rest.ts';
import { inspectBlob } from './read-blob.ts';
import { reportDamage } from './report-damage.ts';

const workMs = 50;

/**
 * Reads every blob whose key begins with these digits, two at least, and reports those whose bytes
 * don't match their key. Rests after some time of work.
 * @returns how many blobs were read, and how many records need a damaged one
 */
export async function checkContents(
  ctx: Ctx,
  prefix: string,
  signal?: AbortSignal,
): Promise<{ read: number; damaged: number }> {
  const keys = await ctx.app.blobs.list(prefix);
  let damaged = 0;
  let startedAt = performance.now();
  for (const key of keys) {
    const found = await inspectBlob(ctx.app.blobs, key);
    // The comparison with the rows reports missing blobs
    if (found !== 'whole' && found !== 'missing') damaged += await report(ctx, key, found);
    if (performance.now() - startedAt < workMs) continue;
    await restAfter(startedAt, signal);
    startedAt = performance.now();
  }
  return { read: keys.length, damaged };
}

async function report(ctx: Ctx, key: string, problem: DamageProblem): Promise<number> {
  const isDamaged = async () => (await inspectBlob(ctx.app.blobs, key)) === problem;
  return await reportDamage(ctx, problem, { keys: [key], isDamaged });
}
