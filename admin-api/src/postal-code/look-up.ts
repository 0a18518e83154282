import type { InferAnswer } from '@selvage/core/contracts/endpoint';
import { lookUpPostalCode } from '@selvage/core/contracts/postal-code';
import { AppError, notFound } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { parseKept } from '@selvage/core/parse-kept';
import { z } from 'zod';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';

type Place = InferAnswer<typeof lookUpPostalCode>;

const lookUps: Rule = { name: 'postal-code', limit: 60, windowSeconds: 60 };
const limitMs = 3000;
/** An answer is about 3 KB for each post office of the code. */
const mostBytes = 262_144;
const keptSeconds = 30 * 86_400;

/** The answer of the public service: a list of one, with the post offices of the code. */
const answer = z.tuple([
  z.object({
    Status: z.string(),
    PostOffice: z.array(z.object({ Division: z.string(), State: z.string() })).nullish(),
  }),
]);

/**
 * The place of an Indian postal code, from Redis or from the configured service (D26).
 * @throws 404 when there is no such code, 429, 503 when the service can't be reached
 */
export async function findPlace(ctx: SignedIn, pin: string): Promise<Place> {
  await countAttempt(ctx.app, lookUps, ctx.actor.userId);
  const key = `postal-code:${pin}`;
  const kept = parseKept(await ctx.app.redis.get(key), lookUpPostalCode.answer, key);
  if (kept !== null) return kept;
  const place = await ask(new URL(pin, ctx.app.config.postalCodeUrl));
  if (place === null) throw notFound('postal code');
  await ctx.app.redis.set(key, JSON.stringify(place), 'EX', keptSeconds);
  return place;
}

async function ask(url: URL): Promise<Place | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs), redirect: 'error' });
    if (response.status !== 200) throw new Error(`the look-up answered ${response.status}`);
    const [{ Status, PostOffice }] = answer.parse(JSON.parse(await readText(response)));
    const [office] = PostOffice ?? [];
    if (Status !== 'Success' || office === undefined) return null;
    return { city: office.Division.slice(0, 100), state: office.State.slice(0, 100), country: 'India' };
  } catch (error) {
    log.warn('a postal code could not be looked up', { error });
    throw new AppError({
      status: 503,
      code: 'postal_code_unavailable',
      publicText: 'The postal code could not be looked up. Please enter the place yourself.',
    });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new Error('the answer of the look-up is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
