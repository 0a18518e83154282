import * as contracts from '@selvage/core/contracts/mail-rules';
import * as vacation from '@selvage/core/contracts/vacation';
import { countMatching } from '@selvage/core/mailstore/apply-filter';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { block, listOwnBlocked, unblock } from './blocked-senders.ts';
import {
  addFilter,
  applyOwnFilter,
  changeFilter,
  listOwnFilters,
  orderOwnFilters,
  removeOwnFilter,
} from './filters.ts';
import { changeVacation, endVacation, readOwnVacation } from './vacation.ts';

/** Binds the calls about the caller's own rules for mail. */
export function bindMailRules(router: ApiRouter): void {
  route(router, contracts.listBlocked, (ctx) => listOwnBlocked(signedIn(ctx)));
  route(router, contracts.blockSender, (ctx, { body }) => block(signedIn(ctx), body.address), {
    message: 'Sender blocked',
  });
  route(router, contracts.unblockSender, (ctx, { params }) => unblock(signedIn(ctx), params.id), {
    message: 'Sender unblocked',
  });
  route(router, vacation.getVacation, (ctx) => readOwnVacation(signedIn(ctx)));
  route(router, vacation.setVacation, (ctx, { body }) => changeVacation(signedIn(ctx), body), {
    message: 'Vacation reply saved',
  });
  route(router, vacation.stopVacation, (ctx) => endVacation(signedIn(ctx)), { message: 'Vacation reply turned off' });
  route(router, contracts.listFilters, (ctx) => listOwnFilters(signedIn(ctx)));
  route(router, contracts.createFilter, (ctx, { body }) => addFilter(signedIn(ctx), body), {
    message: 'Filter added',
  });
  route(router, contracts.orderFilters, (ctx, { body }) => orderOwnFilters(signedIn(ctx), body.filter_ids), {
    message: 'Order saved',
  });
  route(router, contracts.updateFilter, (ctx, { params, body }) => changeFilter(signedIn(ctx), params.id, body), {
    message: 'Filter saved',
  });
  route(router, contracts.countFitting, async (ctx, { body }) => {
    const {
      isLeft,
      matching: fitting,
      ...counted
    } = await countMatching(ctx, { userId: signedIn(ctx).actor.userId, ...body });
    return { fitting, ...counted, is_left: isLeft };
  });
  route(router, contracts.applyFilter, async (ctx, { params, body }) => {
    const { matching: changed, isLeft, ...progress } = await applyOwnFilter(signedIn(ctx), params.id, body.until);
    return { changed, ...progress, is_left: isLeft };
  });
  route(router, contracts.removeFilter, (ctx, { params }) => removeOwnFilter(signedIn(ctx), params.id), {
    message: 'Filter deleted',
  });
}
