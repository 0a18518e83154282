import { holdsPermission, requireHostSuperAdmin, requirePermission } from '@selvage/core/access/effective-permissions';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import type { Ctx } from '@selvage/core/context/context';
import type { Context } from 'koa';
import { findPerson, readBearer } from '../auth/authenticate-request.ts';
import { requireDutiesDone } from '../auth/first-duties.ts';
import { requireWaiting, type Waiting } from '../auth/login-step.ts';
import type { Claims } from '../auth/tokens.ts';
import { contextOf, type SignedIn } from './request-context.ts';

/** How many milliseconds the caller's rights stay valid without another look-up. */
export const freshMs = 1000;

/** A caller who may make the call. */
interface Caller {
  ctx: Ctx;
  waiting: Waiting | null;
}

/** A caller who was admitted before the body of the call was read. */
interface Admitted {
  ctx: Ctx;
  /**
   * Looks the caller up again, unless the last look-up was a moment ago. A body may take half an
   * hour to arrive, and the person may be dismissed meanwhile (D4).
   * @throws as `admit`
   */
  ofNow: () => Promise<Caller>;
}

/**
 * Finds the caller and checks that they may make the call.
 * @param inTurn makes the look-up of a person wait for its turn
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
 * The claims of the call's token; null where no token is needed. They are read only once: when the
 * token expires while the body arrives, the caller need not send the body again.
 */
async function claimsOf(koa: Context, { needs }: Endpoint): Promise<Claims | null> {
  const authorization = koa.get('authorization');
  // The login cookie counts only without a token, so the two can never name different people
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
  const ofOwn = koa.params['id'] === ctx.actor.userId ? own : undefined;
  if (ofOwn?.isLeftToService) return;
  const flag = ofOwn ?? needed;
  const isLetInByOther = or !== undefined && holdsPermission(ctx.actor.permissions, or.model, or.action);
  if (!isLetInByOther) requirePermission(ctx, flag.model, flag.action);
}
