import type { TxCtx } from '../context/context.ts';
import { endSessionsWhere } from './end-all-sessions.ts';
import { User } from '../models/user.ts';

/**
 * Ends all access of people at once: their sessions end, and their tokens are refused from the next
 * request on. Call it when a person, a role or a company is deleted or switched off.
 * @returns the keys of the sessions that ended; `SessionEvents` closes their live connections
 */
export async function endAccess(ctx: TxCtx, people: { companyId: string } | { userIds: string[] }): Promise<string[]> {
  const [whose, where] =
    'companyId' in people ? [people, people] : [{ userId: people.userIds }, { id: people.userIds }];
  await User.increment('tokenVersion', { where, transaction: ctx.tx });
  return await endSessionsWhere(ctx, whose);
}

/**
 * Makes the tokens of people outdated after their permissions have changed (D4). Their next request
 * gets the error `token_outdated`, and the client fetches a new token.
 */
export async function outdateTokens(ctx: TxCtx, where: { roleId: string } | { id: string }): Promise<void> {
  await User.increment('tokenVersion', {
    where: { ...where, deletedAt: null },
    transaction: ctx.tx,
  });
}
