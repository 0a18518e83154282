import { findUsableAccount } from '../access/usable-account.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { User } from '../models/user.ts';
import type { Ctx } from '../context/context.ts';
import { verifyPassword } from '../secrets/password-hash.ts';
import { verifyAppPassword } from './verify-app-password.ts';

/**
 * Outcome of a mail program's sign-in. Only the last two reasons may be told to the peer, which
 * knows the password.
 */
export type MailboxAuthentication =
  | { ok: true; user: User }
  | { ok: false; reason: 'wrong_credentials' | 'inactive' | 'second_factor' | 'password_change' };

/**
 * Signs a mail program in: with one of the person's app passwords, or while two-factor is off with
 * the account's own (D13). Takes the same time whether or not the account exists (D12).
 */
export async function authenticateMailbox(ctx: Ctx, email: string, password: string): Promise<MailboxAuthentication> {
  const address = normaliseAddress(email);
  const user = address ? await User.findOne({ where: { email: address }, transaction: ctx.tx }) : null;
  const isOwn = await verifyPassword(password, user?.passwordHash ?? null);
  const isRight = isOwn || (await verifyAppPassword(ctx, user, password)) !== null;
  if (!user || !isRight) return { ok: false, reason: 'wrong_credentials' };
  if (!(await findUsableAccount(ctx, user))) return { ok: false, reason: 'inactive' };
  if (isOwn && user.twoFactorStatus) return { ok: false, reason: 'second_factor' };
  if (isOwn && user.passwordChangeRequired) return { ok: false, reason: 'password_change' };
  return { ok: true, user };
}
