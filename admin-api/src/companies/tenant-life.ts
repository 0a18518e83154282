import { saveForm } from '@selvage/core/access/save-form';
import type { TxCtx } from '@selvage/core/context/context';
import { endAccess } from '@selvage/core/directory/end-access';
import { conflict } from '@selvage/core/errors';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { eraseCompany } from '@selvage/core/jobs/erase-company';
import { Client } from '@selvage/core/models/client';
import type { Company } from '@selvage/core/models/company';
import { refuseDeleted, refuseUndeleted } from '../http/record-state.ts';
import { holdMail } from '../users/hold-mail.ts';

/*
 * A client and the company that it provisioned always have the same state (D6): each change of
 * state is made to both. The people, domains and roles of a company keep their own states, and can
 * be used only while the company can (D7). So a restored company is as it was before.
 */

/**
 * Refuses a change that would lock out the people of the caller's company, or the host itself.
 * @throws 409 `provider_protected`, `own_company`
 */
function refuseProtected(ctx: TxCtx, company: Company): void {
  if (company.isProvider) throw conflict('The company of this host is always in use.', 'provider_protected');
  if (String(company.id) === ctx.actor?.companyId) {
    throw conflict('This is your own company: you would lock yourself out.', 'own_company');
  }
}

/**
 * Deletes a company and its client, which can be restored, ends all access of its people and holds
 * their mail that waits (D59).
 * @returns the keys of the sessions that ended
 * @throws 409 when it is deleted, protected or the caller's own
 */
export async function removeTenant(ctx: TxCtx, company: Company): Promise<string[]> {
  refuseDeleted(company);
  refuseProtected(ctx, company);
  await writeState(ctx, company, { deletedAt: new Date() });
  await holdMail(ctx, { companyId: String(company.id) });
  return await endAccess(ctx, { companyId: String(company.id) });
}

/** @throws 409 when it is not deleted */
export async function restoreTenant(ctx: TxCtx, company: Company): Promise<void> {
  refuseUndeleted(company);
  await writeState(ctx, company, { deletedAt: null });
}

/**
 * Switches a company and its client on or off. Switching off also holds the mail that waits (D59).
 * @returns the keys of the sessions that ended
 * @throws 409 when it is protected or the caller's own
 */
export async function switchTenant(ctx: TxCtx, company: Company, isActive: boolean): Promise<string[]> {
  if (isActive) {
    await saveActive(ctx, company, true);
    return [];
  }
  refuseProtected(ctx, company);
  await saveActive(ctx, company, false);
  await holdMail(ctx, { companyId: String(company.id) });
  return await endAccess(ctx, { companyId: String(company.id) });
}

/**
 * Deletes a deleted company for good, with its client. A job removes their rows.
 * @throws 409 when it is not deleted
 */
export async function eraseTenant(ctx: TxCtx, company: Company): Promise<void> {
  refuseUndeleted(company);
  refuseProtected(ctx, company);
  await writeState(ctx, company, { erasedAt: new Date() });
  await enqueue(ctx, eraseCompany, { companyId: String(company.id) });
}

/**
 * Saves both records as their forms do, which raises their versions: a form that was opened earlier
 * must not restore the old state of both.
 */
async function saveActive(ctx: TxCtx, company: Company, activeStatus: boolean): Promise<void> {
  const where = { companyId: String(company.id) };
  const clients = await Client.findAll({ where, transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  const change = {
    changes: { activeStatus },
    fields: { activeStatus: 'active_status' },
    compared: ['activeStatus'] as const,
    startedFrom: undefined,
    present: () => null,
  };
  await saveForm(ctx, company, { ...change, entity: 'company', action: 'company:updated' });
  for (const client of clients) await saveForm(ctx, client, { ...change, entity: 'client', action: 'client:updated' });
}

async function writeState(
  ctx: TxCtx,
  company: Company,
  state: { deletedAt: Date | null } | { erasedAt: Date },
): Promise<void> {
  const options = { transaction: ctx.tx };
  await company.update(state, options);
  // One by one, so that the hook runs for each client and growth counts it
  const individually = { individualHooks: true, ...options };
  await Client.update(state, { where: { companyId: String(company.id) }, ...individually });
}
