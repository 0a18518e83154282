import type { TxCtx } from '../context/context.ts';
import { Session } from '../models/session.ts';
import { User } from '../models/user.ts';

/**
 * Ends all access of people at once: their sessions end, and their tokens are refused from the next
 * request on. Call it when a person, a role or a company is deleted or switched off.
 * @returns the keys of the sessions that ended; `SessionEvents` closes their live connections
 */
export async function endAccess(ctx: TxCtx, people: { companyId: string } | { userIds: string[] }): Promise<string[]> {
  const options = { transaction: ctx.tx };
  const byId = 'companyId' in people ? { companyId: people.companyId } : { id: people.userIds };
  const where = 'companyId' in people ? { companyId: people.companyId } : { userId: people.userIds };
  const sessions = await Session.findAll({
    where: { ...where, endedAt: null },
    attributes: ['id', 'sessionKey'],
    ...options,
  });
  await Session.update({ endedAt: new Date() }, { where: { id: sessions.map(({ id }) => id) }, ...options });
  await User.increment('tokenVersion', { where: byId, ...options });
  return sessions.map(({ sessionKey }) => sessionKey);
}

/**
 * Makes the tokens of people outdated after their permissions have changed (D4): their next request
 * is answered `token_outdated`, and they go on with a new token.
 */
export async function outdateTokens(ctx: TxCtx, where: { roleId: string } | { id: string }): Promise<void> {
  await User.increment('tokenVersion', {
    where: { ...where, deletedAt: null },
    transaction: ctx.tx,
  });
}
