import { lookUpPostalCode } from '@selvage/core/contracts/postal-code';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';
import { findPlace } from './look-up.ts';

/** Binds the look-up of postal codes. */
export function bindPostalCode(router: ApiRouter): void {
  route(router, lookUpPostalCode, (ctx, { params }) => findPlace(signedIn(ctx), params.pin));
}
