import { log } from '@selvage/core/log';
import { processor } from '@selvage/core/jobs/processor';
import { removeBlob } from '@selvage/core/jobs/remove-blob';
import { removeBlobIfUnreferenced } from '@selvage/core/mailstore/remove-blob';

/** Answers `mail.remove-blob`: removes bytes, unless something refers to them. */
export const removeBlobProcessor = processor(removeBlob, async (ctx, { blobKey }) => {
  const outcome = await removeBlobIfUnreferenced(ctx, blobKey);
  log.info('removal of a file', { blobKey, outcome });
});
