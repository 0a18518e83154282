import { notFound } from '../errors.ts';
import { User } from '../models/user.ts';
import type { TxCtx } from '../context/context.ts';

/**
 * A person's row as it is now, locked until the transaction ends: other changes of the account
 * wait.
 * @throws 404 when there is no such person
 */
export async function lockUser(ctx: TxCtx, userId: string): Promise<User> {
  const user = await User.findByPk(userId, { transaction: ctx.tx, lock: ctx.tx.LOCK.UPDATE });
  if (!user) throw notFound('user');
  return user;
}
