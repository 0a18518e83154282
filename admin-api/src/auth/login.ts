import { recordAccountAudit, recordAudit } from '@selvage/core/access/audit';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { AppError, forbidden } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { User } from '@selvage/core/models/user';
import type { Ctx } from '@selvage/core/context/context';
import { networkOf } from '@selvage/core/access/network-of';
import { verifyPassword } from '@selvage/core/secrets/password-hash';
import { checkCaptcha } from './captcha.ts';
import type { LoginStep } from './login-step.ts';
import { countAttempt, forgiveAttempts, forgiveOne, rules } from './throttle.ts';

/** What somebody offers to sign in. */
export interface Credentials {
  email: string;
  password: string;
  captchaText: string | undefined;
  captchaToken: string | undefined;
  /** The sign-in that this browser has begun already (D10). */
  begun: LoginStep | null;
}

/**
 * Finds the person that credentials belong to. An unknown address takes as long and is answered as a wrong password is (D12);
 * that an account may not be used is told only to who knows its password.
 * @returns the person, and the step that they go on from if it is theirs
 * @throws 401, 403, 422, 429
 */
export async function checkCredentials(ctx: Ctx, given: Credentials): Promise<{ user: User; step: LoginStep | null }> {
  const { app } = ctx;
  const email = normaliseAddress(given.email);
  const account = `${email ?? given.email.toLowerCase()}|${networkOf(ctx.address)}`;
  await countAttempt(app, rules.loginAddress, networkOf(ctx.address));
  const user = email ? await User.findOne({ where: { email } }) : null;
  const step = user && isStepOf(user, given.begun) ? given.begun : null;
  if (!step) await checkCaptcha(app, given.captchaToken, given.captchaText);
  await countAttempt(app, rules.loginAccount, account);
  const isRight = await verifyPassword(given.password, user?.passwordHash ?? null, networkOf(ctx.address));
  if (!user || !isRight) {
    await auditRefusal(ctx, user);
    throw new AppError({ status: 401, code: 'wrong_credentials', publicText: 'Invalid email or password.' });
  }
  await forgiveAttempts(app, rules.loginAccount, account);
  // an office signs in from one address each morning
  await forgiveOne(app, rules.loginAddress, networkOf(ctx.address));
  if (!(await findUsableAccount(ctx, user))) {
    throw forbidden('This account is not active. Ask your administrator.', 'account_inactive');
  }
  return { user, step };
}

function isStepOf(user: User, step: LoginStep | null): boolean {
  return step?.userId === String(user.id) && step.tokenVersion === user.tokenVersion;
}

/** Also for an address that nobody has, so that both take as long. */
async function auditRefusal(ctx: Ctx, user: User | null): Promise<void> {
  if (user) await recordAccountAudit(ctx, user, 'session:refused', { isByOwner: false });
  else await recordAudit(ctx, { action: 'session:refused' });
}
