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

/**
 * The checks of a process: the database must answer. Redis may be away, since mail flows without
 * it.
 */
export function healthChecks({ db }: { db: Sequelize }): HealthChecks {
  return {
    database: async () => {
      await db.query('SELECT 1');
    },
  };
}

/** Runs all checks at once, each within three seconds. */
export async function runChecks(checks: HealthChecks): Promise<HealthReport> {
  const names = Object.keys(checks);
  const results = await Promise.all(names.map(async (name) => [name, await runCheck(name, checks)] as const));
  return { ok: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

async function runCheck(name: string, checks: HealthChecks): Promise<'ok' | 'failed'> {
  try {
    await withDeadline(Promise.resolve(checks[name]?.()), checkLimitMs);
    return 'ok';
  } catch (error) {
    log.warn('health check failed', { check: name, error });
    return 'failed';
  }
}
