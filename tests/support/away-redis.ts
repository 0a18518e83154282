import { createRedis } from '@selvage/core/process/create-redis';
import { freePorts } from './free-ports.ts';

/** A connection to a Redis that can't be reached. `closers` gets what ends it. */
export async function awayRedis(closers: (() => unknown)[]): Promise<ReturnType<typeof createRedis>> {
  const [port = 0] = await freePorts(1);
  const redis = createRedis({ redisUrl: `redis://127.0.0.1:${port}/0` }, { role: 'producer' });
  closers.push(() => redis.disconnect());
  return redis;
}
