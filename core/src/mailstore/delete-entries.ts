import { type Ctx, inTransaction } from '../context/context.ts';
import type { MailboxEntry } from '../models/mailbox-entry.ts';
import { lockEntries, setFlagsIfAllowed } from './change-status.ts';

/** Entries that one transaction deletes. */
interface Deletion {
  userId: string;
  entryIds: readonly string[];
  /** Whether an entry is still to be deleted, once it is locked. */
  isMeant: (entry: MailboxEntry) => boolean;
}

/**
 * Deletes a batch of a person's entries for good. If another window deletes, restores or moves an
 * entry at this moment, `isMeant` decides whether it is still deleted.
 * @returns the ids of those that were deleted
 * @throws AppError as `changeStatus` does, except for entries that are deleted already
 */
export async function deleteEntries(ctx: Ctx, { userId, entryIds, isMeant }: Deletion): Promise<string[]> {
  return await inTransaction(ctx, async (tx) => {
    const entries = (await lockEntries(tx, userId, entryIds)).filter(isMeant);
    await setFlagsIfAllowed(tx, entries, { deleteStatus: true });
    return entries.map(({ id }) => String(id));
  });
}
