import { invalid } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import type { Context } from 'koa';
import type { SignedIn } from '../http/request-context.ts';
import { type GivenCode, proveByCode } from './second-factor.ts';

/**
 * Requires a code from a logged-in person with two-factor on, before a change that adds a way
 * around the second factor. An attacker whose phishing page relayed a login has the session and the
 * password, but no further code, and so can't keep access.
 * @throws 422, 429
 */
export async function requireCode(ctx: SignedIn, koa: Context, user: User, given: GivenCode): Promise<void> {
  if (!user.twoFactorStatus) return;
  const text = 'Please enter a code from your app, or a recovery code.';
  if (given.otp === undefined && !given.recovery_code) throw invalid({ otp: text }, text);
  await proveByCode(ctx, { user, waiting: null, koa }, given);
}
