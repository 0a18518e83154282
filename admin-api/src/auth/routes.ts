import { loadActor } from '@selvage/core/access/actor';
import * as contracts from '@selvage/core/contracts/auth';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { unauthorized } from '@selvage/core/errors';
import { Session } from '@selvage/core/models/session';
import type { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction } from '@selvage/core/runtime/context';
import { networkOf } from '@selvage/core/runtime/network-of';
import type { Context } from 'koa';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { createCaptcha } from './captcha.ts';
import { auditSession, checkCredentials } from './login.ts';
import { forgetLoginStep, readLoginStep, rememberLoginStep } from './login-step.ts';
import { presentCurrentUser, presentSession } from './presenter.ts';
import type { SessionEvents } from './session-events.ts';
import { endSessions, listSessions, openSession, rotateSession } from './sessions.ts';
import { countAttempt, rules } from './throttle.ts';
import { signAccessToken, signPendingToken } from './tokens.ts';

type LoginAnswer = InferAnswer<typeof contracts.login>;

/** Binds the calls of signing in and out. */
export function bindAuth(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(
    router,
    contracts.getCaptcha,
    async (ctx) => {
      const { svg, token } = await createCaptcha(ctx.app);
      return { success: true, svg, captcha_token: token };
    },
    { before: (ctx) => countAttempt(ctx.app, rules.captcha, networkOf(ctx.address)) },
  );
  route(router, contracts.login, async (ctx, { body, koa }) => {
    const user = await checkCredentials(ctx, {
      email: body.email,
      password: body.password,
      captchaText: body.captcha_text,
      captchaToken: body.captcha_token,
      begunBy: await readLoginStep(ctx.app, koa),
    });
    return await answerLogin(ctx, koa, user);
  });
  route(router, contracts.refresh, (ctx, { body }) => refreshTokens(ctx, body.refreshToken), {
    before: (ctx) => countAttempt(ctx.app, rules.refresh, networkOf(ctx.address)),
  });
  route(router, contracts.getCurrentUser, async (ctx) => {
    const { actor } = signedIn(ctx);
    const person = await loadActor(ctx, actor.userId, actor.sessionId);
    if (!person) throw unauthorized();
    const data = presentCurrentUser(person);
    return { success: true, message: 'OK', token_version: data.token_version, data };
  });
  route(router, contracts.getActiveSessions, async (ctx) => {
    const sessions = await listSessions(signedIn(ctx).actor.userId);
    return sessions.map(presentSession);
  });
  bindLogout(router, sessionEvents);
}

function bindLogout(router: ApiRouter, sessionEvents: SessionEvents): void {
  const message = 'Logged out';
  route(
    router,
    contracts.logout,
    async (ctx, { body, koa }) => {
      const { actor } = signedIn(ctx);
      const own = actor.sessionId ? [actor.sessionId] : [];
      const wanted = body.session_ids?.length ? body.session_ids : own;
      const ended = await inTransaction(ctx, async (inside) => {
        const keys = await endSessions(inside, actor.userId, wanted);
        if (keys.length > 0)
          await auditSession(inside, { id: actor.userId, companyId: actor.companyId }, 'session:end');
        return keys;
      });
      if (ended.length > 0) sessionEvents.emit('ended', ended);
      // a waiting sign-in that names no session is given up for good
      if (!body.session_ids?.length) await forgetLoginStep(ctx.app, koa);
      return undefined;
    },
    { message },
  );
}

/** The password was right: full tokens, or what still stands in between. */
async function answerLogin(ctx: Ctx, koa: Context, user: User): Promise<LoginAnswer> {
  const flags = {
    twoFactorStatus: user.twoFactorStatus,
    password_change_required: user.passwordChangeRequired,
    required_data: user.requiredData,
  };
  if (user.twoFactorStatus) {
    await rememberLoginStep(ctx.app, koa, String(user.id));
    return { success: true, message: 'A code is needed', otpRequired: true, ...flags };
  }
  const opened = await inTransaction(ctx, async (inside) => {
    const session = await openSession(inside, user, koa.get('user-agent'));
    if (session !== 'limit_reached') await auditSession(inside, user, 'session:start');
    return session;
  });
  const subject = { userId: String(user.id), tokenVersion: user.tokenVersion };
  if (opened === 'limit_reached') {
    await rememberLoginStep(ctx.app, koa, subject.userId);
    const sessions = await listSessions(subject.userId);
    const token = await signPendingToken(ctx.app, subject);
    const message = 'You are signed in on too many devices. End one of these sessions first.';
    return {
      success: false,
      message,
      device_limit_reached: true,
      token,
      active_sessions: sessions.map(presentSession),
      ...flags,
    };
  }
  await forgetLoginStep(ctx.app, koa);
  const token = await signAccessToken(ctx.app, { ...subject, sessionKey: opened.session.sessionKey });
  return { success: true, message: 'Login successful', token, refreshToken: opened.refreshToken, ...flags };
}

async function refreshTokens(ctx: Ctx, refreshToken: string): Promise<InferAnswer<typeof contracts.refresh>> {
  const { session, refreshToken: next } = await rotateSession(ctx, refreshToken);
  const person = await loadActor(ctx, String(session.userId), session.sessionKey);
  if (!person) throw unauthorized('This account cannot be used.', 'account_unusable');
  const { tokenVersion } = person.user;
  if (session.tokenVersion !== tokenVersion) {
    await Session.update({ tokenVersion }, { where: { id: session.id } });
  }
  const subject = { userId: String(session.userId), sessionKey: session.sessionKey, tokenVersion };
  const token = await signAccessToken(ctx.app, subject);
  return { success: true, message: 'OK', token, refreshToken: next };
}
