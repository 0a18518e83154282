import { tooMany } from '@selvage/core/errors';
import type { App } from '@selvage/core/runtime/app';
import { consume, forgive } from '@selvage/core/runtime/rate-limit';

/** So many attempts in so many seconds. */
export interface Rule {
  name: string;
  limit: number;
  windowSeconds: number;
}

/** Limits of the sign-in calls (D12). Addresses count by their network: an attacker with IPv6 has billions of them. */
export const rules = {
  captcha: { name: 'captcha', limit: 120, windowSeconds: 60 },
  refresh: { name: 'refresh', limit: 120, windowSeconds: 60 },
  loginAddress: { name: 'login-address', limit: 100, windowSeconds: 300 },
  loginAccount: { name: 'login-account', limit: 10, windowSeconds: 900 },
} as const satisfies Record<string, Rule>;

/**
 * Counts an attempt. It is counted before its outcome is known, so that many at once can't slip through together; who proves to
 * be who they say is forgiven. While Redis is away nothing is counted: signing in needs a captcha from it, so it waits as well.
 * @throws 429
 */
export async function countAttempt(app: App, rule: Rule, who: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(app.redis, `${rule.name}:${who}`, rule);
  if (!allowed) throw tooMany(retryAfterSeconds);
}

/** Takes counted attempts back. */
export async function forgiveAttempts(app: App, rule: Rule, who: string): Promise<void> {
  await forgive(app.redis, `${rule.name}:${who}`);
}
