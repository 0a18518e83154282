import type { SignedIn } from '../http/request-context.ts';

/*
 * Turning two-factor on or off takes two calls: the password, then a code. Between them the first is remembered for ten minutes, for this
 * session only.
 */

const LIFETIME_SECONDS = 600;

/** What somebody who gave their password is about to do. */
export type FactorChange = { status: true; sealedSecret: string } | { status: false };

export async function rememberChange(ctx: SignedIn, change: FactorChange): Promise<void> {
  await ctx.app.redis.set(keyOf(ctx), JSON.stringify(change), 'EX', LIFETIME_SECONDS);
}

export async function readChange(ctx: SignedIn): Promise<FactorChange | null> {
  const stored = await ctx.app.redis.get(keyOf(ctx));
  return stored ? (JSON.parse(stored) as FactorChange) : null;
}

export async function forgetChange(ctx: SignedIn): Promise<void> {
  await ctx.app.redis.del(keyOf(ctx));
}

function keyOf({ actor }: SignedIn): string {
  return `factor-change:${actor.userId}:${actor.sessionId}`;
}
