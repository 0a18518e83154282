import { findUsableAccount } from '../access/usable-account.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { User } from '../models/user.ts';
import { networkOf } from '../access/network-of.ts';
import type { Ctx } from '../context/context.ts';
import { verifyPassword } from '../secrets/password-hash.ts';
import { SecretCache } from '../secrets/secret-cache.ts';
import { type MailLogin, weaknessOf } from './mail-login.ts';
import { renewPasswordHash } from './renew-password-hash.ts';
import { verifyAppPassword } from './verify-app-password.ts';

/**
 * The outcome of a mail program's login. The peer may be told only the last two reasons, because it
 * knows the password then. `user` is the account that has the address. The peer is never told of
 * it.
 */
export type MailboxAuthentication = ({ ok: true } & MailLogin) | { ok: false; reason: RefusedLogin; user: User | null };

type RefusedLogin = 'throttled' | 'wrong_credentials' | 'inactive' | 'second_factor' | 'password_change';

/**
 * Passwords that were found right in the last minute, each with its account and the stored hash
 * that it matched. So a mail program that connects for each message costs one slow hash a minute.
 * Each login still reads the account's row: a new password has a new hash, and a barred account is
 * refused.
 */
const rightPasswords = new SecretCache({ ttlMs: 60_000, entries: 10_000 });

/**
 * Logs a mail program in: with one of the person's app passwords, or with the account's own while
 * two-factor is neither on nor overdue (D13). A wrong password takes the same time whether or not
 * the account exists (D12).
 * @param isThrottled asked before the account's own password is looked at. An app password has 96
 * random bits, so it can't be guessed and needs no limit, and finding it costs one index look-up.
 * @throws AppError 503 when too many passwords wait to be verified
 */
export async function authenticateMailbox(
  ctx: Ctx,
  email: string,
  password: string,
  isThrottled?: (user: User | null) => Promise<boolean>,
): Promise<MailboxAuthentication> {
  const address = normaliseAddress(email);
  const user = address ? await User.findOne({ where: { email: address }, transaction: ctx.tx }) : null;
  const appPassword = await verifyAppPassword(ctx, user, password);
  if (!appPassword && (await isThrottled?.(user))) return { ok: false, reason: 'throttled', user };
  const isOwn = !appPassword && (await isOwnPassword(ctx, user, password));
  if (!user || !(appPassword || isOwn)) return { ok: false, reason: 'wrong_credentials', user };
  const account = await findUsableAccount(ctx, user);
  if (!account) return { ok: false, reason: 'inactive', user };
  const weakness = isOwn ? weaknessOf(user, account.role) : null;
  if (weakness !== null) return { ok: false, reason: weakness, user };
  return { ok: true, user, appPasswordId: appPassword && String(appPassword.id) };
}

async function isOwnPassword(ctx: Ctx, user: User | null, password: string): Promise<boolean> {
  if (user && rightPasswords.has(...credentialOf(user, password))) return true;
  const isRight = await verifyPassword(password, user?.passwordHash ?? null, networkOf(ctx.address));
  if (!user || !isRight) return false;
  await renewPasswordHash(ctx, user, password);
  rightPasswords.add(...credentialOf(user, password));
  return true;
}

function credentialOf({ id, passwordHash, tokenVersion }: User, password: string): string[] {
  return [String(id), passwordHash, String(tokenVersion), password];
}
