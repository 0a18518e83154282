import { findUsableAccount } from '../access/usable-account.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { User } from '../models/user.ts';
import type { Ctx } from '../runtime/context.ts';
import { verifyPassword } from '../runtime/password.ts';

/** Outcome of a mail program's sign-in. Why it failed is never told to the peer. */
export type MailboxAuthentication =
  | { ok: true; user: User }
  | { ok: false; reason: 'wrong_credentials' | 'inactive' | 'second_factor' };

/**
 * Signs a mail program in. Takes the same time whether or not the account exists (D12). A person with two-factor on cannot use the
 * account's password here (D13).
 */
export async function authenticateMailbox(ctx: Ctx, email: string, password: string): Promise<MailboxAuthentication> {
  const address = normaliseAddress(email);
  const user = address ? await User.findOne({ where: { email: address }, transaction: ctx.tx }) : null;
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (!user || !isRight) return { ok: false, reason: 'wrong_credentials' };
  if (!(await findUsableAccount(ctx, user))) return { ok: false, reason: 'inactive' };
  if (user.twoFactorStatus) return { ok: false, reason: 'second_factor' };
  return { ok: true, user };
}
