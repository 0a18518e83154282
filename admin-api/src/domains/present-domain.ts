import { utcDayAt } from '@selvage/core/utc-day';
import type { Ctx } from '@selvage/core/context/context';
import { type WatchedPart, watchedParts } from '@selvage/core/contracts/domain-guard';
import type { DkimKeyDto, DomainDetailDto, DomainDto, DomainRecordDto } from '@selvage/core/contracts/domains';
import { keptMs } from '@selvage/core/domain-guard/retire-keys';
import { healthLevel } from '@selvage/core/domain-guard/guard-domain';
import { proofOf } from '@selvage/core/directory/domain-proof';
import { Company } from '@selvage/core/models/company';
import { DkimKey } from '@selvage/core/models/dkim-key';
import type { Domain } from '@selvage/core/models/domain';
import { DomainHealth } from '@selvage/core/models/domain-health';
import { DomainRecord } from '@selvage/core/models/domain-record';
import { abilitiesOf } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';

/** Domains as the console shows them. One query reads the names of their companies. */
export async function presentDomains(ctx: SignedIn, domains: readonly Domain[], read: Ctx = ctx): Promise<DomainDto[]> {
  const ids = [...new Set(domains.map(({ companyId }) => String(companyId)))];
  const attributes = ['id', 'name'];
  const companies = await Company.findAll({ where: { id: ids }, attributes, transaction: read.tx });
  const names = new Map(companies.map(({ id, name }) => [String(id), name]));
  return domains.map((domain) => present(ctx, domain, names.get(String(domain.companyId)) ?? ''));
}

/** One domain with its records and its proof. */
export async function presentDomain(ctx: SignedIn, domain: Domain, read: Ctx = ctx): Promise<DomainDetailDto> {
  const [shown] = await presentDomains(ctx, [domain], read);
  if (shown === undefined) throw new Error('a domain was not presented');
  const records = await DomainRecord.findAll({
    where: { domainId: String(domain.id) },
    order: [
      ['type', 'ASC'],
      ['name', 'ASC'],
      ['id', 'ASC'],
    ],
    transaction: read.tx,
  });
  return {
    ...shown,
    broken_parts: await findBroken(domain, read),
    proof: proofOf(ctx.app, domain),
    dns_records: records.map(presentRecord),
    dkim_keys: await presentKeys(domain, read),
  };
}

async function findBroken({ id }: Domain, { tx }: Ctx): Promise<WatchedPart[]> {
  const known = await DomainHealth.findByPk(String(id), { attributes: ['watches'], transaction: tx });
  return watchedParts.filter((part) => {
    const watch = known?.watches[part];
    return watch?.state === 'bad' || watch?.suspectedAt !== undefined;
  });
}

/** When the key that signed before this one is retired. */
const retiresAt = (signing: DkimKey | undefined): string | null =>
  signing?.signsSince ? new Date(signing.signsSince.getTime() + keptMs).toISOString() : null;

async function presentKeys({ id, domainName }: Domain, { tx }: Ctx): Promise<DkimKeyDto[]> {
  const keys = await DkimKey.findAll({
    attributes: ['id', 'selector', 'isActive', 'signsSince', 'retiredAt', 'createdAt'],
    where: { domainId: String(id) },
    order: [['id', 'DESC']],
    transaction: tx,
  });
  const signing = keys.find(({ isActive }) => isActive);
  const stateOf = (key: DkimKey): DkimKeyDto['state'] => {
    if (!key.isActive) return key === keys[0] ? 'waiting' : 'retired';
    if (key === signing) return 'signing';
    return key.retiredAt ? 'retired' : 'previous';
  };
  return keys.map((key) => ({
    selector: key.selector,
    record_name: `${key.selector}._domainkey.${domainName}`,
    state: stateOf(key),
    needed_until: stateOf(key) === 'previous' ? retiresAt(signing) : null,
    createdAt: key.createdAt.toISOString(),
  }));
}

function present(ctx: SignedIn, domain: Domain, companyName: string): DomainDto {
  const can = abilitiesOf(ctx, 'domain', { deletedAt: domain.deletedAt ?? null });
  const isVerified = Boolean(domain.verifiedAt);
  return {
    _id: String(domain.id),
    domain_name: domain.domainName,
    company_id: { _id: String(domain.companyId), name: companyName },
    expiration_date: domain.expirationDate ? utcDayAt(domain.expirationDate.getTime()) : null,
    verified: isVerified,
    health: healthLevel(domain.health),
    active_status: Boolean(domain.activeStatus),
    deletedAt: domain.deletedAt?.toISOString() ?? null,
    createdAt: domain.createdAt.toISOString(),
    updatedAt: domain.updatedAt.toISOString(),
    version: domain.version ?? 1,
    abilities: { ...can, vouch: can.edit && !isVerified && ctx.scope.kind === 'host' },
  };
}

function presentRecord({ id, recordName, type, name, priority, content, ttl }: DomainRecord): DomainRecordDto {
  return { _id: String(id), record_name: recordName, type, name, priority, content, ttl };
}
