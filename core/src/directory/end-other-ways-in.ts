import type { TxCtx } from '../context/context.ts';
import { AppPassword } from '../models/app-password.ts';
import { Passkey } from '../models/passkey.ts';

/** App passwords and passkeys of a person, by their ids. */
export interface WaysIn {
  appPasswords: readonly string[];
  passkeys: readonly string[];
}

/**
 * Removes app passwords and passkeys of a person, in the caller's transaction: all of them, or
 * those that are named. It ignores ids that belong to other people.
 * @returns how many of each were removed
 */
export async function endOtherWaysIn(
  { tx }: TxCtx,
  userId: string,
  which: WaysIn | 'all',
): Promise<{ appPasswords: number; passkeys: number }> {
  const own = (ids: readonly string[]) => ({ where: { userId, id: [...ids] }, transaction: tx });
  const all = { where: { userId }, transaction: tx };
  return {
    appPasswords: await AppPassword.destroy(which === 'all' ? all : own(which.appPasswords)),
    passkeys: await Passkey.destroy(which === 'all' ? all : own(which.passkeys)),
  };
}

/** The sentence that tells the owner what was removed; empty when nothing was. */
export function sayEnded({ appPasswords, passkeys }: { appPasswords: number; passkeys: number }): string {
  const counts = [
    ...(appPasswords > 0 ? [`${appPasswords} app ${appPasswords === 1 ? 'password' : 'passwords'}`] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
  ];
  return counts.length === 0 ? '' : ` ${counts.join(' and ')} can no longer be used.`;
}
