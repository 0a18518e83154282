import { expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { createRedis } from './create-redis.ts';
import { healthChecks, runChecks } from './health.ts';

it('a process is ready while Redis is away, and says so', async () => {
  const { db, redis } = await testApp();
  expect(await runChecks(healthChecks({ db, redis }))).toEqual({ ok: true, checks: { database: 'ok', redis: 'ok' } });
  const nowhere = createRedis({ redisUrl: 'redis://127.0.0.1:9' }, { role: 'producer' });
  const report = await runChecks(healthChecks({ db, redis: nowhere }));
  nowhere.disconnect();
  expect(report).toEqual({ ok: true, checks: { database: 'ok', redis: 'failed' } });
});
