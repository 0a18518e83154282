import { randomUUID } from 'node:crypto';
import { plainAddress } from '@selvage/core/access/network-of';
import { scopeOf } from '@selvage/core/access/load-actor';
import { unauthorized } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';
import type { Actor } from '@selvage/core/context/actor';
import type { Ctx } from '@selvage/core/context/context';
import { log, withLogContext } from '@selvage/core/log';
import type { Context, Middleware } from 'koa';
import { clientAddress } from './client-address.ts';

const requestIdForm = /^[\w-]{8,64}$/;

/** The context of a logged-in person. */
export type SignedIn = Ctx & { actor: Actor };

/** Gives each request an id, the address of its caller and a context that has no rights yet. */
export function requestContext(app: App): Middleware {
  const proxies = app.config.trustedProxies;
  // Warns once per process, since a stranger can send the header as well
  let warnsOfProxy = proxies === 0;
  return async (koa, next) => {
    if (warnsOfProxy && koa.get('x-forwarded-for') !== '') {
      warnsOfProxy = false;
      log.warn(
        'a request has X-Forwarded-For, but TRUSTED_PROXIES is 0: all callers behind a proxy count as one address',
      );
    }
    const offered = proxies > 0 ? koa.get('x-request-id') : '';
    const requestId = requestIdForm.test(offered) ? offered : randomUUID();
    koa.set('X-Request-Id', requestId);
    koa.state.ctx = anonymousContext(app, requestId, clientAddress(koa.req, proxies));
    await withLogContext({ requestId }, next);
  };
}

/** The context of a caller who is not logged in. Its scope contains no record. */
export function anonymousContext(app: App, requestId: string, address: string): Ctx {
  return { app, actor: null, scope: { kind: 'company', companyId: '0' }, requestId, address };
}

/** The context of the same request once its person is known (D1). */
export function actorContext(ctx: Ctx, actor: Actor): SignedIn {
  return { ...ctx, actor, scope: scopeOf(actor) };
}

/** The request's context, which `requestContext` made. */
export function contextOf(koa: Context): Ctx {
  return koa.state.ctx as Ctx;
}

/** The context of a call whose contract needs a logged-in person. */
export function signedIn(ctx: Ctx): SignedIn {
  if (!ctx.actor) throw unauthorized();
  return { ...ctx, actor: ctx.actor };
}

/** True when the request came from this machine and not through a proxy on it. */
export function isLocalRequest(koa: Context): boolean {
  const address = plainAddress(koa.req.socket.remoteAddress ?? '');
  const isForwarded = koa.get('x-forwarded-for') !== '' || koa.get('forwarded') !== '';
  return !isForwarded && (address === '::1' || address.startsWith('127.'));
}
