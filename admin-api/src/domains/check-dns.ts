import type { checkDns, DnsCheck } from '@selvage/core/contracts/domain-check';
import type { ComparedRecord } from '@selvage/core/contracts/domains';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { readInScope } from '@selvage/core/access/scope';
import { Domain } from '@selvage/core/models/domain';
import { compareRecords } from '@selvage/core/domain-check/compare-records';
import { checkDomain } from '@selvage/core/domain-check/check-domain';
import { countAttempt } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { findByName } from './open-dkim.ts';
import { rules } from './rate-limits.ts';

/**
 * What the DNS says of a domain of the caller now. Of other domains nothing is asked: a check sends
 * questions and a probe to servers that their owner chooses.
 * @throws 422 for a domain beyond the caller's scope, 429
 */
export async function checkDnsOf(
  ctx: SignedIn,
  { domain: typed, domain_id: id, dkimSelectors }: InferBody<typeof checkDns>,
): Promise<DnsCheck> {
  const domain = await findByName(ctx, typed, id);
  await countAttempt(ctx.app, rules.check, ctx.actor.userId);
  const { check } = await checkDomain(ctx, domain, { selectors: dkimSelectors });
  return check;
}

/**
 * Whether the DNS has the records that are kept for a domain.
 * @throws 404, 429
 */
export async function compareRecordsOf(ctx: SignedIn, id: string): Promise<ComparedRecord[]> {
  const domain = await readInScope(ctx, Domain, id);
  await countAttempt(ctx.app, rules.check, ctx.actor.userId);
  return await compareRecords(ctx, domain);
}
