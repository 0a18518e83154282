import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { consume, forgive } from './rate-limit.ts';

describe('consume', () => {
  it('allows so many uses in a window and says when to come back', async () => {
    const { redis } = await testApp();
    const key = randomUUID();
    const rate = { limit: 2, windowSeconds: 60 };
    expect(await consume(redis, key, rate)).toEqual({ allowed: true, retryAfterSeconds: 0 });
    expect(await consume(redis, key, rate)).toMatchObject({ allowed: true });
    const third = await consume(redis, key, rate);
    expect(third.allowed).toBe(false);
    expect(third.retryAfterSeconds).toBeGreaterThan(50);
    await forgive(redis, key);
    expect(await consume(redis, key, rate)).toMatchObject({ allowed: true });
  });

  it('allows no more than the limit when many come at once', async () => {
    const { redis } = await testApp();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => consume(redis, key, { limit: 7, windowSeconds: 60 })),
    );
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(7);
  });

  it('lets mail through while redis is away, and nothing that must be limited', async () => {
    const away = new Redis({
      path: '/nowhere.sock',
      lazyConnect: true,
      enableOfflineQueue: false,
      retryStrategy: null,
    });
    away.on('error', () => undefined);
    const rate = { limit: 1, windowSeconds: 60 };
    expect(await consume(away, 'x', rate)).toEqual({ allowed: true, retryAfterSeconds: 0 });
    expect(await consume(away, 'x', { ...rate, failClosed: true })).toEqual({ allowed: false, retryAfterSeconds: 5 });
    away.disconnect();
  });
});
