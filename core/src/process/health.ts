import type { Redis } from 'ioredis';
import type { Sequelize } from 'sequelize';
import { log } from '../log.ts';
import { withDeadline } from '../with-deadline.ts';

/** Checks by name; a check throws when something is wrong. */
export type HealthChecks = Record<string, () => Promise<void>>;

/** What /health/ready answers. */
export interface HealthReport {
  ok: boolean;
  checks: Record<string, 'ok' | 'failed'>;
  /** The processes of this program, when a primary answers for them. */
  pids?: number[];
}

const checkLimitMs = 3000;

/** Mail flows without Redis, so a process is ready without it. Its connection logs each outage. */
const dispensable: ReadonlySet<string> = new Set(['redis']);

/** The checks of a process: whether its engines answer. */
export function healthChecks({ db, redis }: { db: Sequelize; redis: Redis }): HealthChecks {
  return {
    database: async () => {
      await db.query('SELECT 1');
    },
    redis: async () => {
      await redis.ping();
    },
  };
}

/** Runs all checks at once, each within three seconds. All is well without what is dispensable. */
export async function runChecks(checks: HealthChecks): Promise<HealthReport> {
  const names = Object.keys(checks);
  const results = await Promise.all(names.map(async (name) => [name, await runCheck(name, checks)] as const));
  const ok = results.every(([name, result]) => result === 'ok' || dispensable.has(name));
  return { ok, checks: Object.fromEntries(results) };
}

async function runCheck(name: string, checks: HealthChecks): Promise<'ok' | 'failed'> {
  try {
    await withDeadline(Promise.resolve(checks[name]?.()), checkLimitMs);
    return 'ok';
  } catch (error) {
    if (!dispensable.has(name)) log.warn('health check failed', { check: name, error });
    return 'failed';
  }
}
