import type { TxCtx } from '../context/context.ts';
import { AppPassword } from '../models/app-password.ts';
import { Passkey } from '../models/passkey.ts';

/** App passwords and passkeys of a person, by their ids. */
export interface WaysIn {
  appPasswords: readonly string[];
  passkeys: readonly string[];
}

/**
 * Takes app passwords and passkeys of a person back, in the caller's transaction: all of them, or
 * those that are named. Ids of other people's are passed over.
 * @returns how many of each there were
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

/** The same in a sentence for the owner; empty when there were none. */
export function sayEnded({ appPasswords, passkeys }: { appPasswords: number; passkeys: number }): string {
  const counts = [
    ...(appPasswords > 0 ? [`${appPasswords} app ${appPasswords === 1 ? 'password' : 'passwords'}`] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
  ];
  return counts.length === 0 ? '' : ` ${counts.join(' and ')} can no longer be used.`;
}
