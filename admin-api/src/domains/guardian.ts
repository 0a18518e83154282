import { findInScope, readInScope } from '@selvage/core/access/scope';
import { recordAuditOf } from '@selvage/core/access/audit';
import { inTransaction } from '@selvage/core/context/context';
import {
  type DomainChangeDto,
  type DomainHealthDto,
  healthLevels,
  type listDomainChanges,
  type listDomainHealth,
} from '@selvage/core/contracts/domain-guard';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import { healthLevel } from '@selvage/core/domain-guard/guard-domain';
import { conflict, notFound } from '@selvage/core/errors';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { DomainChange } from '@selvage/core/models/domain-change';
import { Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import { ofKeptCompany, refuseDeleted, withCompany } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { forgetAsking } from './open-dkim.ts';
import { presentDomain } from './present-domain.ts';

/** One page of the verified domains in the caller's scope, with the problems of each. */
export async function findDomainHealth(
  ctx: SignedIn,
  query: InferQuery<typeof listDomainHealth>,
): Promise<Page<DomainHealthDto[]>> {
  const { rows, total } = await findPage(ctx, Domain, {
    query,
    sortColumns: { health: 'health', checked_at: 'checkedAt', domain_name: 'domainName' },
    searchColumns: ['domainName', 'company.name'],
    where: {
      ...ofKeptCompany,
      deletedAt: null,
      verifiedAt: { [Op.ne]: null },
      ...(query.health ? { health: healthLevels.indexOf(query.health) } : {}),
      ...(query.company_id ? { companyId: query.company_id } : {}),
    },
    include: [withCompany, { association: 'healthRow' }],
  });
  return { rows: rows.map(present), total };
}

function present(domain: Domain): DomainHealthDto {
  const { id, domainName, companyId, company, health, checkedAt, nextCheckAt, healthRow } = domain;
  return {
    _id: String(id),
    domain_name: domainName,
    company_id: { _id: String(companyId), name: company?.name ?? '' },
    health: healthLevel(health),
    checked_at: checkedAt?.toISOString() ?? null,
    next_check_at: nextCheckAt.toISOString(),
    problems: healthRow?.problems ?? [],
    failures: healthRow?.failures ?? 0,
  };
}

/** @throws 404 */
export async function findDomainChanges(
  ctx: SignedIn,
  id: string,
  query: InferQuery<typeof listDomainChanges>,
): Promise<Page<DomainChangeDto[]>> {
  const domain = await readInScope(ctx, Domain, id);
  const { rows, total } = await findPage(ctx, DomainChange, {
    query,
    sortColumns: { createdAt: 'id' },
    searchColumns: ['afterText'],
    where: { domainId: String(domain.id) },
  });
  return { rows: rows.map(presentChange), total };
}

function presentChange({ id, part, kind, beforeText, afterText, createdAt }: DomainChange): DomainChangeDto {
  return { _id: String(id), part, kind, before: beforeText, after: afterText, createdAt: createdAt.toISOString() };
}

/**
 * Deletes a signing key that is not in use: one whose record is not yet in the DNS, or an old one
 * whose record may be removed from the DNS.
 * @throws 404, 409 `deleted`, `key_in_use`
 */
export async function removeDkimKey(ctx: SignedIn, id: string, selector: string): Promise<DomainDetailDto> {
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseDeleted(domain);
    const where = { domainId: String(domain.id), selector };
    const key = await DkimKey.findOne({ where, lock: true, transaction: tx.tx });
    if (!key) throw notFound('DKIM key');
    if (key.isActive && key.retiredAt === null) {
      const text = 'This key signs mail, or has signed mail that may still be on its way.';
      throw conflict(text, 'key_in_use');
    }
    await key.destroy({ transaction: tx.tx });
    // The same key may be requested again at once
    tx.tx.afterCommit(() => forgetAsking(ctx, where));
    await recordAuditOf(tx, domain, {
      action: 'dkim-key:deleted',
      entity: 'domain',
      details: { domain_name: domain.domainName, selector },
    });
    return await presentDomain(ctx, domain, tx);
  });
}
