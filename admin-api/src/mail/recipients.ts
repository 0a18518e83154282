import * as contracts from '@selvage/core/contracts/recipients';
import { forgetCorrespondent } from '@selvage/core/directory/correspondents';
import { findRecipients } from '@selvage/core/directory/find-recipients';
import { signedIn } from '../http/request-context.ts';
import { type ApiRouter, route } from '../http/route.ts';

/** Binds the calls that complete addresses (D75). */
export function bindRecipients(router: ApiRouter): void {
  route(router, contracts.findRecipients, async (ctx, { query: { q } }) => {
    // Only the caller's own company: people of the provider may see every tenant, but do not write
    // to all of their people
    const { userId, companyId } = signedIn(ctx).actor;
    const { found, first } = contracts.mostRecipients;
    return await findRecipients(ctx, { userId, companyId, text: q, most: q.trim() === '' ? first : found });
  });
  route(router, contracts.forgetRecipient, async (ctx, { body: { address } }) => {
    await forgetCorrespondent(ctx, signedIn(ctx).actor.userId, address);
    return undefined;
  });
}
