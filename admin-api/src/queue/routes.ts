import * as contracts from '@selvage/core/contracts/queue';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { changeWaiting, changeOne, findQueue } from './queue.ts';

/** Binds the calls about queued outgoing mail. */
export function bindQueue(router: ApiRouter): void {
  route(router, contracts.listQueue, (ctx, { query }) => findQueue(signedIn(ctx), query));
  route(router, contracts.changeQueue, (ctx, { body }) => changeWaiting(signedIn(ctx), body));
  route(router, contracts.changeDelivery, (ctx, { params, body }) => changeOne(signedIn(ctx), params.id, body.action));
}
