import { tooMany } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import { consume, forgive } from '@selvage/core/access/rate-limit';

/** A limit on attempts within a time window. */
export interface Rule {
  name: string;
  limit: number;
  windowSeconds: number;
  /** Refuses all attempts while Redis is unavailable. */
  failClosed?: boolean;
}

/** A limit, and of whom attempts are counted towards it. */
export type Count = readonly [rule: Rule, subject: string];

const day = 86_400;

/**
 * Limits of the login calls (D12). Limits per address count the address's network, since an
 * attacker with IPv6 has billions of addresses.
 */
export const rules = {
  /**
   * Making a captcha takes less than a millisecond, and a whole office may open the login page at
   * once.
   */
  captcha: { name: 'captcha', limit: 600, windowSeconds: 60 },
  /** Each answer is some 60 KB. */
  captchaSound: { name: 'captcha-sound', limit: 120, windowSeconds: 60 },
  /** Refresh tokens that this host never gave out. */
  inventedRefresh: { name: 'invented-refresh', limit: 120, windowSeconds: 60 },
  /** Calls whose captcha was not solved. */
  wrongCaptcha: { name: 'wrong-captcha', limit: 100, windowSeconds: 300 },
  loginAddress: { name: 'login-address', limit: 100, windowSeconds: 300 },
  loginAccount: { name: 'login-account', limit: 10, windowSeconds: 900 },
  /**
   * Logins to one account from a whole block of addresses: one internet customer may have 65,536
   * networks.
   */
  loginAccountBlock: { name: 'login-account-block', limit: 30, windowSeconds: 900 },
  /**
   * A logged-in person's password that a call asks for again: limits per network and per account.
   */
  passwordAgain: { name: 'password-again', limit: 10, windowSeconds: 900 },
  passwordAgainAccount: { name: 'password-again-account', limit: 30, windowSeconds: 900 },
  /** Tries to read secrets of the host. */
  revealSecret: { name: 'reveal-secret', limit: 30, windowSeconds: 900, failClosed: true },
  codeAddress: { name: 'code-address', limit: 60, windowSeconds: 900 },
  codeStep: { name: 'code-step', limit: 5, windowSeconds: 900 },
  codeNetwork: { name: 'code-network', limit: 10, windowSeconds: 900 },
  codeNetworkDay: { name: 'code-network-day', limit: 20, windowSeconds: day },
  codeAccountDay: { name: 'code-account-day', limit: 60, windowSeconds: day },
  /** How many wrong codes the owner is not told of, since people mistype. */
  codeQuiet: { name: 'code-quiet', limit: 4, windowSeconds: day },
  codeWarning: { name: 'code-warning', limit: 1, windowSeconds: day },
  recoveryMailMinute: { name: 'recovery-mail-minute', limit: 1, windowSeconds: 60 },
  recoveryMailHour: { name: 'recovery-mail-hour', limit: 5, windowSeconds: 3600 },
} as const satisfies Record<string, Rule>;

/**
 * Counts an attempt of a subject: a network, an account or a login. It is counted before its result
 * is known, so that many attempts at once can't all pass. The caller uncounts an attempt that was
 * right. While Redis is unavailable nothing is counted, unless the rule then refuses everything.
 * Logging in is impossible then anyway, since its captcha is stored in Redis.
 * @throws 429
 */
export async function countAttempt(app: App, rule: Rule, subject: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await consume(app.redis, `${rule.name}:${subject}`, rule);
  if (!allowed) throw tooMany(retryAfterSeconds);
}

/**
 * Refuses an attempt that `countAttempt` would refuse now, and counts nothing.
 * @throws 429
 */
export async function refuseOverLimit(app: App, rule: Rule, subject: string): Promise<void> {
  const others = { ...rule, limit: rule.limit - 1 };
  const { allowed, retryAfterSeconds } = await consume(app.redis, `${rule.name}:${subject}`, others, 0);
  if (!allowed) throw tooMany(retryAfterSeconds);
}

/**
 * Refuses an attempt when one of its counts is at its limit, and counts nothing.
 * @throws 429
 */
export async function refuseAnyOverLimit(app: App, counts: readonly Count[]): Promise<void> {
  for (const [rule, subject] of counts) await refuseOverLimit(app, rule, subject);
}

/** Counts an attempt as `countAttempt` does. Returns false when it is over the limit. */
export async function countWithinLimit(app: App, rule: Rule, subject: string): Promise<boolean> {
  return (await consume(app.redis, `${rule.name}:${subject}`, rule)).allowed;
}

/** Resets the count of a subject. */
export async function forgiveAttempts(app: App, rule: Rule, subject: string): Promise<void> {
  await forgive(app.redis, `${rule.name}:${subject}`);
}

/** Uncounts one attempt, which was right. */
export async function forgiveOne(app: App, rule: Rule, subject: string): Promise<void> {
  await consume(app.redis, `${rule.name}:${subject}`, rule, -1);
}

/**
 * Decides about an attempt that was counted. One that can't be decided, for example while too many
 * passwords wait to be verified, is no guess and is uncounted: a flood must not lock the owner out.
 */
export async function decideCounted<T>(app: App, counts: readonly Count[], decide: () => Promise<T>): Promise<T> {
  try {
    return await decide();
  } catch (error) {
    for (const [rule, subject] of counts) await forgiveOne(app, rule, subject);
    throw error;
  }
}
