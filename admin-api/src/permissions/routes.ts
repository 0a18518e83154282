import * as contracts from '@selvage/core/contracts/permission-matrix';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { changeFlags, resetFlags } from './change-matrix.ts';
import type { Named } from './matrix-subject.ts';
import { readMatrix } from './read-matrix.ts';

/** Binds the calls about the permission matrices. */
export function bindPermissions(router: ApiRouter): void {
  route(router, contracts.getPermissions, (ctx, { query }) => readMatrix(signedIn(ctx), namedBy(query)));
  route(
    router,
    contracts.changePermissions,
    (ctx, { body }) => changeFlags(signedIn(ctx), namedBy(body), body.permissions),
    { message: 'Permissions updated successfully' },
  );
  route(router, contracts.resetPermissions, (ctx, { params }) => resetFlags(signedIn(ctx), params.id), {
    message: 'Permissions reset to default',
  });
}

/** The contract requires exactly one of the two. */
function namedBy({ role_id, user_id }: { role_id?: string | undefined; user_id?: string | undefined }): Named {
  return role_id === undefined ? { kind: 'user', id: user_id ?? '' } : { kind: 'role', id: role_id };
}
