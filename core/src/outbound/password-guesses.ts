import { createHmac } from 'node:crypto';
import { isKnownNetwork } from '../access/known-networks.ts';
import { networkOf } from '../access/network-of.ts';
import { consume, isUsedUp } from '../access/rate-limit.ts';
import { findUsableAccount } from '../access/usable-account.ts';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import type { User } from '../models/user.ts';
import { tellOwner } from './tell-owner.ts';

/*
 * An attacker with many networks has a few guesses at a password from each of them, so guesses at
 * one account also count by the day, over all networks (D12). When the day is used up, networks
 * from which the person got in during the last month are still allowed, so the attacker does not
 * shut the owner out.
 */

/** Wrong passwords of one account in a day. */
const perDay = { limit: 300, windowSeconds: 86_400 };
/** Mails to the owner. */
const warnings = { limit: 1, windowSeconds: 86_400 };
/**
 * Accounts share so many counts. A day of guesses at ever new names, which no account has, would
 * fill the memory of Redis otherwise.
 */
const buckets = 2 ** 18;

/** A password that is tried at an account. */
export interface PasswordTry {
  /**
   * Each door counts by itself. A login to the web app takes a captcha, so programs that guess at
   * the mail door leave that way open to an owner in a new network.
   */
  door: 'web' | 'mail';
  /** The address that was entered, normalised. */
  account: string;
  /** The account that has the address; null where none has it. */
  user: User | null;
}

/**
 * Asked before a password is looked at, also of an account that does not exist.
 * @returns after how many seconds to ask again; 0 when the password may be tried
 */
export async function secondsUntilTry(ctx: Ctx, tried: PasswordTry): Promise<number> {
  const { redis } = ctx.app;
  const key = keyOf(ctx.app, tried);
  if (!(await isUsedUp(redis, key, perDay))) return 0;
  if (await isKnownNetwork(ctx.app, String(tried.user?.id ?? '0'), networkOf(ctx.address))) return 0;
  return (await consume(redis, key, { ...perDay, limit: perDay.limit - 1 }, 0)).retryAfterSeconds;
}

/**
 * Counts a wrong password, and tells the owner once a day when they are too many. It is counted
 * after the password was looked at, so those that are looked at meanwhile may pass the limit.
 */
export async function countWrongPassword(ctx: Ctx, tried: PasswordTry): Promise<void> {
  const { redis } = ctx.app;
  const key = keyOf(ctx.app, tried);
  await consume(redis, key, perDay);
  if (!(await isUsedUp(redis, key, perDay)) || !tried.user) return;
  // Not waited for, since the time of the answer would tell that the account exists
  warnOwner(ctx, tried.user, tried.door).catch((error: unknown) =>
    log.warn('the owner of an account is not told of guesses at its password', { error }),
  );
}

async function warnOwner(ctx: Ctx, user: User, door: PasswordTry['door']): Promise<void> {
  const { allowed } = await consume(ctx.app.redis, `password-warning:${user.id}`, warnings);
  if (!allowed || !(await findUsableAccount(ctx, user))) return;
  const happened = `Within a day, some ${perDay.limit} wrong passwords were tried at your account. ${refused[door]}`;
  await tellOwner(ctx, user, 'Wrong passwords at your login', happened);
}

const refused = {
  mail: 'For the rest of the day, mail programs with its password are refused in networks from which you have not logged in lately. App passwords work from everywhere, and so does a login to the web app.',
  web: 'For the rest of the day, logins with its password are refused in networks from which you have not logged in lately.',
};

function keyOf(app: App, { door, account }: PasswordTry): string {
  const digest = createHmac('sha256', app.secrets.key('password-guesses')).update(account).digest();
  return `password-day:${door}:${digest.readUInt32BE() % buckets}`;
}
