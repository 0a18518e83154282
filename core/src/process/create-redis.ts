import { Redis, type RedisOptions } from 'ioredis';
import type { Config } from './config.ts';
import { log } from '../log.ts';

/**
 * A connection to Redis that reconnects by itself for ever. A `producer` fails fast while Redis is
 * away, since a person or a peer waits for its answer; a `worker` waits.
 */
export function createRedis(config: Pick<Config, 'redisUrl'>, options: { role: 'producer' | 'worker' }): Redis {
  const shared: RedisOptions = {
    ...targetOf(config.redisUrl),
    connectTimeout: 5000,
    keepAlive: 30_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
    // After a failover the old primary answers READONLY: connect again and repeat the command
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
  const redis =
    options.role === 'worker'
      ? new Redis({ ...shared, maxRetriesPerRequest: null })
      : new Redis({ ...shared, maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 3000 });
  logOutages(redis, options.role);
  return redis;
}

/**
 * Disconnects for good. Errors that the connection still reports are not logged, since Redis is not
 * away.
 */
export function closeRedis(redis: Redis): void {
  redis.removeAllListeners('error');
  // Without a listener ioredis prints the error itself
  redis.on('error', () => {});
  redis.disconnect();
}

/**
 * Waits until Redis answers. Gives up after the limit without an error, since mail flows without
 * Redis.
 */
export async function waitForRedis(redis: Redis, limitMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  const answer = Promise.withResolvers<boolean>();
  const onReady = (): void => answer.resolve(true);
  const timer = setTimeout(() => answer.resolve(false), limitMs);
  redis.once('ready', onReady);
  const isReady = await answer.promise;
  clearTimeout(timer);
  redis.off('ready', onReady);
  if (!isReady) log.warn('redis is away, starting without it');
  return isReady;
}

function targetOf(redisUrl: string): RedisOptions {
  const url = new URL(redisUrl);
  const credentials = {
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
  };
  if (url.protocol === 'unix:') {
    return { ...credentials, path: decodeURIComponent(url.pathname), db: Number(url.searchParams.get('db') ?? 0) };
  }
  return {
    ...credentials,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 6379 : Number(url.port),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

/** One line when Redis goes and one when it is back: each attempt in between would say the same. */
function logOutages(redis: Redis, role: string): void {
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (!isAway) log.warn('redis is away', { role, error });
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info('redis is back', { role });
    isAway = false;
  });
}
