import * as contracts from '@selvage/core/contracts/own-folders';
import { moveEntries, type MovedFrom, moveThreads } from '@selvage/core/mailstore/move-entries';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { presentPlaces } from './present-places.ts';
import { addFolder, listFoldersOf, removeFolder, renameFolder } from './own-folders.ts';

/** Binds the calls about folders that the caller made (D63). */
export function bindOwnFolders(router: ApiRouter): void {
  route(router, contracts.listOwnFolders, (ctx) => listFoldersOf(signedIn(ctx)));
  route(router, contracts.createOwnFolder, (ctx, { body }) => addFolder(signedIn(ctx), body.name), {
    message: 'Folder created',
  });
  route(
    router,
    contracts.renameOwnFolder,
    (ctx, { params, body }) => renameFolder(signedIn(ctx), params.id, body.name),
    { message: 'Folder renamed' },
  );
  route(router, contracts.removeOwnFolder, (ctx, { params }) => removeFolder(signedIn(ctx), params.id), {
    message: 'Folder deleted. Its messages are moved to the trash.',
  });
  route(
    router,
    contracts.moveMessages,
    async (ctx, { body }) => {
      const to = {
        ownFolderId: body.folder_id,
        archiveStatus: body.archive_status,
        junkStatus: body.junk_status,
        trashStatus: body.trash_status,
      };
      const asked = { userId: signedIn(ctx).actor.userId, entryIds: body.email_id, to };
      if (!body.whole_threads) return presentMoved(await moveEntries(ctx, asked), false);
      const { moved, isLeft } = await moveThreads(ctx, asked);
      return presentMoved(moved, isLeft);
    },
    { message: 'Messages moved' },
  );
}

function presentMoved(moved: readonly MovedFrom[], isLeft: boolean) {
  return {
    changed: moved.reduce((sum, { entryIds }) => sum + entryIds.length, 0),
    touched: presentPlaces(moved),
    is_left: isLeft,
  };
}
