import { eraseCompanyRows } from '@selvage/core/directory/erase-rows';
import { eraseCompany } from '@selvage/core/jobs/erase-company';
import { processor } from '@selvage/core/jobs/processor';
import { log } from '@selvage/core/log';

/** Answers `directory.erase-company`: removes the rows of a permanently deleted company. */
export const eraseCompanyProcessor = processor(eraseCompany, async (ctx, { companyId }, signal) => {
  const isErased = await eraseCompanyRows(ctx, companyId, signal);
  log.info('erasure of a company', { companyId, isErased });
});
