import type { Redis } from 'ioredis';
import { expect, inject, it, vi } from 'vitest';
import { closeRedis, createRedis } from './create-redis.ts';
import { log } from '../log.ts';

/** Not `once` of Node, which fails on the error events that are looked for here. */
const seen = (redis: Redis, event: 'connect' | 'end') => new Promise((resolve) => redis.once(event, resolve));

it('says nothing about a connection that is closed while it is being made', async () => {
  const warnings = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  const redis = createRedis({ redisUrl: inject('redisUrl') }, { role: 'producer' });
  await seen(redis, 'connect');
  closeRedis(redis);
  await seen(redis, 'end');
  expect(warnings.mock.calls).toEqual([]);
});
