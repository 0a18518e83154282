import { holdsPermission, requireHostSuperAdmin, requirePermission } from '@selvage/core/access/effective-permissions';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { Ctx } from '@selvage/core/context/context';
import type { Context } from 'koa';
import { findPerson, readBearer } from '../auth/authenticate-request.ts';
import { requireDutiesDone } from '../auth/first-duties.ts';
import { requireWaiting, type Waiting } from '../auth/login-step.ts';
import type { Claims } from '../auth/tokens.ts';
import { contextOf, type SignedIn } from './request-context.ts';

/** For how long the caller's rights count as they were found. */
export const freshMs = 1000;

/** A caller that was found to be allowed to make the call. */
interface Caller {
  ctx: Ctx;
  waiting: Waiting | null;
}

/** A caller as found before the body of the call was read. */
interface Admitted {
  ctx: Ctx;
  /**
   * The caller as of now: looked up again unless that was a moment ago. A body may arrive for half
   * an hour, in which its sender can have been dismissed (D4).
   * @throws as `admit`
   */
  ofNow: () => Promise<Caller>;
}

/**
 * Finds the caller of a call and checks that they may make it.
 * @param inTurn lets the look-up of a person wait for its turn
 * @throws 401, 403
 */
export async function admit(
  koa: Context,
  endpoint: Endpoint,
  inTurn: <T>(userId: string, lookUp: () => Promise<T>) => Promise<T>,
): Promise<Admitted> {
  const claims = await claimsOf(koa, endpoint);
  const find = () => findCaller(koa, endpoint, claims);
  const caller = await (claims ? inTurn(claims.userId, find) : find());
  const foundAt = performance.now();
  const isFresh = () => performance.now() - foundAt < freshMs;
  return { ctx: caller.ctx, ofNow: async () => (isFresh() ? caller : await find()) };
}

/**
 * What the token of a call says; null where no token is needed. It is read once: that it expires
 * while the body arrives is no reason to send the body again.
 */
async function claimsOf(koa: Context, { needs }: Endpoint): Promise<Claims | null> {
  const authorization = koa.get('authorization');
  // The cookie counts only without a token, so that the two can never name different people
  if (needs === 'public' || (needs === 'second-step' && !authorization)) return null;
  return await readBearer(contextOf(koa).app, authorization, { allowsPending: needs === 'pending' });
}

async function findCaller(koa: Context, endpoint: Endpoint, claims: Claims | null): Promise<Caller> {
  const ctx = contextOf(koa);
  if (endpoint.needs === 'public') return { ctx, waiting: null };
  if (!claims) return { ctx, waiting: await requireWaiting(ctx, koa) };
  const actorCtx = await findPerson(ctx, claims);
  koa.state.ctx = actorCtx;
  requireNeeded(koa, actorCtx, endpoint);
  return { ctx: actorCtx, waiting: null };
}

function requireNeeded(koa: Context, ctx: SignedIn, endpoint: Endpoint): void {
  requireDutiesDone(ctx.actor, endpoint);
  if (endpoint.needs === 'host-super-admin') requireHostSuperAdmin(ctx);
  if (typeof endpoint.needs !== 'object') return;
  const { own, or, ...needed } = endpoint.needs;
  const flag = own && koa.params['id'] === ctx.actor.userId ? own : needed;
  const isLetInByOther = or !== undefined && holdsPermission(ctx.actor.permissions, or.model, or.action);
  if (!isLetInByOther) requirePermission(ctx, flag.model, flag.action);
}
