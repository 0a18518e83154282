import { inScope, readInScope } from '@selvage/core/access/scope';
import type { SetupGuideDto } from '@selvage/core/contracts/setup-guide';
import { proveIfPossible } from '@selvage/core/directory/domain-proof';
import { readSetup, zoneFileOf } from '@selvage/core/domain-check/setup-steps';
import { lookSoonIfChanged } from '@selvage/core/domain-guard/look-soon';
import { notFound } from '@selvage/core/errors';
import { Domain } from '@selvage/core/models/domain';
import { Op } from 'sequelize';
import { countAttempt } from '../auth/throttle.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { rules } from './rate-limits.ts';

/**
 * The steps that are left until mail for a domain arrives.
 * @throws 404 when there is no such domain in the caller's scope, 409 `deleted`, 429
 */
export async function readSetupGuide(ctx: SignedIn, domainId: string | undefined): Promise<SetupGuideDto> {
  const domain = domainId === undefined ? await firstDomain(ctx) : await readInScope(ctx, Domain, domainId);
  refuseDeleted(domain);
  await countAttempt(ctx.app, rules.guide, ctx.actor.userId);
  // Verifies the domain now, so that a person who watches the guide need not wait for the regular
  // check of all domains
  if (!domain.verifiedAt && (await proveIfPossible(ctx, domain))) await domain.reload();
  const setup = await readSetup(ctx, domain);
  await lookSoonIfChanged(ctx, domain, setup.examined);
  const { steps, extras } = setup;
  return {
    domain_id: String(domain.id),
    domain: domain.domainName,
    done: steps.every(({ state }) => state === 'done'),
    steps,
    extras,
    zone_file: zoneFileOf(domain.domainName, setup),
  };
}

async function firstDomain(ctx: SignedIn): Promise<Domain> {
  const own = { companyId: ctx.actor.companyId, deletedAt: null };
  const domain = await Domain.findOne({ where: { [Op.and]: [inScope(ctx, Domain), own] }, order: [['id', 'ASC']] });
  if (!domain) throw notFound('domain');
  return domain;
}
