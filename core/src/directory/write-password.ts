import { endAllSessions } from './end-all-sessions.ts';
import { dropLinks } from './one-time-links.ts';
import { User } from '../models/user.ts';
import type { TxCtx } from '../context/context.ts';

/**
 * Gives a person a new password, in the caller's transaction: all sessions end but the one named, tokens of before hold no more (D4), links that
 * would set another one are void, and nobody asks for a change any more.
 * @returns the keys of the sessions that ended
 */
export async function writePassword(
  ctx: TxCtx,
  user: User,
  passwordHash: string,
  options: { exceptSession?: string } = {},
): Promise<string[]> {
  const changes = { passwordHash, passwordChangeRequired: false };
  await User.update(changes, { where: { id: user.id }, transaction: ctx.tx });
  await User.increment('tokenVersion', { where: { id: user.id }, transaction: ctx.tx });
  await dropLinks(ctx, String(user.id), 'set_password');
  return await endAllSessions(ctx, String(user.id), options);
}
