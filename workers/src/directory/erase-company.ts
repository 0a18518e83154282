import { eraseCompanyRows } from '@selvage/core/directory/erase-rows';
import { eraseCompany } from '@selvage/core/jobs/erase-company';
import { log } from '@selvage/core/log';
import { forAWhile } from '@selvage/core/sweeps/for-a-while';
import { processInRuns } from '../process-in-runs.ts';

/**
 * Answers `directory.erase-company`: removes some of the rows of a permanently deleted company and
 * asks for the rest, so that copies and archives of mailboxes have their turn between.
 */
export const eraseCompanyProcessor = processInRuns(eraseCompany, async (ctx, { companyId }, run) => {
  const isErased = await forAWhile(run, (signal) => eraseCompanyRows(ctx, companyId, signal));
  if (isErased === 'more') return 'more';
  log.info('erasure of a company', { companyId, isErased });
  return 'done';
});
