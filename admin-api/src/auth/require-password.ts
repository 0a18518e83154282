import { recordAccountAudit } from '@selvage/core/access/audit';
import { networkOf } from '@selvage/core/access/network-of';
import { invalid, unauthorized } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import { verifyPassword } from '@selvage/core/secrets/password-hash';
import type { SignedIn } from '../http/request-context.ts';
import { countAttempt, forgiveAttempts, forgiveOne, rules } from './throttle.ts';

/**
 * Checks the password of a logged-in person again, before a change that a stolen session must not
 * make. A wrong password is an error of the form field, since a 401 would send the person to the
 * login page. It also records an audit event, so that the owner of the account sees when an
 * attacker guesses the password.
 * @returns the person
 * @throws 422, 429
 */
export async function requirePassword(
  ctx: SignedIn,
  password: string,
  field = 'password',
  text = 'The password is wrong.',
): Promise<User> {
  const user = await User.findByPk(ctx.actor.userId);
  if (!user) throw unauthorized();
  const account = ctx.actor.userId;
  const who = `${account}|${networkOf(ctx.address)}`;
  await countAttempt(ctx.app, rules.passwordAgain, who);
  // A thief may use a stolen session from many networks
  await countAttempt(ctx.app, rules.passwordAgainAccount, account);
  if (!(await verifyCounted(ctx, password, { user, who }))) {
    await recordAccountAudit(ctx, user, 'password:refused');
    throw invalid({ [field]: text }, text);
  }
  await forgiveAttempts(ctx.app, rules.passwordAgain, who);
  await forgiveOne(ctx.app, rules.passwordAgainAccount, account);
  return user;
}

/** Verifies a password that was counted. One that can't be decided is no guess and is uncounted. */
async function verifyCounted(
  ctx: SignedIn,
  password: string,
  { user, who }: { user: User; who: string },
): Promise<boolean> {
  try {
    return await verifyPassword(password, user.passwordHash, networkOf(ctx.address));
  } catch (error) {
    await forgiveOne(ctx.app, rules.passwordAgain, who);
    await forgiveOne(ctx.app, rules.passwordAgainAccount, ctx.actor.userId);
    throw error;
  }
}
