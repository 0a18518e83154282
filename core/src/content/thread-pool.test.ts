import { afterEach, describe, expect, it, vi } from 'vitest';
import { ThreadPool } from './thread-pool.ts';

// Threads start slowly on a busy machine
vi.setConfig({ testTimeout: 90_000 });

const entry = new URL('./test-thread.ts', import.meta.url);
const pools: ThreadPool[] = [];

function makePool(limits: { threads?: number; cpuSeconds?: number; wallSeconds?: number } = {}): ThreadPool {
  const pool = new ThreadPool(entry, null, {
    threads: 1,
    cpuSeconds: 0.5,
    memoryMegabytes: 64,
    bufferMegabytes: 128,
    wallSeconds: 60,
    ...limits,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const echo = (pool: ThreadPool) => pool.run('', { task: 'echo', input: 'hello' });

describe('ThreadPool', () => {
  it.each([
    ['a loop', 'loop', 'too_costly', {}],
    ['a regular expression', 'expression', 'too_costly', {}],
    // A slow machine takes longer to fill it than the others may compute
    ['memory', 'memory', 'too_much_memory', { cpuSeconds: 60 }],
    ['buffers', 'buffers', 'too_much_memory', { cpuSeconds: 60 }],
  ])('ends a thread that is over its bound by %s, and does the next task', async (_what, task, reason, limits) => {
    const pool = makePool(limits);
    await expect(pool.run('', { task, input: null })).rejects.toMatchObject({ name: 'MessageTooComplex', reason });
    expect(await echo(pool)).toBe('hello');
  });

  it('says that it is unavailable when a thread fails by itself, and does the next task', async () => {
    const pool = makePool();
    await expect(pool.run('', { task: 'die', input: null })).rejects.toMatchObject({ status: 503 });
    expect(await echo(pool)).toBe('hello');
  });

  it('says that it is unavailable when a task takes too long without being costly', async () => {
    const pool = makePool({ wallSeconds: 2 });
    await expect(pool.run('', { task: 'wait', input: null })).rejects.toMatchObject({ status: 503 });
    expect(await echo(pool)).toBe('hello');
  });

  it('says that it is unavailable when a task says so', async () => {
    const refused = makePool().run('', { task: 'give_up', input: null });
    await expect(refused).rejects.toMatchObject({ name: 'AppError', status: 503 });
  });

  it('keeps a thread whose task was refused in order', async () => {
    const pool = makePool();
    const refused = pool.run('', { task: 'refuse', input: null });
    await expect(refused).rejects.toMatchObject({ reason: 'too_deep' });
    expect(await echo(pool)).toBe('hello');
  });

  it('does more tasks than it has threads, one after the other', async () => {
    const pool = makePool({ threads: 2 });
    expect(await Promise.all(Array.from({ length: 8 }, () => echo(pool)))).toEqual(Array(8).fill('hello'));
  });

  it('has other work done beside a bomb', async () => {
    const pool = makePool({ threads: 2 });
    // Its threads have started, which may take longer than the bomb
    await Promise.all([echo(pool), echo(pool)]);
    const bomb = pool.run('bomb', { task: 'loop', input: null }).catch(() => 'ended');
    const first = await Promise.race([bomb, echo(pool)]);
    expect(first).toBe('hello');
    expect(await bomb).toBe('ended');
  });

  it('ends its threads and what they do', async () => {
    const pool = makePool({ threads: 2 });
    const work = pool.run('', { task: 'loop', input: null }).catch((error: unknown) => error);
    await pool.close();
    expect(await work).toMatchObject({ status: 503 });
  });
});
