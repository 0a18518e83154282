import { recordAccountAudit, recordAudit } from '@selvage/core/access/audit';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { AppError, forbidden, tooMany } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { User } from '@selvage/core/models/user';
import type { Ctx } from '@selvage/core/context/context';
import { blockOf, networkOf } from '@selvage/core/access/network-of';
import { verifyPassword } from '@selvage/core/secrets/password-hash';
import { countWrongPassword, secondsUntilTry } from '@selvage/core/outbound/password-guesses';
import { renewPasswordHash } from '@selvage/core/directory/renew-password-hash';
import { checkCaptcha } from './captcha.ts';
import type { LoginStep } from './login-step.ts';
import {
  type Count,
  countAttempt,
  decideCounted,
  forgiveAttempts,
  forgiveOne,
  refuseAnyOverLimit,
  rules,
} from './throttle.ts';

/** What a browser sends to log in. */
export interface Credentials {
  email: string;
  password: string;
  captcha: Parameters<typeof checkCaptcha>[1];
  /** The unfinished login of this browser (D10). */
  begun: LoginStep | null;
}

/**
 * Finds the person whose credentials these are. An unknown address takes as long and gets the same
 * answer as a wrong password (D12). Only a caller who knows the password is told that an account
 * may not be used.
 * @returns the person, and the unfinished login of this browser if it is theirs
 * @throws 401, 403, 422, 429
 */
export async function checkCredentials(ctx: Ctx, given: Credentials): Promise<{ user: User; step: LoginStep | null }> {
  const { app } = ctx;
  const email = normaliseAddress(given.email);
  const network = networkOf(ctx.address);
  const address = email ?? given.email.toLowerCase();
  const [account, accountOfBlock] = [`${address}|${network}`, `${address}|${blockOf(ctx.address)}`];
  const user = email ? await User.findOne({ where: { email } }) : null;
  const step = user && isStepOf(user, given.begun) ? given.begun : null;
  const counts: Count[] = [
    [rules.loginAddress, network],
    [rules.loginAccount, account],
    [rules.loginAccountBlock, accountOfBlock],
  ];
  const tried = { door: 'web', account: address, user } as const;
  const waitSeconds = await secondsUntilTry(ctx, tried);
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  // Both refuse what is over a limit before anything is counted: an account at its limit must not
  // use up the room of all others in its network
  if (step) await refuseAnyOverLimit(app, counts);
  else await checkCaptcha(ctx, given.captcha, counts);
  for (const [rule, subject] of counts) await countAttempt(app, rule, subject);
  const isRight = await decideCounted(app, counts, () =>
    verifyPassword(given.password, user?.passwordHash ?? null, network),
  );
  if (!user || !isRight) {
    await countWrongPassword(ctx, tried);
    await auditRefusal(ctx, user);
    throw new AppError({ status: 401, code: 'wrong_credentials', publicText: 'Invalid email or password.' });
  }
  await renewPasswordHash(ctx, user, given.password);
  await forgiveAttempts(app, rules.loginAccount, account);
  await forgiveAttempts(app, rules.loginAccountBlock, accountOfBlock);
  // A right login is not counted: each morning a whole office logs in from one address
  await forgiveOne(app, rules.loginAddress, network);
  if (!(await findUsableAccount(ctx, user))) {
    await auditRefusal(ctx, user);
    throw forbidden('This account is not active. Ask your administrator.', 'account_inactive');
  }
  return { user, step };
}

function isStepOf(user: User, step: LoginStep | null): boolean {
  return step?.userId === String(user.id) && step.tokenVersion === user.tokenVersion;
}

/** Records a refused login, also for an unknown address, so that both cases take equally long. */
async function auditRefusal(ctx: Ctx, user: User | null): Promise<void> {
  if (user) await recordAccountAudit(ctx, user, 'session:refused', { isByOwner: false });
  else await recordAudit(ctx, { action: 'session:refused' });
}
