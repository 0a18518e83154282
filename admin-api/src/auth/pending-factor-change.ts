import { parseKept } from '@selvage/core/parse-kept';
import { z } from 'zod';
import type { SignedIn } from '../http/request-context.ts';

/*
 * Turning two-factor on or off takes two calls: one with the password, then one with a code. Redis
 * stores the first for ten minutes, for this session only.
 */

const lifetimeSeconds = 600;

/** The change that a person has begun by entering their password. */
const factorChange = z.union([
  z.object({
    status: z.literal(true),
    sealedSecret: z.string(),
    /** The secret of the app that another one is to replace; null when two-factor was off. */
    replaced: z.string().nullable().default(null),
  }),
  z.object({ status: z.literal(false) }),
]);
export type FactorChange = z.infer<typeof factorChange>;

export async function rememberChange(ctx: SignedIn, change: FactorChange): Promise<void> {
  await ctx.app.redis.set(keyOf(ctx), JSON.stringify(change), 'EX', lifetimeSeconds);
}

export async function readChange(ctx: SignedIn): Promise<FactorChange | null> {
  return parseKept(await ctx.app.redis.get(keyOf(ctx)), factorChange, 'a change of two-factor');
}

export async function forgetChange(ctx: SignedIn): Promise<void> {
  await ctx.app.redis.del(keyOf(ctx));
}

function keyOf({ actor }: SignedIn): string {
  return `factor-change:${actor.userId}:${actor.sessionId}`;
}
