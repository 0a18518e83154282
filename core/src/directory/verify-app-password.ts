import { createHmac } from 'node:crypto';
import { AppPassword } from '../models/app-password.ts';
import type { User } from '../models/user.ts';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { plainCode, readableCode } from '../secrets/readable-code.ts';

/**
 * A new password for one mail program, in groups of five characters. It has 96 bits, so a keyed
 * hash is enough, by which the database can look it up.
 */
export function newAppPassword(): string {
  return readableCode(20, 5);
}

/**
 * The hash that is stored. It ignores hyphens and case, since people type a password either way.
 */
export function hashAppPassword(app: App, password: string): string {
  return createHmac('sha256', app.secrets.key('app-password')).update(plainCode(password)).digest('hex');
}

/**
 * The app password of a person that matches, with its use noted; null when none does. For an
 * account that does not exist (null) the check takes as long (D12).
 */
export async function verifyAppPassword(ctx: Ctx, user: User | null, password: string): Promise<AppPassword | null> {
  const where = { userId: String(user?.id ?? '0'), passwordHash: hashAppPassword(ctx.app, password) };
  const found = await AppPassword.findOne({ where, transaction: ctx.tx });
  if (found) await noteUse(ctx, found);
  return found;
}

/**
 * Notes the time and the peer of a use, but at most once a minute for the same peer: a program that
 * sends a hundred messages logs in a hundred times.
 */
async function noteUse(ctx: Ctx, found: AppPassword): Promise<void> {
  const lastUsedAddress = ctx.address.slice(0, 45) || null;
  const isKnown = found.lastUsedAddress === lastUsedAddress && Date.now() - (found.lastUsedAt?.getTime() ?? 0) < 60_000;
  if (!isKnown) await found.update({ lastUsedAt: new Date(), lastUsedAddress }, { transaction: ctx.tx ?? null });
}
