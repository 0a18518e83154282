import { workOnArchive } from '@selvage/core/company-archive/make-archive';
import { makeArchive } from '@selvage/core/jobs/make-archive';
import { processInRuns } from '../process-in-runs.ts';

/** Answers `directory.make-archive`: writes some of an archive, and asks for the rest. */
export const makeArchiveProcessor = processInRuns(makeArchive, (ctx, { archiveId }, run) =>
  workOnArchive(ctx, archiveId, run),
);
