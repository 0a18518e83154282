import { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import { hashPassword, needsRehash } from '../secrets/password-hash.ts';

/**
 * Replaces a stored hash that was made with another cost than today's. Only a login has the
 * password in clear, so this is called after the password was found right. A failure is logged and
 * does not fail the login: the next login tries again.
 */
export async function renewPasswordHash(ctx: Ctx, user: User, password: string): Promise<void> {
  const { id, passwordHash: outdated } = user;
  if (!needsRehash(outdated)) return;
  try {
    const passwordHash = await hashPassword(password);
    // The condition keeps a password that was changed meanwhile
    const where = { id, passwordHash: outdated };
    const [renewed] = await User.update({ passwordHash }, { where, silent: true, transaction: ctx.tx });
    if (renewed === 1) user.set({ passwordHash }, { raw: true });
  } catch (error) {
    log.warn('a password hash could not be renewed', { userId: String(id), error });
  }
}
