import { readInScope } from '@selvage/core/access/scope';
import type { tryRecord } from '@selvage/core/contracts/domain-guard';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import { checkDomain } from '@selvage/core/domain-check/check-domain';
import { NotTriable, readTried } from '@selvage/core/domain-check/try-records';
import { Domain } from '@selvage/core/models/domain';
import { countAttempt } from '../auth/throttle.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { wrong } from '../users/guard-user.ts';
import { rules } from './rate-limits.ts';

/**
 * What a check would report if the DNS of a domain had other records, and what it reports now.
 * @throws 404, 409 `deleted`, 422 for invalid records, 429
 */
export async function tryRecords(
  ctx: SignedIn,
  { domain_id: id, ...tried }: InferBody<typeof tryRecord>,
): Promise<InferAnswer<typeof tryRecord>> {
  const domain = await readInScope(ctx, Domain, id);
  refuseDeleted(domain);
  const prepare = read(domain.domainName, tried);
  await countAttempt(ctx.app, rules.check, ctx.actor.userId);
  const [then, now] = await Promise.all([checkDomain(ctx, domain, { prepare }), checkDomain(ctx, domain)]);
  return { check: then.check, problems_now: now.check.problems };
}

function read(name: string, tried: Parameters<typeof readTried>[1]): ReturnType<typeof readTried> {
  try {
    return readTried(name, tried);
  } catch (error) {
    if (error instanceof NotTriable) throw wrong(error.field, error.message);
    throw error;
  }
}
