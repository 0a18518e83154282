import { createHash, randomBytes } from 'node:crypto';
import type { App } from '@selvage/core/runtime/app';
import type { Context } from 'koa';

/*
 * A cookie that stands for "password and captcha were right" while a sign-in waits for its second step or for a free session (D10).
 * The same browser may then repeat the sign-in without a new captcha.
 */

const COOKIE = 'selvage_login_step';
const LIFETIME_SECONDS = 600;

function key(token: string): string {
  return `login-step:${createHash('sha256').update(token).digest('hex')}`;
}

/** Lets this browser go on with the sign-in for ten minutes. */
export async function rememberLoginStep(app: App, koa: Context, userId: string): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await app.redis.set(key(token), userId, 'EX', LIFETIME_SECONDS);
  setCookie(app, koa, token, LIFETIME_SECONDS);
}

/** The person whose sign-in this browser has begun, or null. */
export async function readLoginStep(app: App, koa: Context): Promise<string | null> {
  const token = koa.cookies.get(COOKIE);
  return token ? await app.redis.get(key(token)) : null;
}

/** Ends the sign-in that this browser has begun, if any. */
export async function forgetLoginStep(app: App, koa: Context): Promise<void> {
  const token = koa.cookies.get(COOKIE);
  if (!token) return;
  await app.redis.del(key(token));
  setCookie(app, koa, '', 0);
}

function setCookie(app: App, koa: Context, value: string, maxAge: number): void {
  const secure = app.config.url.startsWith('https:') ? '; Secure' : '';
  koa.append(
    'Set-Cookie',
    `${COOKIE}=${value}; Path=/api/v1/user; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}
