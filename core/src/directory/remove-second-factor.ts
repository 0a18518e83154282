import type { TxCtx } from '../context/context.ts';
import { Passkey } from '../models/passkey.ts';
import { RecoveryCode } from '../models/recovery-code.ts';
import { User } from '../models/user.ts';

/**
 * Turns two-factor off and removes the recovery codes and passkeys, in the caller's transaction. Of
 * two calls at once, one does it.
 * @returns false when it is off already
 */
export async function removeSecondFactor(ctx: TxCtx, user: User): Promise<boolean> {
  const changes = { twoFactorStatus: false, twoFactorSecret: null, passwordByRecoveryEmail: false };
  const [changed] = await User.update(changes, {
    where: { id: user.id, twoFactorStatus: true },
    transaction: ctx.tx,
  });
  if (changed === 0) return false;
  const theirs = { where: { userId: String(user.id) }, transaction: ctx.tx };
  await RecoveryCode.destroy(theirs);
  await Passkey.destroy(theirs);
  return true;
}
