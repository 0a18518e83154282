import type { Ctx } from '@selvage/core/context/context';
import { changeRows } from '@selvage/core/database/run-sql';
import { writeDraftMessages } from '@selvage/core/mailstore/draft-messages';

/** Writes the message of a draft as a worker does after its writer has paused long enough. */
export async function pauseWriting(ctx: Ctx, draftId: string): Promise<void> {
  const due = 'UPDATE drafts SET bytes_due_at = UTC_TIMESTAMP(3) WHERE id = ? AND bytes_due_at IS NOT NULL';
  await changeRows(ctx, due, [draftId]);
  await writeDraftMessages(ctx);
}
