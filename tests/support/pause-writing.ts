import type { Ctx } from '@selvage/core/context/context';
import { changeRows } from '@selvage/core/database/run-sql';
import { writeDraftMessages } from '@selvage/core/mailstore/draft-messages';

/**
 * Writes the message of a draft as workers do after its writer has paused long enough. All of them
 * look for due drafts at the same time.
 */
export async function pauseWriting(ctx: Ctx, draftId: string, workers = 1): Promise<void> {
  const due = 'UPDATE drafts SET bytes_due_at = UTC_TIMESTAMP(3) WHERE id = ? AND bytes_due_at IS NOT NULL';
  await changeRows(ctx, due, [draftId]);
  await Promise.all(Array.from({ length: workers }, () => writeDraftMessages(ctx)));
}
