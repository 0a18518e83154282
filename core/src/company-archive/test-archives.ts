import { mkdtempSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailbox } from '../../../tests/support/factories.ts';
import type { Ctx } from '../context/context.ts';
import { eraseCompanyRows } from '../directory/erase-rows.ts';
import { removeUnusedMessages } from '../mailstore/unused-messages.ts';
import { Company } from '../models/company.ts';
import { CompanyArchive } from '../models/company-archive.ts';
import { pathsOf } from './archive-file.ts';
import { beginning } from './cursor.ts';
import { workOnArchive } from './make-archive.ts';

type Owner = Pick<Mailbox, 'company'>;

/** Archives a company and answers the file, which stays when the company goes. */
export async function archiveCompany(ctx: Ctx, { company }: Owner): Promise<string> {
  const companyId = String(company.id);
  const facts = { askedBy: null, askerName: 'A', fileName: 'a.tar', state: 'making', cursorAt: beginning } as const;
  const { id } = await CompanyArchive.create({ companyId, makingOf: companyId, ...facts });
  await workOnArchive(ctx, String(id));
  const path = join(mkdtempSync(join(ctx.app.config.dataDir, 'kept-archive-')), 'company.tar');
  await copyFile(pathsOf(ctx.app.config.archives.directory, String(id)).finished, path);
  return path;
}

/** Removes all of a company from the host. */
export async function eraseCompany(ctx: Ctx, { company }: Owner): Promise<void> {
  await Company.update({ deletedAt: new Date(), erasedAt: new Date() }, { where: { id: company.id } });
  await eraseCompanyRows(ctx, String(company.id));
  // Jobs do this otherwise
  await removeUnusedMessages(ctx, '0');
}
