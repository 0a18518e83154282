import * as aliases from '@selvage/core/contracts/aliases';
import * as catchAll from '@selvage/core/contracts/catch-all';
import * as groups from '@selvage/core/contracts/groups';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { addAlias, dropAlias, findAliases } from './aliases.ts';
import { changeCatchAll, readCatchAll } from './catch-all.ts';
import { findCatchAlls } from './find-catch-alls.ts';
import { findGroups, readGroup } from './find-groups.ts';
import { addGroup, changeGroup, removeGroup } from './groups.ts';

/** Binds the calls about aliases, groups and catch-alls. */
export function bindAddresses(router: ApiRouter): void {
  bindAliases(router);
  bindGroups(router);
  route(router, catchAll.listCatchAlls, (ctx, { query }) => findCatchAlls(signedIn(ctx), query));
  route(router, catchAll.getCatchAll, (ctx, { params }) => readCatchAll(signedIn(ctx), params.id));
  route(router, catchAll.setCatchAll, (ctx, { params, body }) => changeCatchAll(signedIn(ctx), params.id, body), {
    message: 'Catch-all saved',
  });
}

function bindAliases(router: ApiRouter): void {
  route(router, aliases.listAliases, (ctx, { params }) => findAliases(signedIn(ctx), params.id));
  route(router, aliases.createAlias, (ctx, { params, body }) => addAlias(signedIn(ctx), params.id, body.address), {
    message: 'Alias added',
  });
  route(router, aliases.removeAlias, (ctx, { params }) => dropAlias(signedIn(ctx), params.id), {
    message: 'Alias removed',
  });
}

function bindGroups(router: ApiRouter): void {
  route(router, groups.listGroups, (ctx, { query }) => findGroups(signedIn(ctx), query));
  route(router, groups.getGroup, (ctx, { params }) => readGroup(signedIn(ctx), params.id));
  route(router, groups.createGroup, (ctx, { body }) => addGroup(signedIn(ctx), body), {
    message: 'Group created successfully',
  });
  route(router, groups.updateGroup, (ctx, { params, body }) => changeGroup(signedIn(ctx), params.id, body), {
    message: 'Group updated successfully',
  });
  route(router, groups.removeGroup, (ctx, { params }) => removeGroup(signedIn(ctx), params.id), {
    message: 'Group deleted successfully',
  });
}
