import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startDatabaseProxy } from '../../../tests/support/database-proxy.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { connectDatabase } from '../database/connect-database.ts';
import { holdSeconds } from '../mailstore/removal-hold.ts';
import { whileRemovalsHeld } from './keep-hold.ts';

it('ends the work when the database has fallen silent for as long as a hold', async () => {
  const { config } = await testApp();
  const proxy = await startDatabaseProxy(config.databaseUrl);
  const db = connectDatabase({ databaseUrl: proxy.databaseUrl, databasePool: 2, databaseTimeoutSeconds: 1 });
  onTestFinished(async () => {
    vi.useRealTimers();
    await db.close();
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const job = { progress: { at: () => undefined, say: () => undefined }, signal: new AbortController().signal };
  const work = whileRemovalsHeld({ app: { db } }, job, async ({ signal }) => {
    proxy.stall();
    vi.advanceTimersByTime(holdSeconds * 1000);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(15_000);
    if (!signal.aborted) await once(signal, 'abort');
    signal.throwIfAborted();
  });
  await expect(work).rejects.toThrow('the database has not answered for 90 seconds');
});
