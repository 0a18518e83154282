import { emptyDeletedFolder as contract } from '@selvage/core/jobs/empty-deleted-folder';
import { processor } from '@selvage/core/jobs/processor';
import { emptyDeletedFolder } from '@selvage/core/mailstore/own-folders';

/** Answers `mail.empty-deleted-folder`: moves the mail of a deleted folder to the trash. */
export const emptyDeletedFolderProcessor = processor(contract, async (ctx, { folderId }) => {
  await emptyDeletedFolder(ctx, folderId);
});
