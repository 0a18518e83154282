import { loadActor } from '@selvage/core/access/load-actor';
import { recordAccountAudit } from '@selvage/core/access/audit';
import * as contracts from '@selvage/core/contracts/auth';
import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { Session } from '@selvage/core/models/session';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { forgetLoginStep, voidProvenSteps } from './login-step.ts';
import { loadCurrentUser, presentSession } from './presenter.ts';
import { rotateSession, sessionOver } from './rotate-session.ts';
import type { SessionEvents } from './session-events.ts';
import { endSessions, listSessions } from './sessions.ts';
import { signAccessToken } from './tokens.ts';

/** Binds the calls about the sessions of a person. */
export function bindSessions(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(router, contracts.refresh, (ctx, { body }) => refreshTokens(ctx, body.refreshToken));
  route(router, contracts.getCurrentUser, async (ctx) => {
    const data = await loadCurrentUser(signedIn(ctx));
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
        if (keys.length > 0) {
          await recordAccountAudit(inside, { id: actor.userId, companyId: actor.companyId }, 'session:end', {
            details: { sessions: keys.map((key) => key.slice(0, 8)) },
          });
        }
        return keys;
      });
      sessionEvents.tellEnded(ended);
      // A login at the session limit ends sessions without having one itself, and goes on
      const isOthers = ended.some((key) => key !== actor.sessionId);
      if (actor.sessionId && isOthers) await voidProvenSteps(ctx.app, actor.userId);
      // By logging out without naming a session, the person gives up a waiting login
      if (!body.session_ids?.length) await forgetLoginStep(ctx.app, koa);
    },
    { message },
  );
}

async function refreshTokens(ctx: Ctx, refreshToken: string): Promise<InferAnswer<typeof contracts.refresh>> {
  const { session, refreshToken: next } = await rotateSession(ctx, refreshToken);
  const person = await loadActor(ctx, String(session.userId), session.sessionKey);
  if (!person) throw sessionOver('account_unusable', 'This account cannot be used.');
  const { tokenVersion } = person.user;
  if (session.tokenVersion !== tokenVersion) {
    await Session.update({ tokenVersion }, { where: { id: session.id } });
  }
  const subject = { userId: String(session.userId), sessionKey: session.sessionKey, tokenVersion };
  return { success: true, message: 'OK', ...(await signAccessToken(ctx.app, subject)), refreshToken: next };
}
