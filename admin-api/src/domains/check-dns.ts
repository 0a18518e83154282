import type { checkDns, DnsCheck } from '@selvage/core/contracts/domain-check';
import type { ComparedRecord } from '@selvage/core/contracts/domains';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { readInScope } from '@selvage/core/access/scope';
import { Domain } from '@selvage/core/models/domain';
import { compareRecords } from '@selvage/core/domain-check/compare-records';
import { checkDomain } from '@selvage/core/domain-check/check-domain';
import { lookSoonIfChanged } from '@selvage/core/domain-guard/look-soon';
import { countAttempt } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { findByName } from './open-dkim.ts';
import { rules } from './rate-limits.ts';

/**
 * What the DNS has for a domain of the caller now. Domains of others are not checked: a check sends
 * queries and a probe to servers that the owner of the domain chooses.
 * @throws 422 for a domain outside the caller's scope, 429
 */
export async function checkDnsOf(
  ctx: SignedIn,
  { domain: typed, domain_id: id, dkimSelectors }: InferBody<typeof checkDns>,
): Promise<DnsCheck> {
  const domain = await findByName(ctx, typed, id);
  await countAttempt(ctx.app, rules.check, ctx.actor.userId);
  const examined = await checkDomain(ctx, domain, { selectors: dkimSelectors });
  await lookSoonIfChanged(ctx, domain, examined);
  return examined.check;
}

/**
 * Whether the DNS has the records that are stored for a domain.
 * @throws 404, 429
 */
export async function compareRecordsOf(ctx: SignedIn, id: string): Promise<ComparedRecord[]> {
  const domain = await readInScope(ctx, Domain, id);
  await countAttempt(ctx.app, rules.check, ctx.actor.userId);
  return await compareRecords(ctx, domain);
}
