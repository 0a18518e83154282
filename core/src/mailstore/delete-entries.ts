import { type Ctx, inTransaction } from '../context/context.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { lockEntries, setFlags } from './change-status.ts';

/** Entries that one transaction deletes. */
interface Deletion {
  userId: string;
  entryIds: readonly string[];
  /** Whether an entry, which is locked, is still one that is to be deleted. */
  isMeant: (entry: MailboxEntry) => boolean;
}

/**
 * Deletes a batch of a person's entries for good. An entry that another window deletes, restores or
 * moves at this moment stays as that window leaves it.
 * @returns the ids of those that were deleted
 * @throws AppError as `changeStatus` does, but for entries that are gone
 */
export async function deleteEntries(ctx: Ctx, { userId, entryIds, isMeant }: Deletion): Promise<string[]> {
  return await inTransaction(ctx, async (tx) => {
    const entries = (await lockEntries(tx, userId, entryIds)).filter(isMeant);
    await setFlags(tx, entries, { deleteStatus: true });
    return entries.map(({ id }) => String(id));
  });
}
