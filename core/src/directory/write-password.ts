import { endAllSessions } from './end-all-sessions.ts';
import { dropLinks } from './one-time-links.ts';
import { User } from '../models/user.ts';
import type { TxCtx } from '../context/context.ts';

/**
 * Gives a person a new password, in the caller's transaction. All sessions end but the one named,
 * older tokens become invalid (D4), and links that set a password stop working. The person is no
 * longer asked to change the password.
 * @param options.byRecoveryEmail the password is set with a link to the recovery address of a
 * person with two-factor on
 * @returns the keys of the sessions that ended
 */
export async function writePassword(
  ctx: TxCtx,
  user: User,
  passwordHash: string,
  options: { exceptSession?: string; byRecoveryEmail?: boolean } = {},
): Promise<string[]> {
  const changes = {
    passwordHash,
    passwordChangeRequired: false,
    passwordByRecoveryEmail: options.byRecoveryEmail ?? false,
  };
  await User.update(changes, { where: { id: user.id }, transaction: ctx.tx });
  await User.increment('tokenVersion', { where: { id: user.id }, transaction: ctx.tx });
  await dropLinks(ctx, String(user.id), 'set_password');
  return await endAllSessions(ctx, String(user.id), options);
}
