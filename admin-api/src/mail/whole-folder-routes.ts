import * as folders from '@selvage/core/contracts/mail-folders';
import * as contracts from '@selvage/core/contracts/whole-folders';
import { changeFolderStatus } from '@selvage/core/mailstore/change-folder-status';
import { labelFolder } from '@selvage/core/mailstore/label-folder';
import { moveFolder } from '@selvage/core/mailstore/move-folder';
import { markFolder } from '@selvage/core/mailstore/walk-folder';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { presentPlaces } from './present-places.ts';
import { flagsIn } from './status-flags.ts';

/** Binds the calls that change all of a folder (D50). */
export function bindWholeFolders(router: ApiRouter): void {
  route(router, folders.markFolder, (ctx, { query: { folder } }) =>
    markFolder(ctx, { userId: signedIn(ctx).actor.userId, folder }),
  );
  route(
    router,
    folders.changeFolder,
    async (ctx, { body }) => {
      const { folder, until } = body;
      const change = { userId: signedIn(ctx).actor.userId, folder, until, flags: flagsIn(body) };
      const { isLeft, ...progress } = await changeFolderStatus(ctx, change);
      return { ...progress, is_left: isLeft };
    },
    { message: 'Status changed' },
  );
  route(
    router,
    contracts.moveFolder,
    async (ctx, { body: { folder, until, folder_id: ownFolderId } }) => {
      const to = { ownFolderId, archiveStatus: false, junkStatus: false, trashStatus: false };
      const { userId } = signedIn(ctx).actor;
      const { isLeft, touched, ...progress } = await moveFolder(ctx, { userId, folder, until, to });
      return { ...progress, touched: presentPlaces(touched), is_left: isLeft };
    },
    { message: 'Messages moved' },
  );
  route(
    router,
    contracts.labelFolder,
    async (ctx, { body: { folder, until, label_id: labelId, is_on: isOn } }) => {
      const { userId } = signedIn(ctx).actor;
      const { isLeft, ...progress } = await labelFolder(ctx, { userId, folder, until, labelId, isOn });
      return { ...progress, is_left: isLeft };
    },
    { message: 'Labels changed' },
  );
}
