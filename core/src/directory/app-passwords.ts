import { createHmac, randomBytes } from 'node:crypto';
import { AppPassword } from '../models/app-password.ts';
import type { User } from '../models/user.ts';
import type { App } from '../runtime/app.ts';
import type { Ctx } from '../runtime/context.ts';

// Letters that nobody mistakes for one another; 20 of 28 are 96 bits, so a keyed hash is enough and a look-up finds it.
const letters = 'abcdefghjkmnpqrstuvwxyz23456';
const length = 20;

/** A password for one mail program, in groups of five for reading. */
export function newAppPassword(): string {
  let text = '';
  while (text.length < length) {
    // 252 is the largest multiple of 28 in a byte: above it some letters would come more often
    for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += letters[byte % 28];
  }
  return text.match(/.{5}/g)?.join('-') ?? text;
}

/** What of it is kept. People type it with and without the hyphens and in capitals. */
export function appPasswordHash(app: App, password: string): string {
  const plain = password.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHmac('sha256', app.secrets.key('app-password')).update(plain).digest('hex');
}

/** The mail program's password that somebody signs in with, noted as used now; null when it is none of theirs. */
export async function useAppPassword(ctx: Ctx, user: User, password: string): Promise<AppPassword | null> {
  const passwordHash = appPasswordHash(ctx.app, password);
  const found = await AppPassword.findOne({ where: { userId: String(user.id), passwordHash }, transaction: ctx.tx });
  await found?.update({ lastUsedAt: new Date(), lastUsedAddress: ctx.address.slice(0, 45) || null });
  return found;
}
