import type { TxCtx } from '../context/context.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { changeEntries } from './change-entries.ts';

/** Marks the entry that a message answers or forwards, unless it was deleted meanwhile. */
export async function markOriginal(
  ctx: TxCtx,
  { userId, entryId, isReply }: { userId: string; entryId: string; isReply: boolean },
): Promise<void> {
  const entry = await MailboxEntry.findOne({
    where: { id: entryId, userId, deleteStatus: false },
    lock: true,
    transaction: ctx.tx,
  });
  if (entry === null || (isReply ? entry.answeredStatus : entry.forwardedStatus)) return;
  const change = isReply ? { answeredStatus: true } : { forwardedStatus: true };
  await changeEntries(ctx, { companyId: entry.companyId, userId, entries: [entry] }, change);
}
