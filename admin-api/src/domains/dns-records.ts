import { type AuditAction, recordAuditOf } from '@selvage/core/access/audit';
import type { TxCtx } from '@selvage/core/context/context';
import type { domainRecordForm } from '@selvage/core/contracts/domains';
import { textOf } from '@selvage/core/domain-check/try-records';
import { conflict, notFound } from '@selvage/core/errors';
import type { Domain } from '@selvage/core/models/domain';
import { DomainRecord } from '@selvage/core/models/domain-record';
import type { z } from 'zod';

type Form = z.infer<typeof domainRecordForm>;

const mostRecords = 200;
const defaultTtl = 3600;

/**
 * Adds a record to a domain whose row the caller has locked, or changes the record with this id.
 * @throws 404 for a record that the domain does not have, 409 `too_many_records`
 */
export async function saveRecord(tx: TxCtx, domain: Domain, form: Form, recordId: string | null): Promise<void> {
  const values = valuesOf(domain, form);
  if (recordId !== null) {
    const record = await findRecord(tx, domain, recordId);
    await record.update(values, { transaction: tx.tx });
    return await audit(tx, 'dns-record:changed', domain, values);
  }
  const { companyId } = domain;
  const domainId = String(domain.id);
  if ((await DomainRecord.count({ where: { domainId }, transaction: tx.tx })) >= mostRecords) {
    throw conflict(`A domain has at most ${mostRecords} records.`, 'too_many_records');
  }
  await DomainRecord.create({ ...values, companyId, domainId }, { transaction: tx.tx });
  await audit(tx, 'dns-record:added', domain, values);
}

/** @throws 404 */
export async function dropRecord(tx: TxCtx, domain: Domain, recordId: string): Promise<void> {
  const record = await findRecord(tx, domain, recordId);
  await record.destroy({ transaction: tx.tx });
  await audit(tx, 'dns-record:removed', domain, record);
}

async function findRecord(tx: TxCtx, domain: Domain, id: string): Promise<DomainRecord> {
  const where = { id, domainId: String(domain.id) };
  const record = await DomainRecord.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.UPDATE });
  if (!record) throw notFound('record');
  return record;
}

/** The name relative to the domain, as records store it. The form also accepts a full name. */
function relativeTo({ domainName }: Domain, typed: string): string {
  const name = typed.toLowerCase().replace(/\.$/, '');
  if (name === domainName) return '@';
  return name.endsWith(`.${domainName}`) ? name.slice(0, -domainName.length - 1) : name;
}

function valuesOf(domain: Domain, { record_name, type, name, priority, content, ttl }: Form) {
  return {
    recordName: record_name ?? '',
    type,
    name: relativeTo(domain, name),
    priority: type === 'MX' ? (priority ?? 0) : 0,
    content: type === 'TXT' ? textOf(content) : content.toLowerCase(),
    ttl: ttl ?? defaultTtl,
  };
}

async function audit(
  tx: TxCtx,
  action: Extract<AuditAction, `dns-record:${string}`>,
  domain: Domain,
  { type, name, content }: Pick<DomainRecord, 'type' | 'name' | 'content'>,
): Promise<void> {
  await recordAuditOf(tx, domain, {
    action,
    entity: 'domain',
    details: { domain_name: domain.domainName, type, name, content: content.slice(0, 200) },
  });
}
