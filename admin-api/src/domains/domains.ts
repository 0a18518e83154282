import { recordAudit } from '@selvage/core/access/audit';
import { requireHost } from '@selvage/core/access/effective-permissions';
import { saveForm } from '@selvage/core/access/save-form';
import { findInScope, readInScope } from '@selvage/core/access/scope';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type {
  createDomain,
  DomainDetailDto,
  DomainDto,
  listDomains,
  updateDomain,
} from '@selvage/core/contracts/domains';
import type { InferBody, InferQuery } from '@selvage/core/contracts/endpoint';
import { askForProof, domainTaken, ownDomain, proofOf, sayMissing } from '@selvage/core/directory/domain-proof';
import { requireDomainRoom } from '@selvage/core/directory/plan-limits';
import { refuseSimilarDomain } from '@selvage/core/directory/similar-domain';
import { noAnswer } from '@selvage/core/domain-check/found';
import { conflict } from '@selvage/core/errors';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { defaultSelector, generateDkim } from '@selvage/core/jobs/generate-dkim';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { Address } from '@selvage/core/models/address';
import { Domain } from '@selvage/core/models/domain';
import { User } from '@selvage/core/models/user';
import { Op, UniqueConstraintError } from 'sequelize';
import { endCatchAllsIn } from '../addresses/end-catch-alls.ts';
import { countAttempt } from '../auth/throttle.ts';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import {
  ofKeptCompany,
  refuseAnotherCompany,
  refuseDeleted,
  refuseUndeleted,
  whereState,
  withCompany,
} from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { lockCompany, wrong } from '../users/guard-user.ts';
import { holdMail } from '../users/hold-mail.ts';
import { presentDomain, presentDomains } from './present-domain.ts';
import { dropRecord, saveRecord } from './dns-records.ts';
import { rules } from './rate-limits.ts';

type Body = InferBody<typeof updateDomain>;

/** One page of the domains in the caller's scope. Domains of deleted companies are left out. */
export async function findDomains(ctx: SignedIn, query: InferQuery<typeof listDomains>): Promise<Page<DomainDto[]>> {
  const { rows, total } = await findPage(ctx, Domain, {
    query,
    sortColumns: { domain_name: 'domainName', expiration_date: 'expirationDate', createdAt: 'createdAt' },
    searchColumns: ['domainName', 'company.name'],
    where: {
      ...whereState(Domain, query),
      ...ofKeptCompany,
      ...(query.company_id ? { companyId: query.company_id } : {}),
    },
    include: [withCompany],
  });
  return { rows: await presentDomains(ctx, rows), total };
}

/** @throws 404 */
export async function readDomain(ctx: SignedIn, id: string): Promise<DomainDetailDto> {
  return await presentDomain(ctx, await readInScope(ctx, Domain, id));
}

/**
 * Adds a domain to a company, with the job that makes its signing key. A domain that a person of
 * the provider adds counts as verified: that person vouches for it (D34).
 * @throws 409 `domain_taken`, `similar_domain`, `domains_limit_reached`, 422
 */
export async function addDomain(ctx: SignedIn, body: InferBody<typeof createDomain>): Promise<DomainDetailDto> {
  const companyId = body.company_id ?? ctx.actor.companyId;
  const domainName = companyDomain(body.domain_name);
  if (domainName === null || domainName === ctx.app.config.hostname)
    throw wrong('domain_name', 'Invalid domain format');
  if (ctx.scope.kind === 'company') await countAttempt(ctx.app, rules.add, ctx.actor.companyId);
  if (!body.similar_domain_ok) await refuseSimilarDomain(ctx, domainName, 'domain_name');
  return await inTransaction(ctx, async (tx) => {
    await lockCompany(tx, companyId, 'company_id');
    await requireDomainRoom(tx, companyId);
    await refuseTooManyUnproved(tx, companyId);
    const domain = await insertDomain(tx, {
      companyId,
      domainName,
      expirationDate: dayOf(body.expiration_date),
      activeStatus: body.active_status ?? true,
    });
    await audit(tx, 'domain:created', domain);
    if (ctx.scope.kind === 'host') await ownDomain(tx, domain, { vouchedBy: ctx.actor.userId });
    await enqueue(tx, generateDkim, { domainId: String(domain.id), selector: defaultSelector });
    return await presentDomain(ctx, domain, tx);
  });
}

const mostUnproved = 50;

/**
 * Limits a company's unverified domains, since the host queries the DNS about each of them every
 * five minutes.
 */
async function refuseTooManyUnproved(tx: TxCtx, companyId: string): Promise<void> {
  const where = { companyId, verifiedAt: null, deletedAt: null };
  if ((await Domain.count({ where, transaction: tx.tx })) < mostUnproved) return;
  throw conflict(
    `${mostUnproved} domains wait to be verified. Verify or delete some of them first.`,
    'too_many_unproved',
  );
}

type NewDomain = Pick<Domain, 'companyId' | 'domainName' | 'expirationDate' | 'activeStatus'>;

async function insertDomain(tx: TxCtx, values: NewDomain): Promise<Domain> {
  const { domainName } = values;
  const options = { attributes: ['id'], transaction: tx.tx };
  if (await Domain.findOne({ where: { domainName, verifiedAt: { [Op.ne]: null } }, ...options })) {
    throw domainTaken(domainName);
  }
  try {
    return await Domain.create(values, { transaction: tx.tx });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw conflict('The company has this domain already. If it is deleted, restore it.', 'domain_taken');
  }
}

