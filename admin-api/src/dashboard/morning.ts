import { holdsPermission } from '@selvage/core/access/effective-permissions';
import { readRefusedLogins } from '@selvage/core/access/refused-logins';
import { mostNamed, type RefusedSignInsDto, type StorageUseDto } from '@selvage/core/contracts/morning';
import { fullestCompanies, fullestMailboxes, readCompanyUse, type Use } from '@selvage/core/mailstore/fullest';
import type { SignedIn } from '../http/request-context.ts';
import { readBlobDisk } from './blob-disk.ts';

/** How much storage the caller's scope uses, and which companies or mailboxes have little left. */
export async function readStorageUse(ctx: SignedIn): Promise<StorageUseDto> {
  const seesCompanies = holdsPermission(ctx.actor.permissions, 'company', 'view');
  if (ctx.scope.kind === 'host') {
    const companies = seesCompanies ? await fullestCompanies(ctx, mostNamed) : null;
    return {
      company: null,
      mailboxes: null,
      companies: companies?.map(presentUse) ?? null,
      disk: await readBlobDisk(ctx.app),
    };
  }
  const { companyId } = ctx.scope;
  const mailboxes = await fullestMailboxes(ctx, companyId, mostNamed);
  return {
    company: seesCompanies ? await readCompanyUse(ctx, companyId) : null,
    mailboxes: mailboxes.map(({ email, ...use }) => ({ ...presentUse(use), email })),
    companies: null,
    disk: null,
  };
}

function presentUse({ id, ...use }: Use) {
  return { _id: id, ...use };
}

/** The refused logins in the audit trail of the caller's scope. */
export async function findRefusedSignIns(ctx: SignedIn): Promise<RefusedSignInsDto> {
  const { refused, isMore, addresses } = await readRefusedLogins(ctx, ctx.scope, mostNamed);
  return { refused, is_more: isMore, addresses };
}
