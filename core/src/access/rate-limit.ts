import type { Redis } from 'ioredis';
import { afterRollback, type Ctx } from '../context/context.ts';
import { log } from '../log.ts';

/** At most `limit` uses in a window that begins with the first use. */
export interface RateLimit {
  limit: number;
  windowSeconds: number;
  /** Whether uses are refused while Redis is away. By default they are allowed and not counted. */
  failClosed?: boolean;
}

/** Says whether a use is allowed, and after how long to ask again if it is not. */
export interface RateAnswer {
  allowed: boolean;
  retryAfterSeconds: number;
}

// Expiry and count are set together: a counter without expiry would lock a person out for ever. A
// window that has more left than its length began while the clock was ahead. Uses that are refused
// are not counted: a message to too many people has reached none of them. What is given back after
// its window has ended is no credit of the next one
const countScript = `
local used = redis.call('INCRBY', KEYS[1], ARGV[2])
if used < 0 and tonumber(ARGV[2]) < 0 then
  redis.call('DEL', KEYS[1])
  return { 0, 0 }
end
if tonumber(ARGV[2]) > 0 and used > tonumber(ARGV[3]) then redis.call('DECRBY', KEYS[1], ARGV[2]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { used, left }`;

const readScript = `
if redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return redis.call('GET', KEYS[1])`;

let lastWarning = 0;

/** For how long a Redis that gave no answer in time is not asked again. */
const restMs = 5000;
const restsUntil = new WeakMap<Redis, number>();

/**
 * Asks Redis. For five seconds after a command that timed out, it fails at once. One message needs
 * several counts, and folders may be locked meanwhile, so they must not all wait for a Redis that
 * hangs.
 */
export async function askRedis<T>(redis: Redis, command: () => Promise<T>): Promise<T> {
  if (performance.now() < (restsUntil.get(redis) ?? 0)) throw new Error('redis gave no answer a moment ago');
  try {
    return await command();
  } catch (error) {
    const isTimeout = error instanceof Error && error.message === 'Command timed out';
    if (isTimeout) restsUntil.set(redis, performance.now() + restMs);
    throw error;
  }
}

/**
 * Counts `cost` uses under a key, one unless told, if they are allowed. A negative cost gives uses
 * back. All processes share the count.
 */
export async function consume(redis: Redis, key: string, rate: RateLimit, cost = 1): Promise<RateAnswer> {
  try {
    const windowMs = rate.windowSeconds * 1000;
    const count = () =>
      redis.eval(countScript, 1, `rate:${key}`, windowMs, cost, rate.limit) as Promise<[number, number]>;
    const [used, leftMs] = await askRedis(redis, count);
    const allowed = used <= rate.limit;
    return { allowed, retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(leftMs / 1000)) };
  } catch (error) {
    warnRarely(error, rate.failClosed === true);
    return rate.failClosed === true
      ? { allowed: false, retryAfterSeconds: 5 }
      : { allowed: true, retryAfterSeconds: 0 };
  }
}

/**
 * As `consume`, for uses within a transaction. A rollback gives them back, since the transaction
 * may be run again. They stay counted when its commit may have succeeded.
 */
export async function consumeWithin(ctx: Ctx, key: string, rate: RateLimit, cost = 1): Promise<RateAnswer> {
  const { tx, app } = ctx;
  const answer = await consume(app.redis, key, rate, cost);
  if (tx !== undefined && answer.allowed)
    afterRollback({ ...ctx, tx }, async () => void (await consume(app.redis, key, rate, -cost)));
  return answer;
}

/**
 * Says whether a further use would be refused, and counts nothing: for callers that count only
 * failures.
 */
export async function isUsedUp(redis: Redis, key: string, rate: RateLimit): Promise<boolean> {
  try {
    const read = () => redis.eval(readScript, 1, `rate:${key}`, rate.windowSeconds * 1000);
    return Number(await askRedis(redis, read)) >= rate.limit;
  } catch (error) {
    warnRarely(error, rate.failClosed === true);
    return rate.failClosed === true;
  }
}

/** Forgets the uses of a key, for example failed logins after one that worked. */
export async function forgive(redis: Redis, key: string): Promise<void> {
  try {
    await askRedis(redis, () => redis.del(`rate:${key}`));
  } catch (error) {
    warnRarely(error, false);
  }
}

function warnRarely(error: unknown, failClosed: boolean): void {
  if (Date.now() - lastWarning < 10_000) return;
  lastWarning = Date.now();
  log.warn('rate limits cannot be counted, redis is away', { failClosed, error });
}
