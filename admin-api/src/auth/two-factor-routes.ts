import { recordAccountAudit } from '@selvage/core/access/audit';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import * as contracts from '@selvage/core/contracts/two-factor';
import { conflict, forbidden, invalid } from '@selvage/core/errors';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Role } from '@selvage/core/models/role';
import type { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import type { Context } from 'koa';
import { type SignedIn, signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { forgetChange, readChange, rememberChange } from './pending-factor-change.ts';
import { finishLogin } from './finish-login.ts';
import { signInAgain, voidProvenSteps, type Waiting } from './login-step.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { redeemMailedCode, sendRecoveryCode } from './recovery-mail.ts';
import { markConfirmed, requireProof } from './confirmed-session.ts';
import { sessionHolder } from './passkeys.ts';
import { proveByPasskey } from './prove-by-passkey.ts';
import { requireCode } from './require-code.ts';
import { requirePassword } from './require-password.ts';
import { attemptFactor, proveByCode, type Prover, proverOf } from './second-factor.ts';
import type { SessionEvents } from './session-events.ts';
import { newSecret, openSecret, qrCode, sealSecret, stepOfCode } from './totp.ts';
import { alreadyOff, replaceApp, turnTwoFactorOff, turnTwoFactorOn } from './switch-two-factor.ts';

type VerifyBody = InferBody<typeof contracts.verifyOtp>;
type VerifyAnswer = InferAnswer<typeof contracts.verifyOtp>;
type RecoveryAnswer = InferAnswer<typeof contracts.verifyRecoveryOtp>;
type WaitingProver = Prover & { waiting: Waiting };

/** Binds the second step of logging in, and turning two-factor on and off. */
export function bindTwoFactor(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(router, contracts.verifyPassword, (ctx, { body }) => beginChange(signedIn(ctx), body));
  route(router, contracts.verifyOtp, async (ctx, { body, ...input }) => {
    const prover = await proverOf(ctx, input);
    if (isWaiting(prover)) return await signInByCode(ctx, prover, body);
    return await finishChange(signedIn(ctx), prover, body, sessionEvents);
  });
  route(
    router,
    contracts.sendRecoveryOtp,
    async (ctx, input) => {
      const prover = await proverOf(ctx, input);
      await requireRightToRecover(ctx, prover);
      await sendRecoveryCode(ctx, prover.user);
    },
    { message: 'A code was sent to your recovery email.' },
  );
  route(router, contracts.verifyRecoveryOtp, async (ctx, { body, ...input }) =>
    recover(ctx, await proverOf(ctx, input), body.otp),
  );
  route(router, contracts.confirmSession, async (ctx, { body, koa }) => ({
    confirmed_until: (await confirmSession(signedIn(ctx), koa, body)).toISOString(),
  }));
  route(router, contracts.renewRecoveryCodes, async (ctx, { body, koa }) => ({
    recovery_codes: await renewCodes(signedIn(ctx), koa, body),
  }));
}

function isWaiting(prover: Prover): prover is WaitingProver {
  return prover.waiting !== null;
}

/**
 * Checks the password and stores the change that this session begins. Another app is a way past the
 * one that is set up, so it takes a second factor as well: the session has to be confirmed.
 */
async function beginChange(
  ctx: SignedIn,
  body: InferBody<typeof contracts.verifyPassword>,
): Promise<InferAnswer<typeof contracts.verifyPassword>> {
  const user = await (body.onoff_status ? requireProof : requirePassword)(ctx, body.password);
  if (!body.onoff_status && !user.twoFactorStatus) throw alreadyOff();
  if (!body.onoff_status) await refuseRequired(ctx, user);
  const answer = { success: true, message: 'Enter the code from your app', tfa_status: user.twoFactorStatus };
  if (!body.onoff_status) {
    await rememberChange(ctx, { status: false });
    return { ...answer, data: null, secret: null };
  }
  const secret = newSecret();
  const replaced = user.twoFactorStatus ? user.twoFactorSecret : null;
  await rememberChange(ctx, { status: true, sealedSecret: sealSecret(ctx.app, secret), replaced });
  return { ...answer, data: qrCode(ctx.app, user.email, secret), secret };
}

/** @throws 409 when the person's role requires a second factor */
async function refuseRequired(ctx: SignedIn, { roleId }: User): Promise<void> {
  const role = await Role.findByPk(roleId, { transaction: ctx.tx });
  if (!role?.twoFactorSince) return;
  throw conflict(
    'Your company requires two-factor authentication, so it stays on. You can set up another app with a recovery code or a passkey. Without these, log out: your next login offers a code that is mailed to your recovery email, if you have confirmed one.',
    'two_factor_stays',
  );
}

/** Turns two-factor on or off with the code of a logged-in person. */
async function finishChange(
  ctx: SignedIn,
  prover: Prover,
  body: VerifyBody,
  sessionEvents: SessionEvents,
): Promise<VerifyAnswer> {
  if (body.tfa_status === undefined) throw invalid({ tfa_status: 'Say whether two-factor should be on or off.' });
  const begun = await readChange(ctx);
  if (begun?.status !== body.tfa_status) throw passwordFirst();
  if (begun.status) return await finishTurningOn(ctx, prover, { otp: body.otp, ...begun }, sessionEvents);
  const factor = await proveByCode(ctx, prover, body);
  await turnTwoFactorOff(ctx, prover.user, factor);
  await forgetChange(ctx);
  return { success: true, message: 'Two-factor authentication is off.', tfa_status: false };
}

async function finishTurningOn(
  ctx: SignedIn,
  prover: Prover,
  { otp = '', sealedSecret, replaced }: { otp: string | undefined; sealedSecret: string; replaced: string | null },
  sessionEvents: SessionEvents,
): Promise<VerifyAnswer> {
  const step = stepOfCode(openSecret(ctx.app, sealedSecret), otp);
  const wrong = 'Invalid OTP. Please try again.';
  if (step === null) throw invalid({ otp: wrong }, wrong);
  const sessionKey = ctx.actor.sessionId ?? '';
  const confirmed = { sealedSecret, step, sessionKey };
  const { recoveryCodes, ended } =
    replaced === null
      ? await turnTwoFactorOn(ctx, prover.user, confirmed)
      : await replaceApp(ctx, prover.user, { ...confirmed, replaced });
  await voidProvenSteps(ctx.app, ctx.actor.userId);
  await forgetChange(ctx);
  await markConfirmed(ctx);
  sessionEvents.tellEnded(ended);
  const message = replaced === null ? 'Two-factor authentication is on.' : 'The other app is set up.';
  return { success: true, message, tfa_status: true, ...(recoveryCodes && { recovery_codes: recoveryCodes }) };
}

/**
 * Logs a person in by a code. A waiting login whose second factor was right just before it met the
 * session limit needs no further code.
 */
async function signInByCode(ctx: Ctx, prover: WaitingProver, body: VerifyBody): Promise<VerifyAnswer> {
  const { user, waiting, koa } = prover;
  if (body.email !== undefined && normaliseAddress(body.email) !== user.email) throw signInAgain();
  const signIn = { koa, user, step: waiting.step };
  if (waiting.step.isProven) return await finishLogin(ctx, signIn, 'proven');
  // Two-factor was turned off meanwhile, so the login has to begin again with the password
  if (!user.twoFactorStatus) throw signInAgain();
  return await finishLogin(ctx, signIn, await proveByCode(ctx, prover, body));
}

/** Turns two-factor off with the mailed code. A waiting login continues. */
async function recover(ctx: Ctx, prover: Prover, otp: string): Promise<RecoveryAnswer> {
  const { user, waiting, koa } = prover;
  if (waiting?.step.isProven) return await finishLogin(ctx, { koa, user, step: waiting.step }, 'proven');
  await requireRightToRecover(ctx, prover);
  const attempt = {
    isShort: true,
    wrongText: 'Invalid OTP, please try again.',
    refused: 'recovery-otp:refused',
  } as const;
  await attemptFactor(ctx, prover, attempt, () => redeemMailedCode(ctx, user, otp));
  await turnTwoFactorOff(ctx, user, 'recovery_email');
  if (!waiting) {
    await forgetChange(signedIn(ctx));
    return { success: true, message: 'Two-factor authentication is off.', tfa_status: false };
  }
  await user.reload();
  return { ...(await finishLogin(ctx, { koa, user, step: waiting.step }, 'recovery_email')), tfa_status: false };
}

/**
 * A waiting login has already proved the password. A logged-in person must have entered it again
 * first.
 * @throws 409 when the password was set with a link that was mailed to the same address (D13)
 */
async function requireRightToRecover(ctx: Ctx, { user, waiting }: Prover): Promise<void> {
  if (!user.twoFactorStatus) throw waiting ? signInAgain() : alreadyOff();
  if (user.passwordByRecoveryEmail) throw provesNothingMore();
  if (waiting) return;
  const begun = await readChange(signedIn(ctx));
  if (begun?.status !== false) throw passwordFirst();
}

/**
 * Makes new recovery codes. A recovery code can turn two-factor off, so this requires what turning
 * it off requires: the password and a code.
 */
async function renewCodes(
  ctx: SignedIn,
  koa: Context,
  body: InferBody<typeof contracts.renewRecoveryCodes>,
): Promise<string[]> {
  const user = await requirePassword(ctx, body.password);
  if (!user.twoFactorStatus) throw alreadyOff();
  await requireCode(ctx, koa, user, body);
  return await inTransaction(ctx, async (inside) => {
    const codes = await replaceRecoveryCodes(inside, user);
    await recordAccountAudit(inside, user, 'recovery-codes:renewed');
    await tellOwner(inside, user, 'New recovery codes', 'Your recovery codes were replaced by new ones.');
    return codes;
  });
}

/** @returns until when the session counts as confirmed */
async function confirmSession(
  ctx: SignedIn,
  koa: Context,
  { password, response, ...code }: InferBody<typeof contracts.confirmSession>,
): Promise<Date> {
  const owner = password === undefined ? null : await requirePassword(ctx, password);
  if (response) await requirePasskey(ctx, koa, response, owner !== null);
  else if (owner) await requireCode(ctx, koa, owner, code);
  else throw invalid({ password: 'Password is required' });
  return await markConfirmed(ctx);
}

/**
 * Requires an answer of a passkey in place of a code. A security key that only has to be touched
 * proves that it is there, and a thief at an open computer can touch it: then the password has to
 * be given as well.
 * @throws 409 `two_factor_off`, 422, 429
 */
async function requirePasskey(
  ctx: SignedIn,
  koa: Context,
  response: Record<string, unknown>,
  isPasswordGiven: boolean,
): Promise<void> {
  const prover = await proverOf(ctx, { waiting: null, koa });
  if (!prover.user.twoFactorStatus) throw alreadyOff();
  const isVerified = await proveByPasskey(ctx, prover, { purpose: 'confirm', holder: sessionHolder(ctx), response });
  if (isVerified || isPasswordGiven) return;
  const text = 'Your passkey does not check who uses it. Enter your password too, and use the passkey again.';
  throw invalid({ password: text }, text);
}

function provesNothingMore(): Error {
  return conflict(
    'Your password was set with a link to your recovery email, so a code to that address proves nothing more. Use your app or a recovery code, or ask your administrator.',
    'password_by_recovery_email',
  );
}

function passwordFirst(): Error {
  return forbidden('Enter your password first.', 'password_first');
}
