import { type AuditAction, recordAccountAudit } from '@selvage/core/access/audit';
import type { SignInAnswer } from '@selvage/core/contracts/auth';
import { findRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { type AppError, invalid, unauthorized } from '@selvage/core/errors';
import { Passkey } from '@selvage/core/models/passkey';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import type { Context } from 'koa';
import { signedIn } from '../http/request-context.ts';
import { countGuess, forgiveGuess, uncountGuess, warnOfGuessing } from './guess-limits.ts';
import type { Waiting } from './login-step.ts';
import { countRecoveryCodes, redeemRecoveryCode } from './recovery-codes.ts';
import { redeemTotp } from './totp.ts';

export type SecondFactor = NonNullable<SignInAnswer['second_factors']>[number];

/** The person who proves a second factor, and their request. */
export interface Prover {
  user: User;
  waiting: Waiting | null;
  koa: Context;
}

/** The person of a `second-step` call: from the waiting login of the browser, or logged in. */
export async function proverOf(ctx: Ctx, input: { waiting: Waiting | null; koa: Context }): Promise<Prover> {
  const { waiting, koa } = input;
  const user = waiting?.user ?? (await User.findByPk(signedIn(ctx).actor.userId));
  if (!user) throw unauthorized();
  return { user, waiting, koa };
}

/** The second factors that a person with two-factor on can use. */
export async function secondFactorsOf(ctx: Ctx, user: User): Promise<SecondFactor[]> {
  const [passkeys, codes, recovery] = await Promise.all([
    Passkey.count({ where: { userId: String(user.id) } }),
    countRecoveryCodes(ctx, String(user.id)),
    findRecoveryAddress(ctx, user),
  ]);
  return [
    'totp',
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(codes > 0 ? (['recovery_code'] as const) : []),
    ...(recovery && !user.passwordByRecoveryEmail ? (['recovery_email'] as const) : []),
  ];
}

/**
 * Checks one try at a second factor, within the limits on guessing.
 * @throws 401 (a waiting login) or 422 (a logged-in person) when it is wrong, 429
 */
export async function attemptFactor(
  ctx: Ctx,
  prover: Prover,
  attempt: { isShort: boolean; wrongText: string; refused: AuditAction; field?: string },
  isRight: () => Promise<boolean>,
): Promise<void> {
  const guess = { user: prover.user, waiting: prover.waiting, isShort: attempt.isShort };
  const isOfDay = await countGuess(ctx, prover.koa, guess);
  const isProved = await isRight().catch(async (error: unknown) => {
    // It was not decided, so it is no guess
    await uncountGuess(ctx, guess, { isOfDay });
    throw error;
  });
  if (isProved) {
    await forgiveGuess(ctx, guess, { isOfDay });
    return;
  }
  await recordAccountAudit(ctx, prover.user, attempt.refused, { isByOwner: false });
  await warnOfGuessing(ctx, guess);
  throw wrongFactor(attempt.wrongText, prover.waiting, attempt.field ?? 'otp');
}

/** A code of the app, or a recovery code. */
export interface GivenCode {
  otp?: string | undefined;
  recovery_code?: string | undefined;
}

/** Checks a code of the app or a recovery code. */
export async function proveByCode(ctx: Ctx, prover: Prover, given: GivenCode): Promise<SecondFactor> {
  const { user } = prover;
  const { otp, recovery_code: code } = given;
  const isShort = otp !== undefined;
  const wrongText = 'Invalid OTP. Please try again.';
  await attemptFactor(ctx, prover, { isShort, wrongText, refused: 'two-factor:refused' }, () =>
    otp === undefined ? spendRecoveryCode(ctx, user, code ?? '') : redeemTotp(ctx.app, user, otp),
  );
  return isShort ? 'totp' : 'recovery_code';
}

async function spendRecoveryCode(ctx: Ctx, user: User, code: string): Promise<boolean> {
  return await inTransaction(ctx, async (inside) => {
    if (!(await redeemRecoveryCode(inside, user, code))) return false;
    const left = await countRecoveryCodes(inside, String(user.id));
    await recordAccountAudit(inside, user, 'recovery-code:used', { details: { left } });
    const happened = `One of your recovery codes was used in place of your second factor. ${left} are left.`;
    await tellOwner(inside, user, 'A recovery code was used', happened);
    return true;
  });
}

/**
 * The error for a wrong factor. A 401 would send a logged-in person to the login page, so they get
 * an error of the form field instead.
 */
function wrongFactor(text: string, waiting: Waiting | null, field: string): AppError {
  return waiting ? unauthorized(text, 'wrong_code') : invalid({ [field]: text }, text);
}
