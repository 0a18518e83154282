import { recordAudit } from '@selvage/core/access/audit';
import { mayBeUsed } from '@selvage/core/directory/authenticate';
import { AppError, forbidden } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { User } from '@selvage/core/models/user';
import type { Ctx } from '@selvage/core/runtime/context';
import { verifyPassword } from '@selvage/core/runtime/password';
import { checkCaptcha } from './captcha.ts';
import { addressPrefix, countAttempt, forgiveAttempts, rules } from './throttle.ts';

/** What somebody offers to sign in. */
export interface Credentials {
  email: string;
  password: string;
  captchaText: string | undefined;
  captchaToken: string | undefined;
  /** The person whose sign-in this browser has begun already (D10). */
  begunBy: string | null;
}

/**
 * Finds the person that credentials belong to. An unknown address takes as long and is answered as a wrong password is (D12);
 * that an account may not be used is told only to who knows its password.
 * @throws 401, 403, 422, 429
 */
export async function checkCredentials(ctx: Ctx, given: Credentials): Promise<User> {
  const { app } = ctx;
  const email = normaliseAddress(given.email);
  const account = `${email ?? given.email.toLowerCase()}|${addressPrefix(ctx.address)}`;
  await countAttempt(app, rules.loginAddress, addressPrefix(ctx.address));
  const user = email ? await User.findOne({ where: { email } }) : null;
  const isRepeat = user !== null && given.begunBy === String(user.id);
  if (!isRepeat) await checkCaptcha(app, given.captchaToken, given.captchaText);
  await countAttempt(app, rules.loginAccount, account);
  const isRight = await verifyPassword(given.password, user?.passwordHash ?? null);
  if (!user || !isRight) {
    throw new AppError({ status: 401, code: 'wrong_credentials', publicText: 'Invalid email or password.' });
  }
  await forgiveAttempts(app, rules.loginAccount, account);
  await refuseUnusable(ctx, user);
  return user;
}

async function refuseUnusable(ctx: Ctx, user: User): Promise<void> {
  if (await mayBeUsed(ctx, user)) return;
  throw forbidden('This account is not active. Ask your administrator.', 'account_inactive');
}

/** Leaves a trace of a sign-in or sign-out (D31). */
export async function auditSession(ctx: Ctx, user: { id: string; companyId: string }, action: string): Promise<void> {
  await recordAudit(ctx, {
    action,
    entity: 'user',
    entityId: String(user.id),
    actorId: String(user.id),
    companyId: String(user.companyId),
  });
}
