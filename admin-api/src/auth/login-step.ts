import { createHash, randomBytes } from 'node:crypto';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { unauthorized } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import { parseKept } from '@selvage/core/parse-kept';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import type { Context } from 'koa';
import { z } from 'zod';
import { refuseOtherSites } from '../http/own-site.ts';

/*
 * A cookie that proves "password and captcha were right" while a login waits for its second step or
 * until another session ends (D10). The same browser may then repeat the login without a new
 * captcha. Each answer that continues the login renews the cookie. The unfinished login ends ten
 * minutes after the captcha, however often the cookie is renewed.
 */

/** Name of the cookie. */
export const loginStepCookie = 'selvage_login_step';
const lifetimeSeconds = 600;

/** The unfinished login that a cookie refers to. */
const loginStep = z.object({
  /**
   * Stays the same when the cookie is renewed, so that renewing it does not reset the count of
   * tries.
   */
  id: z.string(),
  userId: z.string(),
  /**
   * The person's `tokenVersion` when the password was right: changing the password ends the step.
   */
  tokenVersion: z.number(),
  /**
   * True when the second factor was right as well, and the login only waits until another session
   * ends. Never true for a person who needed no second factor.
   */
  isProven: z.boolean(),
  /** When the second factor was right, in milliseconds since 1970; 0 while it was not. */
  provenAt: z.number().default(0),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});
export type LoginStep = z.infer<typeof loginStep>;

/** A login that waits for its second step, and the person who began it. */
export interface Waiting {
  step: LoginStep;
  user: User;
}

/** The error for a browser whose unfinished login has ended. */
export function signInAgain(): Error {
  return unauthorized('Please log in again.', 'sign_in_again');
}

/** Gives this browser a new cookie for the login. `previous` is the step that it continues. */
export async function rememberLoginStep(
  app: App,
  koa: Context,
  user: User,
  options: { isProven: boolean; previous: LoginStep | null },
): Promise<void> {
  await dropToken(app, koa);
  const previous = options.previous?.userId === String(user.id) ? options.previous : null;
  const step: LoginStep = {
    id: previous?.id ?? randomBytes(16).toString('hex'),
    userId: String(user.id),
    tokenVersion: user.tokenVersion,
    isProven: options.isProven,
    provenAt: options.isProven ? provenAtOf(previous) : 0,
    expiresAt: previous?.expiresAt ?? Date.now() + lifetimeSeconds * 1000,
  };
  const seconds = Math.ceil((step.expiresAt - Date.now()) / 1000);
  if (seconds <= 0) throw signInAgain();
  const token = randomBytes(32).toString('base64url');
  await app.redis.set(keyOf(token), JSON.stringify(step), 'EX', seconds);
  setCookie(app, koa, token, seconds);
}

/**
 * The unfinished login of this browser, or null.
 * @throws 403 when a page of another site sends the cookie
 */
export async function readLoginStep(app: App, koa: Context): Promise<LoginStep | null> {
  const token = koa.cookies.get(loginStepCookie);
  if (!token) return null;
  refuseOtherSites(koa);
  const step = parseKept(await app.redis.get(keyOf(token)), loginStep, 'an unfinished login');
  if (!step?.isProven) return step;
  const voidedAt = Number((await app.redis.get(voidedKeyOf(step.userId))) ?? 0);
  return { ...step, isProven: step.provenAt > voidedAt };
}

/**
 * Makes the unfinished logins of a person ask for a second factor again, also where it was right.
 * Call this where other sessions of the person end or their app changes: such a login would become
 * a session right afterwards.
 */
export async function voidProvenSteps(app: App, userId: string): Promise<void> {
  await app.redis.set(voidedKeyOf(userId), String(Date.now()), 'EX', lifetimeSeconds);
}

/**
 * The login that waits for its second step in this browser.
 * @throws 401 when there is none, or its person may no longer log in
 */
export async function requireWaiting(ctx: Ctx, koa: Context): Promise<Waiting> {
  const step = await readLoginStep(ctx.app, koa);
  const user = step ? await User.findByPk(step.userId) : null;
  if (!step || !user || user.tokenVersion !== step.tokenVersion || !(await findUsableAccount(ctx, user)))
    throw signInAgain();
  return { step, user };
}

/** Deletes the unfinished login of this browser and its cookie. */
export async function forgetLoginStep(app: App, koa: Context): Promise<void> {
  if (!koa.cookies.get(loginStepCookie)) return;
  await dropToken(app, koa);
  setCookie(app, koa, '', 0);
}

/** A login that is repeated keeps the time of its second factor; any other has proved one now. */
function provenAtOf(previous: LoginStep | null): number {
  return previous?.isProven ? previous.provenAt : Date.now();
}

async function dropToken(app: App, koa: Context): Promise<void> {
  const token = koa.cookies.get(loginStepCookie);
  if (token) await app.redis.del(keyOf(token));
}

function keyOf(token: string): string {
  return `login-step:${createHash('sha256').update(token).digest('hex')}`;
}

function voidedKeyOf(userId: string): string {
  return `login-step-voided:${userId}`;
}

function setCookie(app: App, koa: Context, value: string, maxAge: number): void {
  const secure = app.config.url.startsWith('https:') ? '; Secure' : '';
  koa.append(
    'Set-Cookie',
    `${loginStepCookie}=${value}; Path=/api/v1/user; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}
