import { hasSessionFrom } from '@selvage/core/access/known-networks';
import { networkOf } from '@selvage/core/access/network-of';
import { tooMany } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import type { Ctx } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import type { Context } from 'koa';
import { forgetLoginStep, signInAgain, type Waiting } from './login-step.ts';
import { countAttempt, countWithinLimit, forgiveAttempts, forgiveOne, rules } from './throttle.ts';

/*
 * Six digits can be guessed, so tries are counted in four ways:
 *
 * - Per network, over all accounts.
 * - Per account and network, so that a flood from one network locks out only that network.
 * - Per login, which has to begin again with password and captcha after five tries.
 * - Per account and day, against an attacker with many networks. One network alone can't use up the
 * day. When the day is used up, networks from which the person logged in during the last month are
 * still allowed, so the attacker does not lock out the owner.
 *
 * An attacker who can try codes knows the password, so the owner is told.
 */

/** A try at a second factor. `isShort` says that its code is short enough to be guessed. */
interface Attempt {
  user: User;
  waiting: Waiting | null;
  isShort: boolean;
}

/**
 * Counts a try at a second factor before its result is known.
 * @returns whether it counts among the short codes that the account may try in a day
 * @throws 429, and 401 when the waiting login has used up its tries
 */
export async function countGuess(ctx: Ctx, koa: Context, attempt: Attempt): Promise<boolean> {
  const { app } = ctx;
  const network = networkOf(ctx.address);
  const userId = String(attempt.user.id);
  await countAttempt(app, rules.codeNetwork, `${userId}|${network}`);
  if (attempt.waiting && !(await countWithinLimit(app, rules.codeStep, attempt.waiting.step.id))) {
    await forgetLoginStep(app, koa);
    throw signInAgain();
  }
  // After the limits of one account, so that it can't use up the room of all others in its network
  await countAttempt(app, rules.codeAddress, network);
  if (!attempt.isShort) return false;
  await countAttempt(app, rules.codeNetworkDay, `${userId}|${network}`);
  if (await countWithinLimit(app, rules.codeAccountDay, userId)) return true;
  if (!(await hasSessionFrom(userId, network))) throw tooMany(rules.codeAccountDay.windowSeconds);
  return false;
}

/** What `countGuess` answered. */
interface Counted {
  isOfDay: boolean;
}

/** Uncounts a try that was right, and forgets the wrong ones before it. */
export async function forgiveGuess(ctx: Ctx, attempt: Attempt, counted: Counted): Promise<void> {
  await uncountGuess(ctx, attempt, counted);
  await forgiveAttempts(ctx.app, rules.codeNetwork, `${attempt.user.id}|${networkOf(ctx.address)}`);
}

/** Uncounts a try that was right, or that could not be decided. */
export async function uncountGuess(ctx: Ctx, { user, waiting, isShort }: Attempt, { isOfDay }: Counted): Promise<void> {
  const { app } = ctx;
  const network = networkOf(ctx.address);
  const who = `${user.id}|${network}`;
  await forgiveOne(app, rules.codeAddress, network);
  await forgiveOne(app, rules.codeNetwork, who);
  if (waiting) await forgiveOne(app, rules.codeStep, waiting.step.id);
  if (!isShort) return;
  await forgiveOne(app, rules.codeNetworkDay, who);
  if (isOfDay) await forgiveOne(app, rules.codeAccountDay, String(user.id));
}

/**
 * Tells the owner, once a day, that after the right password several wrong codes were entered:
 * a caller who tries codes at a login has already given the password.
 */
export async function warnOfGuessing(ctx: Ctx, { user, waiting }: Attempt): Promise<void> {
  const userId = String(user.id);
  if (!waiting || (await countWithinLimit(ctx.app, rules.codeQuiet, userId))) return;
  if (!(await countWithinLimit(ctx.app, rules.codeWarning, userId))) return;
  const happened = 'The right password for your account was entered, and then several wrong codes.';
  await tellOwner(ctx, user, 'Wrong codes at your login', happened);
}
