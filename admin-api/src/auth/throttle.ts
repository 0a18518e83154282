import { tooMany } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { consume, forgive } from '@selvage/core/access/rate-limit';

/** A limit of attempts in a time. */
export interface Rule {
  name: string;
  limit: number;
  windowSeconds: number;
  /** Refuses while Redis is away. */
  failClosed?: boolean;
}

const day = 86_400;

/**
 * Limits of the login calls (D12). Addresses count by their network: an attacker with IPv6 has
 * billions of them.
 */
export const rules = {
  /** One costs less than a millisecond, and a whole office may open the login page at once. */
  captcha: { name: 'captcha', limit: 600, windowSeconds: 60 },
  /** Refresh tokens that this host never gave out. */
  inventedRefresh: { name: 'invented-refresh', limit: 120, windowSeconds: 60 },
  /** Calls without a captcha that was solved. */
  wrongCaptcha: { name: 'wrong-captcha', limit: 100, windowSeconds: 300 },
  loginAddress: { name: 'login-address', limit: 100, windowSeconds: 300 },
  loginAccount: { name: 'login-account', limit: 10, windowSeconds: 900 },
  /** Of one account from a whole block of addresses: one customer may have 65,536 networks. */
  loginAccountBlock: { name: 'login-account-block', limit: 30, windowSeconds: 900 },
  /** The password of a logged-in person, asked for once more: of one network, and of all. */
  passwordAgain: { name: 'password-again', limit: 10, windowSeconds: 900 },
  passwordAgainAccount: { name: 'password-again-account', limit: 30, windowSeconds: 900 },
  /** Tries to read secrets of the host. */
  revealSecret: { name: 'reveal-secret', limit: 30, windowSeconds: 900, failClosed: true },
  codeAddress: { name: 'code-address', limit: 60, windowSeconds: 900 },
  codeStep: { name: 'code-step', limit: 5, windowSeconds: 900 },
  codeNetwork: { name: 'code-network', limit: 10, windowSeconds: 900 },
  codeNetworkDay: { name: 'code-network-day', limit: 20, windowSeconds: day },
  codeAccountDay: { name: 'code-account-day', limit: 60, windowSeconds: day },
  /** Wrong codes of which the owner is not told, since people mistype. */
  codeQuiet: { name: 'code-quiet', limit: 4, windowSeconds: day },
  codeWarning: { name: 'code-warning', limit: 1, windowSeconds: day },
  recoveryMailMinute: { name: 'recovery-mail-minute', limit: 1, windowSeconds: 60 },
  recoveryMailHour: { name: 'recovery-mail-hour', limit: 5, windowSeconds: 3600 },
} as const satisfies Record<string, Rule>;

/**
 * Counts an attempt of a subject: a network, an account, a login. It is counted before its outcome
 * is known, so that many at once can't pass together. The caller takes back an attempt that turns
 * out right. While Redis is away nothing is counted, unless the rule refuses then. Logging in needs
 * a captcha from Redis, so it waits anyway.
 * @throws 429
 */
export async function countAttempt(app: App, rule: Rule, subject: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(app.redis, `${rule.name}:${subject}`, rule);
  if (!allowed) throw tooMany(retryAfterSeconds);
}

/** Counts an attempt as `countAttempt` does, and returns false when it is one too many. */
export async function countWithinLimit(app: App, rule: Rule, subject: string): Promise<boolean> {
  return (await consume(app.redis, `${rule.name}:${subject}`, rule)).allowed;
}

/** Takes back all counted attempts. */
export async function forgiveAttempts(app: App, rule: Rule, subject: string): Promise<void> {
  await forgive(app.redis, `${rule.name}:${subject}`);
}

/** Takes back one attempt, which turned out right. */
export async function forgiveOne(app: App, rule: Rule, subject: string): Promise<void> {
  await consume(app.redis, `${rule.name}:${subject}`, rule, -1);
}
