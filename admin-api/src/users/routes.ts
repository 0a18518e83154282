import { requirePermission } from '@selvage/core/access/effective-permissions';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import * as manyContracts from '@selvage/core/contracts/many-users';
import * as contracts from '@selvage/core/contracts/users';
import { stopUserForwarding } from '@selvage/core/contracts/forwarding';
import type { SessionEvents } from '../auth/session-events.ts';
import { loadCurrentUser } from '../auth/presenter.ts';
import { signedIn, type SignedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { changeOwnProfile } from '../profile/update-profile.ts';
import { changeMany } from './change-many.ts';
import { addUser } from './create-user.ts';
import { findChoices, findUser, findUserNames, findUsers } from './find-users.ts';
import { ownAccount } from './guard-user.ts';
import { importProgress } from './import-progress.ts';
import { importUsers } from './import-users.ts';
import {
  endForwardingOf,
  endSessionsOf,
  requireNewPassword,
  sessionsOf,
  takeTwoFactorFrom,
} from './account-security.ts';
import { restoreUser, type Changed, removeUser, eraseUser } from './remove-user.ts';
import { changeUser } from './update-user.ts';

/** Binds the calls about people. */
export function bindUsers(router: ApiRouter, sessionEvents: SessionEvents): void {
  // Before the calls with an id, which would match "all" as an id
  route(router, contracts.listUsers, (ctx, { query }) => findUsers(signedIn(ctx), query));
  route(router, contracts.listUserNames, (ctx) => findUserNames(signedIn(ctx)));
  route(router, contracts.getUser, (ctx, { params }) => findUser(signedIn(ctx), params.id));
  route(router, contracts.getUserChoices, (ctx, { query }) => findChoices(signedIn(ctx), query.company_id));
  route(router, contracts.createUser, (ctx, { body }) => addUser(signedIn(ctx), body), {
    message: 'User created successfully',
  });
  bindMany(router, sessionEvents);
  bindSecurity(router, sessionEvents);
  bindChanges(router, ({ person, ended }) => {
    sessionEvents.tellEnded(ended);
    return person;
  });
}

/** The calls about many people at once. */
function bindMany(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(
    router,
    manyContracts.changeManyUsers,
    (ctx, { body }) => changeMany(signedIn(ctx), body, (ended) => sessionEvents.tellEnded(ended)),
    { message: 'Users updated' },
  );
  route(router, manyContracts.importUsers, (ctx, { body, files }) => importUsers(signedIn(ctx), body, files), {
    message: (_ctx, { body }) => (body.dry_run ? 'The file was checked' : 'Users imported successfully'),
  });
  route(router, manyContracts.getImportProgress, (ctx, { params }) => importProgress(signedIn(ctx), params.import_id));
}

/** The calls about the access of another person to their account. */
function bindSecurity(router: ApiRouter, sessionEvents: SessionEvents): void {
  const tell = (ended: string[]): void => sessionEvents.tellEnded(ended);
  route(router, contracts.listUserSessions, (ctx, { params }) => sessionsOf(signedIn(ctx), params.id));
  route(
    router,
    contracts.endUserSessions,
    async (ctx, { params }) => tell(await endSessionsOf(signedIn(ctx), params.id)),
    { message: 'Sessions ended' },
  );
  route(
    router,
    contracts.turnOffUserTwoFactor,
    async (ctx, { params }) => tell(await takeTwoFactorFrom(signedIn(ctx), params.id)),
    { message: 'Two-factor authentication turned off' },
  );
  route(router, contracts.requireNewPassword, (ctx, { params }) => requireNewPassword(signedIn(ctx), params.id), {
    message: 'A new password is required',
  });
  route(router, stopUserForwarding, (ctx, { params }) => endForwardingOf(signedIn(ctx), params.id), {
    message: 'The mail is no longer forwarded',
  });
}

function bindChanges(router: ApiRouter, tell: (changed: Changed) => Changed['person']): void {
  route(
    router,
    contracts.updateUser,
    async (ctx, { params, body, files }) => {
      const caller = signedIn(ctx);
      if (params.id === caller.actor.userId) return await changeOwn(caller, body, files);
      return tell(await changeUser(caller, params.id, { body, files }));
    },
    {
      message: (ctx, { params }) =>
        params.id === ctx.actor?.userId ? 'Profile updated successfully' : 'User updated successfully',
    },
  );
  route(router, contracts.removeUser, async (ctx, { params }) => tell(await removeUser(signedIn(ctx), params.id)), {
    message: 'User deleted successfully',
  });
  route(router, contracts.restoreUser, (ctx, { params }) => restoreUser(signedIn(ctx), params.id), {
    message: 'User restored successfully',
  });
  route(router, contracts.eraseUser, (ctx, { params }) => eraseUser(signedIn(ctx), params.id), {
    message: 'User permanently deleted',
  });
}

type Body = InferBody<typeof contracts.updateUser>;

/**
 * Changes the caller's own profile. A form may send the whole record. A change of the caller's own
 * role, state or password is refused instead of ignored.
 * @throws 403 without the flag of the profile, unless this only ends the setup of the company
 */
async function changeOwn(ctx: SignedIn, body: Body, files: UploadedFile[]) {
  if (!isOnlyFinish(body, files)) requirePermission(ctx, 'profile', 'edit');
  const current = await loadCurrentUser(ctx);
  const keepsRole = body.role_id === undefined || body.role_id === current.role_id._id;
  const keepsState = body.active_status !== false && body.loginAllowed !== false;
  const keepsRest = body.password === undefined && body.storage_limit === undefined;
  if (!keepsRole || !keepsState || !keepsRest) throw ownAccount();
  await changeOwnProfile(ctx, { body, files });
  return await loadCurrentUser(ctx);
}

function isOnlyFinish({ required_data: isAsked, version: _version, ...others }: Body, files: UploadedFile[]): boolean {
  return isAsked === false && files.length === 0 && Object.values(others).every((value) => value === undefined);
}
