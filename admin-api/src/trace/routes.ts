import * as contracts from '@selvage/core/contracts/trace';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { findStory, findTraced } from './trace.ts';

/** Binds the calls that show where a message was delivered. */
export function bindTrace(router: ApiRouter): void {
  route(router, contracts.listTraced, (ctx, { query }) => findTraced(signedIn(ctx), query));
  route(router, contracts.getStory, (ctx, { params }) => findStory(signedIn(ctx), params.id));
}
