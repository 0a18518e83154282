import type { MovedFrom } from '@selvage/core/mailstore/move-entries';

/** Messages that were moved, by their former place. */
export function presentPlaces(moved: readonly MovedFrom[]) {
  return moved.map(({ from, entryIds }) => ({
    from: {
      folder_id: from.ownFolderId,
      archive_status: from.archiveStatus,
      junk_status: from.junkStatus,
      trash_status: from.trashStatus,
    },
    email_ids: entryIds,
  }));
}
