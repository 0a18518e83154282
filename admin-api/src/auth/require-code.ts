import { invalid } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import type { Context } from 'koa';
import type { SignedIn } from '../http/request-context.ts';
import { type GivenCode, proveByCode } from './second-factor.ts';

/**
 * Asks a logged-in person with two-factor on for a code, before a change that adds a way past the
 * second factor. A page that passes a login on to this host takes session and password alike: with
 * these alone, an attacker would stay.
 * @throws 422, 429
 */
export async function requireCode(ctx: SignedIn, koa: Context, user: User, given: GivenCode): Promise<void> {
  if (!user.twoFactorStatus) return;
  const text = 'Please enter a code from your app, or a recovery code.';
  if (given.otp === undefined && !given.recovery_code) throw invalid({ otp: text }, text);
  await proveByCode(ctx, { user, waiting: null, koa }, given);
}
