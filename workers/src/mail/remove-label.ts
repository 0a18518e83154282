import { processor } from '@selvage/core/jobs/processor';
import { removeLabel } from '@selvage/core/jobs/remove-label';
import { removeLabelRows } from '@selvage/core/mailstore/remove-label';

/** Answers `mail.remove-label`: takes a deleted label from its messages and removes it. */
export const removeLabelProcessor = processor(removeLabel, async (ctx, { labelId }) => {
  await removeLabelRows(ctx, labelId);
});
