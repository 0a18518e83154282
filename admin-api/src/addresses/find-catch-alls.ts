import { holdsPermission } from '@selvage/core/access/effective-permissions';
import type { CatchAllRowDto, listCatchAlls } from '@selvage/core/contracts/catch-all';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { Domain } from '@selvage/core/models/domain';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { ofKeptCompany, withCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentCatchAll, readTargets } from './present-catch-all.ts';

type Query = InferQuery<typeof listCatchAlls>;

/**
 * One page of the domains in the caller's scope, each with its catch-all. Deleted and unverified
 * domains and those of deleted companies are left out.
 */
export async function findCatchAlls(ctx: SignedIn, query: Query): Promise<Page<CatchAllRowDto[]>> {
  const { rows, total } = await findPage(ctx, Domain, {
    query,
    sortColumns: { domain_name: 'domainName' },
    searchColumns: ['domainName'],
    where: { [Op.and]: [canHaveAddresses, ofKeptCompany, query.company_id ? { companyId: query.company_id } : {}] },
    include: [withCompany],
  });
  const targets = await readTargets(ctx, rows);
  const edit = holdsPermission(ctx.actor.permissions, 'domain', 'edit');
  const present = (domain: Domain): CatchAllRowDto => ({
    ...presentCatchAll(domain, targets),
    company_id: { _id: String(domain.companyId), name: domain.company?.name ?? '' },
    abilities: { edit },
  });
  return { rows: rows.map(present), total };
}