function dayOf(day: string | null | undefined): Date | null {
  return day ? new Date(`${day}T00:00:00Z`) : null;
}

/**
 * Changes a domain, or one of its records. Fields that were not sent stay as they are. Switching a
 * domain off also holds the mail of its people that waits (D59).
 * @throws 404, 409, 422
 */
export async function changeDomain(ctx: SignedIn, id: string, body: Body): Promise<DomainDetailDto> {
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseDeleted(domain);
    refuseAnotherCompany(domain, body.company_id);
    const changed = await saveForm(tx, domain, {
      changes: {
        ...(body.expiration_date === undefined ? {} : { expirationDate: dayOf(body.expiration_date) }),
        ...(body.active_status === undefined ? {} : { activeStatus: body.active_status }),
      },
      fields: { expirationDate: 'expiration_date', activeStatus: 'active_status' },
      compared: ['expirationDate', 'activeStatus'],
      startedFrom: body.version,
      entity: 'domain',
      action: 'domain:updated',
      // Of two forms that change the same record, only one is saved
      elsewhere: body.dns_records && body.dns_id ? ['dns_records'] : [],
      present: () => presentDomain(ctx, domain, tx),
    });
    if (changed.includes('active_status') && !domain.activeStatus) await holdMail(tx, { domainId: String(domain.id) });
    if (body.dns_records) await saveRecord(tx, domain, body.dns_records, body.dns_id || null);
    return await presentDomain(ctx, domain, tx);
  });
}

/**
 * Deletes a domain, which can be restored, or one of its records. Deleting a domain also holds the
 * mail of its people that waits (D59).
 * @throws 404, 409 `deleted`, `is_catch_all`
 */
export async function removeDomain(ctx: SignedIn, id: string, recordId: string | null): Promise<DomainDetailDto> {
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseDeleted(domain);
    if (recordId !== null) await dropRecord(tx, domain, recordId);
    else {
      await endCatchAllsIn(tx, domain);
      await domain.update({ deletedAt: new Date() }, { transaction: tx.tx });
      await holdMail(tx, { domainId: String(domain.id) });
      await audit(tx, 'domain:deleted', domain);
    }
    return await presentDomain(ctx, domain, tx);
  });
}

/** @throws 404, 409 `not_deleted`, `domains_limit_reached`, `too_many_unproved` */
export async function restoreDomain(ctx: SignedIn, id: string): Promise<DomainDetailDto> {
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseUndeleted(domain);
    await requireDomainRoom(tx, String(domain.companyId));
    if (!domain.verifiedAt) await refuseTooManyUnproved(tx, String(domain.companyId));
    await domain.update({ deletedAt: null }, { transaction: tx.tx });
    await audit(tx, 'domain:restored', domain);
    return await presentDomain(ctx, domain, tx);
  });
}

/**
 * Deletes a deleted domain for good. A domain with addresses can't be deleted: mail for them would
 * be lost, and another company could take the addresses.
 * @throws 404, 409 `not_deleted`, `domain_in_use`
 */
export async function eraseDomain(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseUndeleted(domain);
    const options = { where: { domainId: String(domain.id) }, transaction: tx.tx };
    const count = (await Address.count(options)) || (await User.count(options));
    if (count > 0) {
      const text = `This domain has ${count} ${count === 1 ? 'address' : 'addresses'}. Delete its users, aliases and groups for good first.`;
      throw conflict(text, 'domain_in_use');
    }
    await domain.destroy({ transaction: tx.tx });
    await audit(tx, 'domain:erased', domain);
  });
}

/**
 * Queries the DNS now whether a domain belongs to its company.
 * @throws 404, 409 `proof_missing`, `proof_unanswered`, `domain_taken`, 429
 */
export async function verifyDomain(ctx: SignedIn, id: string): Promise<DomainDetailDto> {
  const known = await readInScope(ctx, Domain, id);
  refuseDeleted(known);
  if (known.verifiedAt) return await presentDomain(ctx, known);
  await countAttempt(ctx.app, rules.proof, ctx.actor.userId);
  const answer = await askForProof(ctx.app, known);
  if (answer.kind === 'missing') {
    throw conflict(sayMissing(proofOf(ctx.app, known).name, answer.others), 'proof_missing');
  }
  if (answer.kind === 'unanswered') throw conflict(noAnswer(answer.failure), 'proof_unanswered');
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseDeleted(domain);
    if (!domain.verifiedAt) await ownDomain(tx, domain, { proof: true });
    return await presentDomain(ctx, domain, tx);
  });
}

/** @throws 403 for people of tenants, 404, 409 `deleted`, `domain_taken` */
export async function vouchForDomain(ctx: SignedIn, id: string): Promise<DomainDetailDto> {
  requireHost(ctx);
  return await inTransaction(ctx, async (tx) => {
    const domain = await findInScope(tx, Domain, id);
    refuseDeleted(domain);
    if (!domain.verifiedAt) await ownDomain(tx, domain, { vouchedBy: ctx.actor.userId });
    return await presentDomain(ctx, domain, tx);
  });
}

async function audit(
  tx: TxCtx,
  action: `domain:${'created' | 'deleted' | 'restored' | 'erased'}`,
  { id, companyId, domainName }: Domain,
): Promise<void> {
  const details = { domain_name: domainName };
  await recordAudit(tx, { action, entity: 'domain', entityId: String(id), companyId: String(companyId), details });
}
