import { Op, type WhereOptions } from 'sequelize';
import type { TxCtx } from '../context/context.ts';
import { Session } from '../models/session.ts';

/**
 * Ends the sessions of a person, all but the one named; answers the keys of the sessions that
 * ended.
 */
export async function endAllSessions(
  ctx: TxCtx,
  userId: string,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<string[]> {
  return await endSessionsWhere(ctx, { userId, ...(exceptSession ? { sessionKey: { [Op.ne]: exceptSession } } : {}) });
}

/** Ends the open sessions that a condition names; answers the keys of the sessions that ended. */
export async function endSessionsWhere(ctx: TxCtx, whose: WhereOptions): Promise<string[]> {
  const where = { [Op.and]: [whose, { endedAt: null }] };
  const sessions = await Session.findAll({ where, attributes: ['id', 'sessionKey'], transaction: ctx.tx });
  const ids = sessions.map(({ id }) => id);
  await Session.update({ endedAt: new Date() }, { where: { id: ids }, transaction: ctx.tx });
  return sessions.map(({ sessionKey }) => sessionKey);
}
