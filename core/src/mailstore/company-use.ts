import { RecentCache } from '../recent-cache.ts';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { bytesOfCompanies } from './storage-use.ts';

/*
 * The use of a company is a sum over the folders of all of its people, so a process does not read
 * it for each message. It caches the sum for a few seconds and adds what it accepts meanwhile. A
 * cached sum is only used when it leaves room: before a message is refused, the sum is read again.
 * So a company may exceed its limit by what other processes accept in those seconds, but no mail is
 * refused because a sum is old.
 */

const keptMs = 3000;
const mostCompanies = 10_000;

interface Sum {
  bytes: number;
  /** From `performance.now()`, since the wall clock may be ahead and then put right. */
  readAt: number;
}

const caches = new WeakMap<App, RecentCache<Sum>>();

function cacheOf(app: App): RecentCache<Sum> {
  const cache = caches.get(app) ?? new RecentCache<Sum>(mostCompanies);
  caches.set(app, cache);
  return cache;
}

/**
 * The bytes that companies have stored, by company id. A sum that is not above its bound may be
 * some seconds old.
 * @param bounds by company id, the most bytes that still leave enough room
 */
export async function recentBytesOfCompanies(
  ctx: Ctx,
  bounds: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const cache = cacheOf(ctx.app);
  const sums = new Map<string, number>();
  for (const [companyId, bound] of bounds) {
    const kept = cache.get(companyId);
    if (kept && performance.now() - kept.readAt < keptMs && kept.bytes <= bound) sums.set(companyId, kept.bytes);
  }
  const unknown = [...bounds.keys()].filter((companyId) => !sums.has(companyId));
  const readAt = performance.now();
  const read = await bytesOfCompanies(ctx, unknown);
  for (const companyId of unknown) {
    const bytes = read.get(companyId) ?? 0;
    cache.set(companyId, { bytes, readAt }, 1);
    sums.set(companyId, bytes);
  }
  return sums;
}

/** Adds accepted bytes to the cached sum of a company. */
export function addToKeptSum({ app }: Ctx, companyId: string, bytes: number): void {
  const kept = cacheOf(app).get(companyId);
  if (kept) kept.bytes += bytes;
}
