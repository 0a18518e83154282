import type { Processor } from '@selvage/core/jobs/processor';
import { removeLabel } from '@selvage/core/jobs/remove-label';
import { removeLabelRows } from '@selvage/core/mailstore/remove-label';
import { processInRuns } from '../process-in-runs.ts';

/**
 * Answers `mail.remove-label`: takes a deleted label from some of its messages and asks for the
 * rest, or removes it.
 */
export const removeLabelProcessor = removeLabelFor();

/** The same with another limit for one run. */
export function removeLabelFor(limitMs?: number): Processor {
  return processInRuns(removeLabel, (ctx, { labelId }, run) => removeLabelRows(ctx, labelId, run), limitMs);
}
