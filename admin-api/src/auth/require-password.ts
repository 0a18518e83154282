import { recordAccountAudit } from '@selvage/core/access/audit';
import { networkOf } from '@selvage/core/access/network-of';
import { invalid, unauthorized } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import { verifyPassword } from '@selvage/core/secrets/password-hash';
import type { SignedIn } from '../http/request-context.ts';
import { type Count, countAttempt, decideCounted, forgiveAttempts, forgiveOne, rules } from './throttle.ts';

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
  const network = networkOf(ctx.address);
  const who = `${account}|${network}`;
  const counts: Count[] = [
    [rules.passwordAgain, who],
    // A thief may use a stolen session from many networks
    [rules.passwordAgainAccount, account],
  ];
  for (const [rule, subject] of counts) await countAttempt(ctx.app, rule, subject);
  const isRight = await decideCounted(ctx.app, counts, () => verifyPassword(password, user.passwordHash, network));
  if (!isRight) {
    await recordAccountAudit(ctx, user, 'password:refused');
    throw invalid({ [field]: text }, text);
  }
  await forgiveAttempts(ctx.app, rules.passwordAgain, who);
  await forgiveOne(ctx.app, rules.passwordAgainAccount, account);
  return user;
}
