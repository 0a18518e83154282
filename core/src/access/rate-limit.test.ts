import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { losingCommits } from '../../../tests/support/losing-commits.ts';
import { inTransaction } from '../context/context.ts';
import { createRedis } from '../process/create-redis.ts';
import { consume, consumeWithin, forgive, isUsedUp } from './rate-limit.ts';

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

  it('ends a window within its length, also when it began while the clock was months ahead', async () => {
    const { redis } = await testApp();
    const rate = { limit: 1, windowSeconds: 60 };
    const [asked, counted] = [randomUUID(), randomUUID()];
    // When the clock is put right, Redis keeps a key until the moment that it was given
    for (const key of [asked, counted]) await redis.set(`rate:${key}`, '1', 'EX', 90 * 86_400);
    expect(await isUsedUp(redis, asked, rate)).toBe(true);
    expect(await redis.ttl(`rate:${asked}`)).toBeLessThanOrEqual(60);
    const answer = await consume(redis, counted, rate);
    expect(answer.allowed).toBe(false);
    expect(answer.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await redis.ttl(`rate:${counted}`)).toBeLessThanOrEqual(60);
  });

  it('allows no more than the limit when many come at once', async () => {
    const { redis } = await testApp();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => consume(redis, key, { limit: 7, windowSeconds: 60 })),
    );
    expect(answers.filter((answer) => answer.allowed)).toHaveLength(7);
  });

  it('uncounts what is given back, which is no credit of a later window', async () => {
    const { redis } = await testApp();
    const key = randomUUID();
    const rate = { limit: 3, windowSeconds: 60 };
    const uses = async (cost: number) => (await consume(redis, key, rate, cost)).allowed;
    expect([await uses(3), await uses(1)]).toEqual([true, false]);
    await uses(-2);
    expect([await uses(2), await uses(1)]).toEqual([true, false]);
    await redis.del(`rate:${key}`);
    await uses(-3);
    expect([await uses(3), await uses(1)]).toEqual([true, false]);
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

  it('waits for a redis that hangs once in a while, and not with each use', async () => {
    let asked = 0;
    // It answers what a client asks at the beginning
    const server = createServer((socket) =>
      socket.on('data', (bytes) => {
        for (const command of bytes
          .toString()
          .toLowerCase()
          .split(/^\*\d+\r\n/m)
          .slice(1)) {
          if (command.includes('\neval\r')) asked += 1;
          else socket.write(command.startsWith('$4\r\ninfo\r') ? '$9\r\nloading:0\r\n' : '+OK\r\n');
        }
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hanging = createRedis({ redisUrl: `redis://127.0.0.1:${port}/0` }, { role: 'producer' });
    onTestFinished(() => {
      vi.restoreAllMocks();
      hanging.disconnect();
      server.close();
    });
    await once(hanging, 'ready');
    const rate = { limit: 1, windowSeconds: 60 };
    for (let n = 0; n < 20; n += 1) expect((await consume(hanging, 'x', rate)).allowed).toBe(true);
    expect((await consume(hanging, 'x', { ...rate, failClosed: true })).allowed).toBe(false);
    expect(asked).toBe(1);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5000);
    expect((await consume(hanging, 'x', rate)).allowed).toBe(true);
    expect(asked).toBe(2);
  }, 90_000);
});

describe('uses within a transaction', () => {
  const rate = { limit: 10, windowSeconds: 60 };

  it('are given back when it is rolled back, and stay counted when its commit may have succeeded', async () => {
    const app = await testApp();
    const { lossy, lose } = losingCommits(app);
    const key = randomUUID();
    const used = async () => Number(await app.redis.get(`rate:${key}`));
    await inTransaction(lossy, (tx) => consumeWithin(tx, key, rate, 3));
    expect(await used()).toBe(3);
    const failing = inTransaction(lossy, async (tx) => {
      await consumeWithin(tx, key, rate, 3);
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    expect(await used()).toBe(3);
    lose(1);
    await expect(inTransaction(lossy, (tx) => consumeWithin(tx, key, rate, 3))).rejects.toThrow('Connection lost');
    expect(await used()).toBe(6);
  });
});
