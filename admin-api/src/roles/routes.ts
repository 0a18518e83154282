import * as contracts from '@selvage/core/contracts/roles';
import type { SessionEvents } from '../auth/session-events.ts';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { addRole, restoreRole, changeRole, removeRole, eraseRole } from './change-roles.ts';
import { findRoles, readRole } from './find-roles.ts';
import { setTwoFactorRule } from './two-factor-rule.ts';

/** Binds the calls about roles. */
export function bindRoles(router: ApiRouter, sessionEvents: SessionEvents): void {
  route(router, contracts.listRoles, (ctx, { query }) => findRoles(signedIn(ctx), query));
  route(router, contracts.getRole, (ctx, { params }) => readRole(signedIn(ctx), params.id));
  route(router, contracts.createRole, (ctx, { body }) => addRole(signedIn(ctx), body), {
    message: 'Role created successfully',
  });
  route(
    router,
    contracts.updateRole,
    async (ctx, { params, body }) => {
      const { role, ended } = await changeRole(signedIn(ctx), params.id, body);
      sessionEvents.tellEnded(ended);
      return role;
    },
    { message: 'Role updated successfully' },
  );
  route(
    router,
    contracts.requireTwoFactor,
    (ctx, { params, body }) => setTwoFactorRule(signedIn(ctx), params.id, body),
    { message: 'Role updated successfully' },
  );
  bindRemoval(router);
}

function bindRemoval(router: ApiRouter): void {
  route(router, contracts.removeRole, (ctx, { params }) => removeRole(signedIn(ctx), params.id), {
    message: 'Role deleted successfully',
  });
  route(router, contracts.restoreRole, (ctx, { params }) => restoreRole(signedIn(ctx), params.id), {
    message: 'Role restored successfully',
  });
  route(router, contracts.eraseRole, (ctx, { params }) => eraseRole(signedIn(ctx), params.id), {
    message: 'Role permanently deleted',
  });
}
